"""Restricted model package groups: who gets them, and what the handler may do for them."""

import json
from typing import Any

import pytest
from aws_cdk import App, Aws, CfnParameter, Fn, RemovalPolicy, Tags
from aws_cdk import aws_sagemaker as sagemaker
from synth.app import ACCOUNT, REGION, Synthesized, agnostic_stack, readable, stack_of, synth, trainer

from agent_rft import Model, ModelPackageGroup
from agent_rft_handler.contract import GROUP_RESOURCE_TYPE

PLAIN = "AWS::SageMaker::ModelPackageGroup"
ARN = f"arn:aws:sagemaker:{REGION}:aws:hub-content"
NOVA = {"model": "amazon.nova-2-lite-v1"}


def handler_actions(made: Synthesized) -> set[str]:
    """What the handler may do to groups."""
    actions = {action for each in made.statements("") for action in _listed(each["Action"])}
    return {action.removeprefix("sagemaker:") for action in actions if action.endswith("ModelPackageGroup")}


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    "model",
    [
        "amazon.nova-2-lite-v1",
        "nova-textgeneration-lite-v2",
        f"{ARN}/SageMakerPublicHub/Model/nova-textgeneration-lite-v2",
        f"{ARN}/SageMakerPublicHub/Model/nova-textgeneration-lite-v2/1.0.0",
        f"arn:{Aws.PARTITION}:sagemaker:{Aws.REGION}:aws:hub-content/SageMakerPublicHub/Model/nova-textgeneration-lite",
    ],
)
def test_a_nova_trainer_makes_both_groups_restricted_and_retained(model: str) -> None:
    made = synth(model=model)
    groups = made.resources(GROUP_RESOURCE_TYPE)
    assert (len(groups), made.resources(PLAIN), made.warnings()) == (2, {}, [])
    for id, group in groups.items():
        assert (group["DeletionPolicy"], group["UpdateReplacePolicy"]) == ("Retain", "Retain")
        assert group["Properties"]["ManagedStorageType"] == "Restricted"
        assert readable(group["Properties"]["ModelPackageGroupName"]).startswith("S-Trainer-")
        assert {"Fn::GetAtt": [id, "ModelPackageGroupArn"]} in made.job().values()


@pytest.mark.parametrize(
    "model", ["openai-reasoning-gpt-oss-20b", f"{ARN}/my-nova-hub/Model/huggingface-reasoning-qwen3-32b/1.0.0"]
)
def test_any_other_trainer_makes_plain_groups_and_grants_nothing_for_restricted_ones(model: str) -> None:
    made = synth(model=model)
    assert (made.resources(GROUP_RESOURCE_TYPE), len(made.resources(PLAIN))) == ({}, 2)
    assert handler_actions(made) == {"DescribeModelPackageGroup"}  # the execution role's


def test_a_model_that_is_only_known_at_deploy_is_not_taken_for_nova_by_its_tokens_name() -> None:
    stack = agnostic_stack()
    parameter = CfnParameter(stack, "NovaModel")
    assert not Model.of(stack, parameter.value_as_string).is_nova
    assert not Model.of(stack, Fn.import_value("nova")).is_nova


def test_a_group_of_its_own_gets_the_stacks_tags_and_its_properties() -> None:
    app = App()
    stack = stack_of(app)
    group = ModelPackageGroup(
        stack,
        "Tuned",
        model_package_group_name="nova-tuned",
        model_package_group_description="Tuned",
        managed_storage_type="Restricted",
    )
    Tags.of(app).add("CostCenter", "42")
    trainer(stack, **NOVA, output_model_package_group=group)
    made = Synthesized(stack)
    by_name = {readable(each["Properties"]["ModelPackageGroupName"]): each["Properties"] for each in groups_of(made)}
    properties = by_name["nova-tuned"]
    assert len(by_name) == 2
    assert (properties["Tags"], properties["ModelPackageGroupDescription"]) == ({"CostCenter": "42"}, "Tuned")
    assert made.job()["OutputModelPackageGroup"] == stack.resolve(group.model_package_group_arn)
    assert made.warnings() == []


