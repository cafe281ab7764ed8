"""A Nova trainer's Restricted groups, made by a real deployment."""

from typing import Any

from deployment import Deployment

RESTRICTED = {"ManagedStorageType": "Restricted"}


def group(nova: Deployment, name: str) -> dict[str, Any]:
    return dict(nova.aws.client("sagemaker").describe_model_package_group(ModelPackageGroupName=name))


def groups(nova: Deployment) -> set[str]:
    rows = nova.aws.client("sagemaker").list_model_package_groups()["ModelPackageGroupSummaryList"]
    return {row["ModelPackageGroupName"] for row in rows}


def tags_of(nova: Deployment, arn: str) -> dict[str, str]:
    rows = nova.aws.client("sagemaker").list_tags(ResourceArn=arn)["Tags"]
    return {row["Key"]: row["Value"] for row in rows}


def test_a_nova_job_gets_two_restricted_groups_that_outlive_the_stack(nova: Deployment) -> None:
    assert nova.deploy() == "CREATE_COMPLETE", nova.reasons()
    outputs = nova.outputs()
    assert nova.jobs() == {outputs["JobName"]: "InProgress"}
    names = [outputs["OutputGroup"], outputs["CheckpointGroup"].rpartition("/")[2]]
    arns = [group(nova, name)["ModelPackageGroupArn"] for name in names]
    assert [group(nova, name)["ManagedConfiguration"] for name in names] == [RESTRICTED] * 2
    assert nova.aws.run_service(outputs["JobName"]) == []

    assert nova.deploy(owner="you") == "UPDATE_COMPLETE"
    assert [tags_of(nova, arn)["Owner"] for arn in arns] == ["you", "you"]
    assert len(nova.aws.calls("CreateJob")) == 1
    assert "There were no differences" in nova.cdk_diff(owner="you")

    nova.delete()
    assert set(names) <= groups(nova)
    assert nova.aws.calls("DeleteModelPackageGroup") == []


def test_a_group_that_is_not_retained_is_renamed_and_deleted_by_the_handlers_own_role(nova: Deployment) -> None:
    nova.deploy(extra="nova-extra")
    assert group(nova, "nova-extra")["ManagedConfiguration"] == RESTRICTED
    assert nova.deploy(extra="nova-other") == "UPDATE_COMPLETE"
    assert {"nova-extra", "nova-other"} & groups(nova) == {"nova-other"}
    # the group leaves the stack, and its policy only after it
    assert nova.deploy() == "UPDATE_COMPLETE"
    assert "nova-other" not in groups(nova)


def test_a_namesake_from_elsewhere_is_left_alone_and_named(nova: Deployment) -> None:
    nova.aws.client("sagemaker").create_model_package_group(ModelPackageGroupName="theirs")
    assert nova.deploy(extra="theirs") == "ROLLBACK_COMPLETE"
    said = " ".join(nova.reasons())
    assert "A model package group named theirs exists, but its tags are not this resource's" in said
    assert "ManagedConfiguration" not in group(nova, "theirs")
