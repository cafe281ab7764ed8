"""Clients that are bound by policies."""

import json
from typing import Any

import boto3

from agent_rft_local import LocalAws

ANYBODY = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]}


def allow(action: str | list[str], resource: str = "*", **conditions: dict[str, Any]) -> dict[str, Any]:
    """One statement."""
    return {
        "Effect": "Allow",
        "Action": action,
        "Resource": resource,
        **({"Condition": conditions} if conditions else {}),
    }


def credentials(aws: LocalAws, name: str, *statements: dict[str, Any]) -> dict[str, Any]:
    """The keys of a new role with just these statements, which may be none."""
    iam = aws.client("iam")
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(ANYBODY))["Role"]["Arn"]
    if statements:
        policy = {"Version": "2012-10-17", "Statement": list(statements)}
        iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=json.dumps(policy))
    return dict(aws.client("sts").assume_role(RoleArn=arn, RoleSessionName="test")["Credentials"])


def limited(aws: LocalAws, name: str, *statements: dict[str, Any], service: str = "sagemaker") -> Any:
    """A client with just these statements."""
    keys = credentials(aws, name, *statements)
    return boto3.client(
        service,  # type: ignore[call-overload]
        region_name="us-east-1",
        endpoint_url=aws.endpoint,
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
    )