def groups_of(made: Synthesized) -> list[dict[str, Any]]:
    return list(made.resources(GROUP_RESOURCE_TYPE).values())


def test_one_handler_serves_jobs_and_groups() -> None:
    made = synth(**NOVA)
    assert len(made.resources("AWS::Lambda::Function")) == 1
    assert len(made.json["Resources"]) == 12
    tokens = [group["Properties"]["ServiceToken"] for group in groups_of(made)]
    assert tokens == [made.job()["ServiceToken"]] * 2


def test_the_handler_may_make_each_group_by_its_name() -> None:
    made = synth(**NOVA)
    names = {readable(group["Properties"]["ModelPackageGroupName"]) for group in groups_of(made)}
    arns = {arn.partition(":model-package-group/")[2] for arn in made.allowed("sagemaker:CreateModelPackageGroup", "")}
    assert arns == names
    assert handler_actions(made) == {f"{verb}ModelPackageGroup" for verb in ("Create", "Describe", "Delete")}


def test_a_group_that_is_not_retained_may_be_deleted_by_the_tag_of_its_own_stack() -> None:
    made = synth(**NOVA, removal_policy=RemovalPolicy.DESTROY)
    assert {group["DeletionPolicy"] for group in groups_of(made)} == {"Delete"}
    deleting = [each for each in made.statements("") if "DeleteModelPackageGroup" in json.dumps(each["Action"])]
    assert [each["Condition"] for each in deleting] == [
        {"StringEquals": {"aws:ResourceTag/cdk-agent-rft:stack-id": {"Ref": "AWS::StackId"}}}
    ]


def test_groups_wait_for_a_policy_apart_from_the_jobs_which_so_outlives_them() -> None:
    made = synth(**NOVA, removal_policy=RemovalPolicy.DESTROY)
    policies = {
        name: {action for each in policy["Properties"]["PolicyDocument"]["Statement"] for action in each["Action"]}
        for name, policy in made.resources("AWS::IAM::Policy").items()
        if "HandlerRoleGroups" in name
    }
    assert len(policies) == 1
    assert all(set(policies) <= set(group["DependsOn"]) for group in groups_of(made))
    assert not any("iam:PassRole" in actions for actions in policies.values())


def test_plain_and_restricted_names_differ_so_that_a_stack_can_change_its_model() -> None:
    plain = {readable(each["Properties"]["ModelPackageGroupName"]) for each in synth().resources(PLAIN).values()}
    assert not plain & {readable(each["Properties"]["ModelPackageGroupName"]) for each in groups_of(synth(**NOVA))}


def test_a_storage_type_that_the_api_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[S/Tuned\] managed_storage_type is 'restricted', but must be one of Restr"):
        ModelPackageGroup(stack_of(), "Tuned", managed_storage_type="restricted")


def test_nova_with_a_group_that_is_known_to_be_plain_is_warned_of() -> None:
    for make in (
        lambda stack: ModelPackageGroup(stack, "Tuned"),
        lambda stack: sagemaker.CfnModelPackageGroup(stack, "Tuned", model_package_group_name="tuned"),
    ):
        stack = stack_of()
        trainer(stack, **NOVA, output_model_package_group=make(stack))
        assert any("managed_storage_type='Restricted'" in text for text in Synthesized(stack).warnings())


def test_nova_with_groups_from_elsewhere_is_taken_at_its_word() -> None:
    given = {"output_model_package_group": "tuned", "intermediate_checkpoint_model_package_group": "checkpoints"}
    assert synth(**NOVA, **given).warnings() == []


def test_a_package_whose_name_says_nova_is_warned_of_as_its_base_model_is_not_known() -> None:
    package = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package/nova-tuned/1"
    made = synth(model=package)
    assert made.resources(GROUP_RESOURCE_TYPE) == {}
    assert any("Nova" in text for text in made.warnings())
