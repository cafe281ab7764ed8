"""A Nova trainer's Restricted groups, made by a real deployment."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deploy.conftest import Deployed

RESTRICTED = {"ManagedStorageType": "Restricted"}


@pytest.fixture
def nova(deployed: Deployed) -> Deployed:
    return replace(deployed, app=Path(__file__).with_name("nova_app.py"))


def group(deployed: Deployed, name: str) -> dict[str, Any]:
    return dict(deployed.aws.client("sagemaker").describe_model_package_group(ModelPackageGroupName=name))


def groups(deployed: Deployed) -> set[str]:
    rows = deployed.aws.client("sagemaker").list_model_package_groups()["ModelPackageGroupSummaryList"]
    return {row["ModelPackageGroupName"] for row in rows}


def tags_of(deployed: Deployed, arn: str) -> dict[str, str]:
    rows = deployed.aws.client("sagemaker").list_tags(ResourceArn=arn)["Tags"]
    return {row["Key"]: row["Value"] for row in rows}


def test_a_nova_job_gets_two_restricted_groups_that_outlive_the_stack(nova: Deployed) -> None:
    nova.deploy()
    outputs = nova.aws.outputs(nova.stack)
    assert nova.jobs() == {outputs["JobName"]: "InProgress"}
    names = [outputs["OutputGroup"], outputs["CheckpointGroup"].rpartition("/")[2]]
    arns = [group(nova, name)["ModelPackageGroupArn"] for name in names]
    assert [group(nova, name)["ManagedConfiguration"] for name in names] == [RESTRICTED] * 2
    assert nova.aws.run_service(outputs["JobName"]) == []

    nova.deploy(owner="you")
    assert [tags_of(nova, arn)["Owner"] for arn in arns] == ["you", "you"]
    assert len(nova.aws.calls("CreateJob")) == 1
    assert "There were no differences" in nova.diff(owner="you")

    nova.destroy()
    assert set(names) <= groups(nova)
    assert nova.aws.calls("DeleteModelPackageGroup") == []


def test_a_group_that_is_not_retained_is_renamed_and_deleted_by_the_handlers_own_role(nova: Deployed) -> None:
    nova.deploy(extra="nova-extra")
    assert group(nova, "nova-extra")["ManagedConfiguration"] == RESTRICTED
    nova.deploy(extra="nova-other")
    assert {"nova-extra", "nova-other"} & groups(nova) == {"nova-other"}
    nova.deploy()  # the group leaves the stack, and its policy only after it
    assert "nova-other" not in groups(nova)
    assert nova.status() == "UPDATE_COMPLETE"


def test_a_namesake_from_elsewhere_is_left_alone_and_named(nova: Deployed) -> None:
    nova.aws.client("sagemaker").create_model_package_group(ModelPackageGroupName="theirs")
    said = nova.refused(extra="theirs")
    assert "A model package group named theirs exists, but its tags are not this resource's" in said
    assert "ManagedConfiguration" not in group(nova, "theirs")
