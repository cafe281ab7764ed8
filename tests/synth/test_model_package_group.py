"""Groups of a stack's own, and groups made elsewhere."""

from typing import Any

import pytest
from aws_cdk import CfnResource, Fn, RemovalPolicies, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from synth.app import (
    ACCOUNT,
    REGION,
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import IModelPackageGroup, ManagedStorageType, ModelPackageGroup

ELSEWHERE = "arn:aws:sagemaker:eu-west-1:444455556666:model-package-group/shared"


def test_groups_are_retained_and_named_after_path_and_stack_id() -> None:
    groups = synth().resources("AWS::SageMaker::ModelPackageGroup")
    assert [group["DeletionPolicy"] for group in groups.values()] == ["Retain", "Retain"]
    for group in groups.values():
        name = readable(group["Properties"]["ModelPackageGroupName"])
        assert name.startswith("S-Trainer-")
        assert "AWS::StackId" in name
        assert len(name.partition("{")[0]) <= 63 - 8


def test_a_group_of_its_own_can_be_shared_and_named() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", model_package_group_name="wordle-agents")
    trainer(stack, output_model_package_group=group)
    made = Synthesized(stack)
    assert len(made.resources("AWS::SageMaker::ModelPackageGroup")) == 2
    assert made.job()["OutputModelPackageGroup"] == stack.resolve(group.model_package_group_arn)


def granted(stack: Stack, group: IModelPackageGroup) -> Synthesized:
    role = iam.Role(stack, "Reviewer", assumed_by=iam.AccountRootPrincipal())
    assert group.grant_read(role).success
    assert group.grant_register(role).success
    return Synthesized(stack)


def test_a_group_lets_someone_read_and_register_packages() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", model_package_group_name="tuned")
    made, arn = granted(stack, group), readable(stack.resolve(group.model_package_group_arn))
    packages = f"arn:${{AWS::Partition}}:sagemaker:{REGION}:{ACCOUNT}:model-package/tuned/*"
    assert made.allowed("sagemaker:DescribeModelPackageGroup", "Reviewer") == [arn]
    assert made.allowed("sagemaker:ListModelPackages", "Reviewer") == [packages]
    assert made.allowed("sagemaker:CreateModelPackage", "Reviewer") == [arn, packages]


@pytest.mark.parametrize("storage", [ManagedStorageType.RESTRICTED, "Restricted"])
def test_a_restricted_group_is_a_resource_like_a_plain_one(storage: ManagedStorageType | str) -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", managed_storage_type=storage)
    assert isinstance(group.node.default_child, CfnResource)
    made = granted(stack, group)
    assert made.allowed("sagemaker:CreateModelPackage", "Reviewer")[1].endswith("ModelPackageGroupName}/*")


def test_a_group_of_another_account_and_region_keeps_both() -> None:
    stack = stack_of()
    group = ModelPackageGroup.from_model_package_group_arn(stack, "Shared", ELSEWHERE)
    assert (group.env.account, group.env.region) == ("444455556666", "eu-west-1")
    assert (group.stack, group.model_package_group_name) == (stack, "shared")
    assert granted(stack, group).allowed("sagemaker:ListModelPackages", "Reviewer") == [
        "arn:${AWS::Partition}:sagemaker:eu-west-1:444455556666:model-package/shared/*"
    ]


def test_a_group_is_named_rightly_or_known_at_deploy_only() -> None:
    stack = stack_of()
    ModelPackageGroup.from_model_package_group_arn(stack, "Later", Fn.import_value("Group"))
    ModelPackageGroup.from_model_package_group_name(stack, "Named", Fn.import_value("Name"))
    with pytest.raises(ValueError, match=r"\[S/A\] name is 'a_b', but must be a model package group name"):
        ModelPackageGroup.from_model_package_group_name(stack, "A", "a_b")
    with pytest.raises(ValueError, match=r"\[S/B\] arn is 'tuned', but must be the ARN of a model package group"):
        ModelPackageGroup.from_model_package_group_arn(stack, "B", "tuned")


def test_a_plain_group_follows_its_removal_policy() -> None:
    stack = stack_of()
    ModelPackageGroup(stack, "Tuned").apply_removal_policy(RemovalPolicy.DESTROY)
    (group,) = Synthesized(stack).resources("AWS::SageMaker::ModelPackageGroup").values()
    assert group["DeletionPolicy"] == "Delete"


@pytest.mark.parametrize(
    "change",
    [
        lambda stack, group: group.apply_removal_policy(RemovalPolicy.DESTROY),
        lambda stack, group: RemovalPolicies.of(stack).destroy(),
    ],
)
def test_a_restricted_group_may_be_deleted_wherever_its_removal_policy_comes_from(change: Any) -> None:
    stack = stack_of()
    change(stack, ModelPackageGroup(stack, "Tuned", managed_storage_type=ManagedStorageType.RESTRICTED))
    made = Synthesized(stack)
    (resource,) = made.resources("Custom::AgentRFTModelPackageGroup").values()
    assert resource["DeletionPolicy"] == "Delete"
    assert len(made.allowed("sagemaker:DeleteModelPackageGroup", "HandlerRoleGroups")) == 1
