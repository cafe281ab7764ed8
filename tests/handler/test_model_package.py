"""Training that continues from the newest model package of a group, looked up when the job is submitted."""

import pytest
from handler.world import ACCOUNT, REGION, World

from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import Refused
from agent_rft_local import store

ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package/tuned"


@pytest.fixture
def continuing(world: World) -> Declaration:
    """A declaration that continues from the group of the world's output."""
    return world.declaration(model=world.group)


def put(version: int, approval: str = "PendingManualApproval", status: str = "Completed") -> str:
    """A package in the group, newer than those before it; its ARN."""
    arn = f"{ARN}/{version}"
    container = {"BaseModel": {"HubContentName": "huggingface-reasoning-qwen3-32b"}}
    store.packages[arn] = {
        "ModelPackageName": "tuned",
        "ModelPackageGroupName": "tuned",
        "ModelPackageVersion": version,
        "ModelPackageArn": arn,
        "CreationTime": 1_800_000_000.0 + version,
        "ModelPackageStatus": status,
        "ModelPackageStatusDetails": {"ValidationStatuses": []},
        "ModelApprovalStatus": approval,
        "InferenceSpecification": {"Containers": [container], "SupportedContentTypes": []},
    }
    return arn


def continued_from(world: World) -> str:
    return str(world.document()["ModelPackageConfig"]["InputModelPackageArn"])


def test_the_newest_completed_package_that_was_not_rejected_is_taken(world: World, continuing: Declaration) -> None:
    put(1)
    newest = put(2)
    put(3, approval="Rejected")
    put(4, status="InProgress")
    put(5, status="Failed")
    name = world.deliver("Create", continuing)["PhysicalResourceId"]
    assert continued_from(world) == newest
    assert name.startswith("tuned-mtrl-")


def test_only_an_approved_package_is_taken_when_it_is_asked_for(world: World) -> None:
    approved = put(1, approval="Approved")
    put(2)
    world.deliver("Create", world.declaration(model=world.group, only_approved=True))
    assert continued_from(world) == approved


def test_the_package_that_an_earlier_job_registered_is_taken(world: World, continuing: Declaration) -> None:
    world.deliver("Create", world.declaration(), logical_id="First")
    world.finish_jobs()
    world.deliver("Create", continuing, logical_id="Second")
    assert continued_from(world) == f"{ARN}/1"


def test_a_group_without_such_a_package_is_refused_with_what_to_do(world: World, continuing: Declaration) -> None:
    with pytest.raises(Refused, match=r"has no packages\. A job registers its model there when it ends"):
        world.deliver("Create", continuing)
    put(1)
    with pytest.raises(Refused, match=r"has 1 packages, but no approved one"):
        world.deliver("Create", world.declaration(model=world.group, only_approved=True))
    assert world.jobs() == {}


def test_a_group_that_is_not_there_is_refused(world: World) -> None:
    gone = world.group.replace("/tuned", "/gone")
    with pytest.raises(Refused, match=r"Listing the packages of .*/gone failed"):
        world.deliver("Create", world.declaration(model=gone))


def test_a_newer_package_is_no_new_job_and_a_retry_takes_the_first(world: World, continuing: Declaration) -> None:
    first = put(1)
    created = world.deliver("Create", continuing, request_id="one")
    put(2)
    name = created["PhysicalResourceId"]
    assert world.deliver("Create", continuing, request_id="one") == created
    assert world.deliver("Update", continuing, pid=name, old=continuing) == created
    assert (len(world.submitted()), continued_from(world)) == (1, first)


def test_a_rollback_looks_for_no_package_anew(world: World, continuing: Declaration) -> None:
    put(1)
    first = world.deliver("Create", continuing)["PhysicalResourceId"]
    world.finish_jobs()
    again = world.declaration(model=world.group, run_id="2")
    second = world.deliver("Update", again, pid=first, old=continuing)["PhysicalResourceId"]
    put(9)
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
    world.fail("ListModelPackages", "error_before", times=99)
    assert world.deliver("Update", continuing, pid=second, old=again)["PhysicalResourceId"] == first
    assert len(world.submitted()) == 2
