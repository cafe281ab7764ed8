"""The execution role made, given or imported."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import CfnParameter, Fn, Stack
from aws_cdk import aws_iam as iam
from synth.app import (
    ACCOUNT,
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)


@pytest.mark.parametrize("given", ["name", "arn", "mutable", "immutable", "frozen"])
def test_a_given_role_gets_the_statements_and_an_immutable_one_a_warning(given: str) -> None:
    stack = stack_of()
    arn = f"arn:aws:iam::{ACCOUNT}:role/rft"
    roles: dict[str, Any] = {
        "name": "rft",
        "arn": arn,
        "mutable": iam.Role(stack, "Own", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com")),
        "immutable": iam.Role.from_role_arn(stack, "Theirs", arn, mutable=False),
    }
    roles["frozen"] = roles["mutable"].without_policy_updates()
    trainer(stack, role=roles[given])
    made = Synthesized(stack)
    granted = [name for name in made.resources("AWS::IAM::Policy") if "AgentRFTJobProvider" not in name]
    warned = any("cannot be changed from here" in text for text in made.warnings())
    assert (len(granted), warned) == ((0, True) if given in ("immutable", "frozen") else (1, False))


def test_a_role_arn_from_another_stack_arrives_resolved() -> None:
    stack = stack_of()
    trainer(stack, role=iam.Role.from_role_arn(stack, "Role", Fn.import_value("role-arn")))
    assert Synthesized(stack).job()["RoleArn"] == {"Fn::ImportValue": "role-arn"}


def test_execution_role_trusts_only_the_job_service_of_its_own_account() -> None:
    roles = synth().resources("AWS::IAM::Role")
    (role,) = [role for name, role in roles.items() if "ExecutionRole" in name]
    (statement,) = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "job.sagemaker.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert statement["Condition"] == {"StringEqualsIfExists": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


TRUSTED: dict[str, tuple[Callable[[Stack], iam.IPrincipal], bool]] = {
    "jobs": (lambda _: iam.ServicePrincipal("job.sagemaker.amazonaws.com"), False),
    "jobs and others": (
        lambda _: iam.CompositePrincipal(
            iam.ServicePrincipal("ec2.amazonaws.com"), iam.ServicePrincipal("job.sagemaker.amazonaws.com")
        ),
        False,
    ),
    "known at deploy": (lambda stack: iam.ServicePrincipal(CfnParameter(stack, "P").value_as_string), False),
    "another service": (lambda _: iam.ServicePrincipal("ec2.amazonaws.com"), True),
    "training jobs": (lambda _: iam.ServicePrincipal("sagemaker.amazonaws.com"), True),
    "the account": (lambda _: iam.AccountRootPrincipal(), True),
}


@pytest.mark.parametrize("kind", TRUSTED)
def test_a_role_of_the_app_that_no_job_can_assume_is_warned_of(kind: str) -> None:
    principal, warned = TRUSTED[kind]
    stack = stack_of()
    trainer(stack, role=iam.Role(stack, "Role", assumed_by=principal(stack)))
    assert any("does not let job.sagemaker" in text for text in Synthesized(stack).warnings()) == warned


def test_a_trust_that_is_widened_after_the_job_is_declared_counts() -> None:
    stack = stack_of()
    role = iam.Role(stack, "Role", assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"))
    trainer(stack, role=role)
    assert role.assume_role_policy
    iam.ServicePrincipal("job.sagemaker.amazonaws.com").add_to_assume_role_policy(role.assume_role_policy)
    assert not any("does not let job.sagemaker" in text for text in Synthesized(stack).warnings())


@pytest.mark.parametrize("way", ["role_name", "role_arn"])
def test_a_role_of_the_app_by_its_name_keeps_its_path(way: str) -> None:
    stack = stack_of()
    role = iam.Role(
        stack, "Role", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com"), path="/service-role/"
    )
    trainer(stack, role=getattr(role, way))
    made = Synthesized(stack)
    assert made.job()["RoleArn"] == stack.resolve(role.role_arn)
    assert not any("[ack: cdk-agent-rft:unknown-kind]" in text for text in made.warnings())


@pytest.mark.parametrize("attribute", ["ref", "attr_arn"])
def test_an_attribute_of_a_role_resource_is_known_to_be_its_name_or_its_arn(attribute: str) -> None:
    stack = stack_of()
    role = iam.CfnRole(stack, "Role", assume_role_policy_document={})
    trainer(stack, role=getattr(role, attribute))
    made = Synthesized(stack)
    arns = {"ref": f"arn:${{AWS::Partition}}:iam::{ACCOUNT}:role/${{Role}}", "attr_arn": "${Role.Arn}"}
    assert readable(made.job()["RoleArn"]) == arns[attribute]
    assert not any("[ack: cdk-agent-rft:unknown-kind]" in text for text in made.warnings())
