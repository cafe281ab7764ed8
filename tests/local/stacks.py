"""Small stacks created through boto3: a function that answers custom resource events as its properties say."""

import json
import time
from typing import Any

from agent_rft_local import LocalAws

CODE = """
import json, urllib.request
def handler(event, context):
    how = event["ResourceProperties"].get("How", "fine")
    answer = {"Status": "SUCCESS", "PhysicalResourceId": "thing-1", "StackId": event["StackId"],
              "RequestId": event["RequestId"], "LogicalResourceId": event["LogicalResourceId"], "Data": {"A": "b"}}
    if event["RequestType"] == "Create":
        if how == "failed": answer.update(Status="FAILED", Reason="as asked")
        if how == "long": answer["Data"] = {"A": "x" * 4096}
        if how == "stranger": answer["RequestId"] = "another"
        if how == "status": answer["Status"] = "OK"
        if how == "nameless": del answer["PhysicalResourceId"]
    request = urllib.request.Request(event["ResponseURL"], json.dumps(answer).encode(), method="PUT")
    urllib.request.urlopen(request)
"""

TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


def custom_resource(**properties: Any) -> dict[str, Any]:
    """A template of a function and a custom resource that it answers for."""
    function = {"Handler": "index.handler", "Runtime": "python3.13", "Code": {"ZipFile": CODE}}
    return {
        "Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": TRUST}},
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {**function, "Role": {"Fn::GetAtt": ["Role", "Arn"]}},
        },
        "Thing": {
            "Type": "Custom::Thing",
            "Properties": {"ServiceToken": {"Fn::GetAtt": ["Function", "Arn"]}, **properties},
        },
    }


def create(
    aws: LocalAws, name: str, resources: dict[str, Any], outputs: dict[str, Any] | None = None, **more: Any
) -> str:
    """Creates the stack and waits; its final status."""
    template = {"Resources": resources, "Outputs": {key: {"Value": value} for key, value in (outputs or {}).items()}}
    aws.client("cloudformation").create_stack(
        StackName=name, TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_IAM"], **more
    )
    return settled(aws, name)


def update(aws: LocalAws, name: str, resources: dict[str, Any]) -> str:
    """Updates the stack and waits; its final status."""
    aws.client("cloudformation").update_stack(StackName=name, TemplateBody=json.dumps({"Resources": resources}))
    return settled(aws, name)


def settled(aws: LocalAws, name: str) -> str:
    """The stack's status once nothing is in progress."""
    while True:
        status = str(aws.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]["StackStatus"])
        if not status.endswith("_IN_PROGRESS"):
            return status
        time.sleep(0.05)


def reasons(aws: LocalAws, name: str) -> str:
    """Every reason in the stack's events."""
    rows = aws.client("cloudformation").describe_stack_events(StackName=name)["StackEvents"]
    return " ".join(row.get("ResourceStatusReason", "") for row in rows)
