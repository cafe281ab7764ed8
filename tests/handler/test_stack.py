"""What a stack's status means to an event, for every status that CloudFormation has."""

from typing import Any, NoReturn

import botocore.session
import pytest
from botocore.exceptions import ClientError
from handler.world import STACK_ID, World

from agent_rft_handler import stack
from agent_rft_handler.errors import Refused
from agent_rft_handler.stack import Status

shape: Any = botocore.session.get_session().get_service_model("cloudformation").shape_for("StackStatus")
STATUSES = list(shape.enum)

FORWARD = {
    "CREATE_IN_PROGRESS",
    "UPDATE_IN_PROGRESS",
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "REVIEW_IN_PROGRESS",
    "IMPORT_IN_PROGRESS",
}
BACK = {
    "ROLLBACK_IN_PROGRESS",
    "UPDATE_ROLLBACK_IN_PROGRESS",
    "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
    "IMPORT_ROLLBACK_IN_PROGRESS",
    "DELETE_IN_PROGRESS",
    "DELETE_FAILED",
    "DELETE_COMPLETE",
}


@pytest.mark.parametrize("name", STATUSES)
def test_each_status_is_forward_or_back_or_resting(name: str) -> None:
    status = Status(name)
    assert status.is_deploying is (name in FORWARD)
    assert status.is_rolling_back_or_deleting is (name in BACK)
    assert status.is_resting is (not name.endswith("_IN_PROGRESS"))


@pytest.mark.parametrize("name", STATUSES)
def test_all_of_a_stack_goes_when_it_is_deleted_or_its_creation_rolled_back(name: str) -> None:
    assert Status(name).is_ending is (name.partition("_")[0] in ("DELETE", "ROLLBACK"))


def failing(message: str) -> Any:
    """A CloudFormation each of whose calls fails with this message."""

    def call(**_: str) -> NoReturn:
        raise ClientError({"Error": {"Code": "ValidationError", "Message": message}}, "Describe")

    class CloudFormation:
        describe_stacks = describe_stack_resource = staticmethod(call)

    return CloudFormation()


def test_a_stack_that_is_not_there_any_more_is_deleted_and_knows_no_id(world: World) -> None:
    world.cloudformation = failing("Stack with id Wordle does not exist")
    assert stack.status(STACK_ID, world.clients) == Status("DELETE_COMPLETE")
    assert stack.known_id(STACK_ID, "Job", world.clients) == ""


def test_a_stack_that_cannot_be_asked_is_said_to_be_so(world: World) -> None:
    world.cloudformation = failing("Rate exceeded")
    with pytest.raises(Refused, match="Asking for the stack's status failed: ValidationError: Rate exceeded"):
        stack.status(STACK_ID, world.clients)
    with pytest.raises(Refused, match="Asking for the id of Job failed: ValidationError: Rate exceeded"):
        stack.known_id(STACK_ID, "Job", world.clients)


def test_a_resource_is_known_by_its_id_or_by_none_yet(world: World) -> None:
    world.cloudformation.known = {"Job": "job-1", "Other": ""}
    assert stack.known_id(STACK_ID, "Job", world.clients) == "job-1"
    assert stack.known_id(STACK_ID, "Other", world.clients) == ""
    assert stack.known_id(STACK_ID, "Third", world.clients) == ""


def test_nothing_may_start_unless_the_stack_goes_forward(world: World) -> None:
    for name in sorted(FORWARD):
        world.cloudformation.status = name
        stack.require_deploying(STACK_ID, world.clients)
    for name in sorted(BACK):
        world.cloudformation.status = name
        with pytest.raises(Refused, match="rolling back or being deleted, so nothing was submitted"):
            stack.require_deploying(STACK_ID, world.clients)
    world.cloudformation.status = "CREATE_COMPLETE"
    with pytest.raises(Refused, match="CREATE_COMPLETE, not being deployed: this event is out of date"):
        stack.require_deploying(STACK_ID, world.clients)
