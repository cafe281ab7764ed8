"""What cdk-nag finds in our own constructs and is meant so, each with its reason, where the construct is made."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct

from agent_rft.place import Place

POLICIES = {"IAMNoInlinePolicy": "the policy belongs to this one role and ends with it"}

WILDCARD = "docs/iam.md says for each action on what it is granted, and why nothing narrower will do"

FUNCTIONS = {
    "LambdaInsideVPC": "it runs when a stack deploys and calls only AWS's own public endpoints",
    "LambdaDLQ": "CloudFormation waits for its answer, and shows its failure",
    "LambdaConcurrency": "CloudFormation calls it once for each resource of a deployment",
    "CloudWatchLogGroupEncrypted": "it logs job names and errors only; CloudWatch encrypts them with its own key",
}

WORKFLOWS = {
    "AwsSolutions::AwsSolutions-SF1": "an execution's own history shows every step, and holds names and statuses only",
    "AwsSolutions::AwsSolutions-SF2": "its steps are one function and one event, which the history times",
}

BUCKET = {
    "AwsSolutions::AwsSolutions-S1": "who needs access logs has CloudTrail's data events, or passes a bucket",
    "S3BucketLoggingEnabled": "the same as AwsSolutions-S1",
    "S3BucketReplicationEnabled": "what a job wrote can be made again; who needs a replica passes a bucket",
    "S3BucketVersioningEnabled": "each job writes new keys below its own name",
    "S3DefaultEncryptionKMS": "kms_key chooses a customer key",
}

_BASIC = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
BASIC_LOGS = {
    f"AwsSolutions::AwsSolutions-IAM4[Policy::{_BASIC}]": "CDK attaches it to a function, which writes logs with it",
    "AwsSolutions::AwsSolutions-L1": "the default runtime is the SDK's; runtime= chooses another",
}

PACKS = ("NIST.800.53.R5", "NIST.800.53.R4", "HIPAA.Security", "PCI.DSS.321")
"""The packs in which a rule without a pack of its own may come."""


def acknowledge(scope: IConstruct, findings: Mapping[str, str]) -> None:
    """Acknowledges the findings on the construct and on what is below it."""
    Validations.of(scope).acknowledge(
        *(Acknowledgment(id=id, reason=reason) for rule, reason in findings.items() for id in _ids(rule))
    )


def acknowledge_wildcards(role: IConstruct, resources: Iterable[str]) -> None:
    """Acknowledges each resource with a wildcard in a policy of the role; cdk-nag has a finding for each."""
    acknowledge_found_wildcards(role, Place.of(role).stack.resolve(list(resources)))


def acknowledge_found_wildcards(role: IConstruct, resolved: Iterable[Any]) -> None:
    """The same, of resources that are resolved already."""
    texts = map(_text, resolved)
    findings = {f"AwsSolutions::AwsSolutions-IAM5[Resource::{text}]": WILDCARD for text in texts if "*" in text}
    if findings:
        acknowledge(role, findings)


def _text(value: Any) -> str:
    """A resolved value as cdk-nag writes it: ``<Bucket.Arn>/output/*``.

    https://github.com/cdklabs/cdk-nag/blob/main/src/utils/flatten-cfn-reference.ts
    """
    if isinstance(value, str):
        return value
    ((function, argument),) = value.items()
    if function == "Fn::Join":
        return str(argument[0]).join(map(_text, argument[1]))
    if function == "Ref":
        return f"<{argument}>"
    if function == "Fn::GetAtt":
        return f"<{'.'.join(argument)}>"
    if function == "Fn::Sub":
        return re.sub(r"\$\{([^}]+)\}", r"<\1>", argument)
    return json.dumps(value, separators=(",", ":"))


def _ids(rule: str) -> list[str]:
    return [rule] if "::" in rule else [f"{pack}::{pack}-{rule}" for pack in PACKS]
