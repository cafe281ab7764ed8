"""Small stacks created through boto3: a function that answers custom resource events as its properties say.

Its properties ``Create``, ``Update`` and ``Delete`` say how, in words that ``CODE`` looks for: ``fine`` without them.
"""

import io
import json
import time
import zipfile
from collections.abc import Callable
from typing import Any

from agent_rft_local import LocalAws

CODE = """
import json, time, urllib.request

def handler(event, context):
    how = event["ResourceProperties"].get(event["RequestType"], "fine").split()
    answer = {"Status": "SUCCESS", "PhysicalResourceId": event["ResourceProperties"].get("Id", "thing-1"),
              "StackId": event["StackId"], "RequestId": event["RequestId"],
              "LogicalResourceId": event["LogicalResourceId"], "Data": {"A": "b"}}
    if "raises" in how: raise RuntimeError("as asked")
    if "sleeps" in how: time.sleep(float(how[how.index("sleeps") + 1]))
    if "failed" in how: answer.update(Status="FAILED", Reason="as asked")
    if "long" in how: answer["Data"] = {"A": "x" * 4096}
    if "stranger" in how: answer["RequestId"] = "another"
    if "status" in how: answer["Status"] = "OK"
    if "nameless" in how: del answer["PhysicalResourceId"]
    put(event, answer)
    if "again" in how: put(event, {**answer, "PhysicalResourceId": "thing-2"})
    if "crashes" in how: raise RuntimeError("after the answer")

def put(event, answer):
    urllib.request.urlopen(urllib.request.Request(event["ResponseURL"], json.dumps(answer).encode(), method="PUT"))
"""

TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


def archive() -> bytes:
    """A function's code that says it ran."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("index.py", "def handler(event, context): return 'it ran'")
    return packed.getvalue()


def custom_resource(*, timeout: int = 30, policies: Any = (), **properties: Any) -> dict[str, Any]:
    """A template of a function and a custom resource that it answers for.

    Args:
        timeout: The function's own, in seconds.
        policies: The function's role's inline policies.
        properties: ``Create``, ``Update``, ``Delete`` say how it answers to that event; ``Id`` with which id.
    """
    function = {"Handler": "index.handler", "Runtime": "python3.13", "Code": {"ZipFile": CODE}, "Timeout": timeout}
    role = {"AssumeRolePolicyDocument": TRUST, "Policies": list(policies)}
    return {
        "Role": {"Type": "AWS::IAM::Role", "Properties": role},
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {**function, "Role": {"Fn::GetAtt": ["Role", "Arn"]}},
        },
        "Thing": {
            "Type": "Custom::Thing",
            "Properties": {"ServiceToken": {"Fn::GetAtt": ["Function", "Arn"]}, "ServiceTimeout": 20, **properties},
        },
    }


def failing(resources: dict[str, Any]) -> dict[str, Any]:
    """The same, and after the custom resource one that cannot be made."""
    group = {"ModelPackageGroupName": "no_such_name"}
    return {
        **resources,
        "Late": {"Type": "AWS::SageMaker::ModelPackageGroup", "Properties": group, "DependsOn": "Thing"},
    }


def create(
    aws: LocalAws, name: str, resources: dict[str, Any], outputs: dict[str, Any] | None = None, **more: Any
) -> str:
    """Creates the stack and waits; its final status."""
    start(aws, name, resources, outputs, **more)
    return settled(aws, name)


def start(
    aws: LocalAws, name: str, resources: dict[str, Any], outputs: dict[str, Any] | None = None, **more: Any
) -> None:
    """Creates the stack and does not wait."""
    template = {"Resources": resources, "Outputs": {key: {"Value": value} for key, value in (outputs or {}).items()}}
    aws.client("cloudformation").create_stack(
        StackName=name, TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_IAM"], **more
    )


def update(aws: LocalAws, name: str, resources: dict[str, Any], **more: Any) -> str:
    """Updates the stack and waits; its final status."""
    start_update(aws, name, resources, **more)
    return settled(aws, name)


def start_update(aws: LocalAws, name: str, resources: dict[str, Any], **more: Any) -> None:
    """Updates the stack and does not wait."""
    aws.client("cloudformation").update_stack(
        StackName=name,
        TemplateBody=json.dumps({"Resources": resources}),
        Capabilities=["CAPABILITY_IAM"],
        **more,
    )


def delete(aws: LocalAws, name: str) -> str:
    """Deletes the stack and waits; its final status."""
    cloudformation = aws.client("cloudformation")
    arn = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackId"]
    cloudformation.delete_stack(StackName=name)
    return settled(aws, arn)


def settled(aws: LocalAws, name: str) -> str:
    """The stack's status once nothing is in progress."""
    return str(until(lambda: status(aws, name), lambda found: not found.endswith("_IN_PROGRESS")))


def status(aws: LocalAws, name: str) -> str:
    """The stack's status now."""
    return str(aws.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]["StackStatus"])


def until(look: Callable[[], Any], is_there: Callable[[Any], bool] = bool) -> Any:
    """What is seen once it is there; fails when it does not come."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if is_there(seen := look()):
            return seen
        time.sleep(0.02)
    raise TimeoutError(f"it is still {seen}")


def reasons(aws: LocalAws, name: str) -> str:
    """Every reason in the stack's events."""
    rows = aws.client("cloudformation").describe_stack_events(StackName=name)["StackEvents"]
    return " ".join(row.get("ResourceStatusReason", "") for row in rows)
