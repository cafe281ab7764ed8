"""Step Functions in the local AWS: a task needs its role's rights, and an error has its exception's name."""

import json
import time
from typing import Any

import pytest
from local.roles import allow
from local.stacks import create

from agent_rft_local import LocalAws
from agent_rft_local.lambda_errors import exception_in

CODE = "class OverQuota(Exception): pass\ndef handler(event, context):\n    raise OverQuota('too: many\\n jobs')"
"""A function that fails with an exception of its own, whose message has a colon and a second line."""


def trusting(service: str) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return {"Version": "2012-10-17", "Statement": [statement]}


def role(service: str, *statements: dict[str, Any]) -> dict[str, Any]:
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    policies = [{"PolicyName": "own", "PolicyDocument": document}] if statements else []
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {"AssumeRolePolicyDocument": trusting(service), "Policies": policies},
    }


def made(aws: LocalAws, *statements: dict[str, Any]) -> str:
    """A state machine that calls the function, with a role that may do this; its ARN."""
    function = {
        "Runtime": "python3.13",
        "Handler": "index.handler",
        "Code": {"ZipFile": CODE},
        "Role": {"Fn::GetAtt": ["FunctionRole", "Arn"]},
        "FunctionName": "fails",
    }
    task = {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": "fails"},
        "End": True,
    }
    definition = json.dumps({"StartAt": "Task", "States": {"Task": task}})
    of_machine = {"DefinitionString": definition, "RoleArn": {"Fn::GetAtt": ["Role", "Arn"]}}
    resources = {
        "FunctionRole": role("lambda.amazonaws.com"),
        "Function": {"Type": "AWS::Lambda::Function", "Properties": function},
        "Role": role("states.amazonaws.com", *statements),
        "Machine": {"Type": "AWS::StepFunctions::StateMachine", "Properties": of_machine},
    }
    assert create(aws, "machine", resources) == "CREATE_COMPLETE"
    (machine,) = aws.client("stepfunctions").list_state_machines()["stateMachines"]
    return str(machine["stateMachineArn"])


def run(aws: LocalAws, machine: str) -> dict[str, Any]:
    """An execution once it has ended."""
    client = aws.client("stepfunctions")
    execution = client.start_execution(stateMachineArn=machine)["executionArn"]
    end = time.monotonic() + 20
    while (answer := client.describe_execution(executionArn=execution))["status"] == "RUNNING":
        assert time.monotonic() < end
        time.sleep(0.05)
    return dict(answer)


def test_a_task_is_denied_what_the_roles_policies_do_not_allow(bare_aws: LocalAws) -> None:
    answer = run(bare_aws, made(bare_aws))
    assert answer["error"] == "Lambda.AccessDeniedException"
    assert [row["allowed"] for row in bare_aws.iam_log() if row["action"] == "lambda:InvokeFunction"] == [False]


def test_a_functions_error_has_its_exceptions_name(bare_aws: LocalAws) -> None:
    answer = run(bare_aws, made(bare_aws, allow("lambda:InvokeFunction", "*")))
    assert answer["error"] == "OverQuota"
    assert json.loads(answer["cause"])["errorMessage"] == "too: many\n jobs"


def test_a_deleted_state_machine_takes_its_executions_with_it(bare_aws: LocalAws) -> None:
    machine = made(bare_aws)
    execution = run(bare_aws, machine)["executionArn"]
    client = bare_aws.client("stepfunctions")
    bare_aws.client("cloudformation").delete_stack(StackName="machine")
    end = time.monotonic() + 20
    while client.list_state_machines()["stateMachines"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    with pytest.raises(client.exceptions.ExecutionDoesNotExist):
        client.describe_execution(executionArn=execution)


@pytest.mark.parametrize(
    ("trace", "message", "name"),
    [
        ("Traceback ...\n  File x\nValueError: no", "no", "ValueError"),
        ("Traceback ...\nours.errors.Refused: a: b", "a: b", "Refused"),
        ("Traceback ...\nKeyError", "", "KeyError"),
        ("Error: no\n    at handler (index.js:1:2)", "no", ""),
        ("", "", ""),
    ],
)
def test_the_name_is_the_last_of_the_traceback(trace: str, message: str, name: str) -> None:
    assert exception_in(trace, message) == name
