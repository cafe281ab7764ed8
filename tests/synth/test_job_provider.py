"""The handler function: one per stack, and what it may do."""

from pathlib import Path

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from synth.app import (
    ACCOUNT,
    REGION,
    Synthesized,
    stack_of,
    synth,
    trainer,
)
from synth.test_job_task import evaluator

from agent_rft import JobProvider
from agent_rft_handler.facts import OWN_TAGS


def test_the_handler_can_be_put_into_a_vpc_before_the_first_trainer() -> None:
    stack = stack_of()
    JobProvider(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"]))
    trainer(stack)
    functions = Synthesized(stack).resources("AWS::Lambda::Function")
    (function,) = functions.values()
    assert len(function["Properties"]["VpcConfig"]["SubnetIds"]) == 2


def test_the_handler_may_pass_exactly_the_execution_roles() -> None:
    stack = stack_of()
    trainer(stack, "A")
    trainer(stack, "B")
    made = Synthesized(stack)
    passing = [s for s in made.statements("Handler") if "iam:PassRole" in s["Action"]]
    assert {s["Condition"]["StringEquals"]["iam:PassedToService"] for s in passing} == {"job.sagemaker.amazonaws.com"}
    assert len(made.allowed("iam:PassRole", "Handler")) == 2
    assert all("ExecutionRole" in each for each in made.allowed("iam:PassRole", "Handler"))


def test_job_actions_reach_only_jobs_of_the_own_account_and_change_only_the_stacks_own() -> None:
    made = synth()
    for action in ("CreateJob", "DescribeJob", "StopJob", "AddTags", "DeleteTags"):
        assert set(made.allowed(f"sagemaker:{action}", "Handler")) == {
            f"arn:${{AWS::Partition}}:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT*/*"
        }
    own, requested = (
        {f"aws:{kind}Tag/{OWN_TAGS['stack']}": {"Ref": "AWS::StackId"}} for kind in ("Resource", "Request")
    )
    conditions = {
        action: [each["Condition"]["StringEquals"] for each in made.statements("Handler") if action in each["Action"]]
        for action in ("sagemaker:CreateJob", "sagemaker:StopJob", "sagemaker:DeleteTags", "sagemaker:AddTags")
    }
    assert list(conditions.values()) == [[requested], [own], [own], [requested, own]]


def test_every_function_has_a_log_group_with_a_retention() -> None:
    made = synth()
    groups = made.resources("AWS::Logs::LogGroup")
    assert len(groups) == len(made.resources("AWS::Lambda::Function")) == 1
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == 30
        assert group["DeletionPolicy"] == "Delete"
    for function in made.resources("AWS::Lambda::Function").values():
        assert function["Properties"]["LoggingConfig"]["LogGroup"]["Ref"] in groups


def test_no_state_machine_and_minutes_to_answer() -> None:
    made = synth()
    assert made.resources("AWS::StepFunctions::StateMachine") == {}
    assert made.job()["ServiceTimeout"] == "2100"


def test_a_provider_made_after_a_trainer_says_what_to_do() -> None:
    stack = stack_of()
    trainer(stack)
    with pytest.raises(ValueError, match=r"^\[S\] The stack has a JobProvider already.* JobProvider\.of\(stack\)"):
        JobProvider(stack)


def test_an_alarm_on_the_handler_needs_no_search_of_the_tree() -> None:
    stack = stack_of()
    made = trainer(stack)
    JobProvider.of(made).function.metric_errors().create_alarm(stack, "NotSubmitted", threshold=1, evaluation_periods=1)
    synthesized = Synthesized(stack)
    (alarm,) = synthesized.resources("AWS::CloudWatch::Alarm").values()
    (function,) = synthesized.resources("AWS::Lambda::Function")
    assert alarm["Properties"]["MetricName"] == "Errors"
    assert alarm["Properties"]["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]


ATTACH = {
    f"ec2:{action}"
    for action in (
        "AssignPrivateIpAddresses",
        "CreateNetworkInterface",
        "DeleteNetworkInterface",
        "DescribeNetworkInterfaces",
        "DescribeSubnets",
        "UnassignPrivateIpAddresses",
    )
}


def in_a_vpc() -> Stack:
    """A stack with every function that the library makes."""
    stack = stack_of()
    JobProvider(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"]))
    trainer(stack).evaluate_on_completion(evaluator(stack))
    return stack


def test_every_function_in_a_vpc_has_a_role_with_the_six_rights_on_interfaces_and_no_other_has_them() -> None:
    made = Synthesized(in_a_vpc())
    functions = {name: each["Properties"] for name, each in made.resources("AWS::Lambda::Function").items()}
    assert len(functions) > 1
    roles = {
        name: {
            action
            for statement in made.statements(properties["Role"]["Fn::GetAtt"][0])
            for action in statement["Action"]
            if action.startswith("ec2:")
        }
        for name, properties in functions.items()
    }
    in_vpc = {functions[name]["Role"]["Fn::GetAtt"][0] for name in functions if "VpcConfig" in functions[name]}
    assert in_vpc
    for name, properties in functions.items():
        assert roles[name] == (ATTACH if properties["Role"]["Fn::GetAtt"][0] in in_vpc else set())
    assert all("ManagedPolicyArns" not in each["Properties"] for each in made.resources("AWS::IAM::Role").values())


def test_the_report_on_a_precreated_handlers_role_has_the_six_rights(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    stack = stack_of(app)
    iam.Role.customize_roles(stack, use_precreated_roles={"S/AgentRFTJobProvider/HandlerRole": "handler"})
    JobProvider(stack, vpc=ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"]))
    trainer(stack)
    app.synth()
    handlers = (tmp_path / "iam-policy-report.txt").read_text().partition("HandlerRole")[2]
    assert all(action in handlers for action in ATTACH)
