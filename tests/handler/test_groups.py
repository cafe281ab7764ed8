"""A group of the API: waited for while it is made, and gone only where the service says so."""

from typing import NoReturn

import pytest
from botocore.exceptions import ClientError
from handler.world import ACCOUNT, REGION, World

from agent_rft_handler.deadline import SUBMIT
from agent_rft_handler.errors import Refused
from agent_rft_handler.model_package_group import groups
from agent_rft_handler.model_package_group.groups import POLL
from agent_rft_local import ministack_names, store

ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/nova-tuned"
ANSWER = {
    "PhysicalResourceId": ARN,
    "Data": {"ModelPackageGroupArn": ARN, "ModelPackageGroupName": "nova-tuned"},
}


def test_create_waits_until_the_group_is_there(world: World) -> None:
    world.deliver_group("Create")
    with ministack_names.request_scope(ACCOUNT, REGION):
        row = store.groups[ARN]
    row["ModelPackageGroupStatus"] = "InProgress"
    with pytest.raises(Refused, match="still being made"):
        world.deliver_group("Create")
    row["ModelPackageGroupStatus"] = "Failed"
    world.clock.deadline = world.clock.now + 600
    with pytest.raises(Refused, match="nova-tuned is Failed"):
        world.deliver_group("Create")


def test_a_group_that_is_being_made_is_looked_at_until_it_is_there(world: World) -> None:
    world.deliver_group("Create")
    with ministack_names.request_scope(ACCOUNT, REGION):
        row = store.groups[ARN]
    begun, sleep = world.clock.now, world.clock.sleep
    row["ModelPackageGroupStatus"] = "Pending"

    def made(seconds: float) -> None:
        sleep(seconds)
        row["ModelPackageGroupStatus"] = "InProgress" if world.clock.now - begun < 3 * POLL else "Completed"

    world.clock.sleep = made  # type: ignore[method-assign]
    assert world.deliver_group("Create") == ANSWER
    assert world.clock.now - begun == 3 * POLL


def test_a_wait_for_a_group_leaves_time_to_answer(world: World) -> None:
    world.deliver_group("Create")
    with ministack_names.request_scope(ACCOUNT, REGION):
        store.groups[ARN]["ModelPackageGroupStatus"] = "InProgress"
    with pytest.raises(Refused, match=r"nova-tuned is still being made\. Deploy again"):
        world.deliver_group("Create")
    assert SUBMIT - POLL <= world.clock.deadline - world.clock.now < SUBMIT


@pytest.mark.parametrize(
    ("code", "message", "gone"),
    [
        ("ValidationException", "ModelPackageGroup nova-tuned does not exist.", True),
        ("ValidationException", "1 validation error detected", False),
        ("ResourceNotFound", "Not found", True),
        ("AccessDeniedException", "The caller's policy does not exist", False),
    ],
)
def test_a_group_is_gone_only_where_the_service_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch, code: str, message: str, gone: bool
) -> None:
    def fails(**_: str) -> NoReturn:
        raise ClientError({"Error": {"Code": code, "Message": message}}, "DescribeModelPackageGroup")

    monkeypatch.setattr(world.sagemaker, "describe_model_package_group", fails, raising=False)
    if gone:
        assert groups.describe("nova-tuned", world.clients) is None
    else:
        with pytest.raises(Refused, match=f"Describing the model package group nova-tuned failed: {code}"):
            groups.describe("nova-tuned", world.clients)
