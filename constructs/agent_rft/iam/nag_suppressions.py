"""What cdk-nag finds in our own constructs and is meant so, each with its reason, where the construct is made."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct

from agent_rft.place import Place
from agent_rft.synthesis import when_synthesized

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
AGENT = {
    f"AwsSolutions::AwsSolutions-IAM4[Policy::{_BASIC}]": "CDK attaches it to a function, which writes logs with it",
    "AwsSolutions::AwsSolutions-L1": "the default runtime is the SDK's; runtime= chooses another",
    "LambdaInsideVPC": "an agent that needs a VPC is a lambda_.Function in one",
    "LambdaDLQ": "the job calls it, and has its answer or its error",
    "LambdaConcurrency": "the job says how many rollouts run at a time",
}

REFERENCE = r"<(?!AWS::)|\"(Ref|Fn::GetAtt)\":"
"""How a reference to a resource begins; CloudFormation's own parameters are written alike everywhere."""

PACKS = ("NIST.800.53.R5", "NIST.800.53.R4", "HIPAA.Security", "PCI.DSS.321")
"""The packs in which a rule without a pack of its own may come."""


def acknowledge(scope: IConstruct, findings: Mapping[str, str]) -> None:
    """Acknowledges the findings on the construct and on what is below it."""
    Validations.of(scope).acknowledge(
        *(Acknowledgment(id=id, reason=reason) for rule, reason in findings.items() for id in _ids(rule))
    )


def acknowledge_wildcards(role: IConstruct, resources: Iterable[str]) -> None:
    """Acknowledges each resource with a wildcard in a policy of the role; cdk-nag has a finding for each."""
    given = list(resources)
    acknowledge_found_wildcards(role, given, Place.of(role).stack.resolve(given))


def acknowledge_found_wildcards(role: IConstruct, resources: Iterable[str], resolved: Iterable[Any]) -> None:
    """The same, of resources that are resolved already."""
    texts = {text: resource for resource, text in zip(resources, map(flattened, resolved), strict=True) if "*" in text}
    _acknowledge_texts(role, texts)
    if any(re.search(REFERENCE, text) for text in texts):
        when_synthesized(role, lambda: _acknowledge_as_written(role, texts))


def _acknowledge_as_written(role: IConstruct, known: Mapping[str, str]) -> None:
    """The same, of other stacks' resources, once CDK has chosen the export or output by which each is known here."""
    written = map(flattened, Place.of(role).stack.resolve(list(known.values())))
    _acknowledge_texts(role, [text for text in written if text not in known])


def _acknowledge_texts(role: IConstruct, texts: Iterable[str]) -> None:
    """But for a key with a dollar and a brace: cdk-nag closes no brace there, and CDK takes only ids that close all."""
    known = (text for text in texts if text.count("{") == text.count("}"))
    findings = {f"AwsSolutions::AwsSolutions-IAM5[Resource::{text}]": WILDCARD for text in known}
    if findings:
        acknowledge(role, findings)


def flattened(value: Any) -> str:
    """A resolved value as cdk-nag writes it: ``<Bucket.Arn>/output/*``.

    https://github.com/cdklabs/cdk-nag/blob/main/src/utils/flatten-cfn-reference.ts
    """
    if isinstance(value, str):
        return value.replace("${", "<").replace("}", ">")
    function, argument = next(iter(value.items()))
    if function == "Fn::Join":
        return str(argument[0]).join(map(flattened, argument[1]))
    if function == "Fn::GetAtt":
        return f"<{'.'.join(map(flattened, argument))}>"
    if function == "Ref":
        return f"<{argument}>"
    if function in ("Fn::Sub", "Fn::ImportValue"):
        return flattened(argument)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _ids(rule: str) -> list[str]:
    return [rule] if "::" in rule else [f"{pack}::{pack}-{rule}" for pack in PACKS]
