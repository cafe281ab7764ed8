"""A task's job: one for each time that its state is entered, whatever is retried; none once the execution is over."""

from typing import Any

import pytest
from handler.world import STACK_ID, World

from agent_rft_handler import contract
from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job.submission import OverQuota
from agent_rft_handler.job_event import TASKS_RESOURCE_TYPE
from agent_rft_handler.task.request import owner_of
from agent_rft_handler.task.stop import stopped
from agent_rft_handler.task.submit import submitted
from agent_rft_local import store

EXECUTION = "arn:aws:states:us-east-1:000000000000:execution:Machine-abc:run-1"


def task(world: World, **changed: Any) -> dict[str, Any]:
    """What the state machine hands over; DryRun is what the trainer declares, not what the task does."""
    declared = contract.to_properties(world.declaration(dry_run=True))
    plain: dict[str, Any] = {
        "StackId": STACK_ID,
        "Execution": EXECUTION,
        "State": "Train",
        "EnteredTime": "2026-12-02T20:00:00Z",
        "EverySeconds": "60",
        "Declared": declared,
        "Inputs": {},
    }
    return {**plain, **changed}


def submit(world: World, **changed: Any) -> str:
    """Submits the task's job; its name."""
    return str(submitted(task(world, **changed), world.clients, world.clock.time())["JobName"])


def test_a_retry_finds_the_job_and_another_entry_or_execution_has_its_own(world: World) -> None:
    allow(9)
    first = submit(world)
    assert submit(world) == first
    again = submit(world, EnteredTime="2026-12-02T21:00:00Z")
    other = submit(world, Execution=f"{EXECUTION}-b")
    beside = submit(world, State="Train again")
    assert len({first, again, other, beside}) == 4
    assert set(world.jobs()) == {first, again, other, beside}


def allow(running: int) -> None:
    store.behaviour.running_jobs = running


@pytest.mark.parametrize("kind", ["error_after", "reset", "throttled", "error_before"])
def test_an_uncertain_submission_leaves_one_job(world: World, kind: str) -> None:
    world.fail("CreateJob", kind)
    name = submit(world)
    assert list(world.jobs()) == [name]


def test_the_job_says_which_execution_of_which_stack_it_is_of(world: World) -> None:
    submit(world)
    (request,) = world.submitted()
    tags = {row["Key"]: row["Value"] for row in request["Tags"]}
    assert (tags[OWN_TAGS["stack"]], tags[OWN_TAGS["resource"]]) == (STACK_ID, "Machine-abc:run-1")


def test_an_executions_name_that_no_tag_may_hold_is_hashed() -> None:
    named = owner_of(STACK_ID, f"{EXECUTION}!")
    assert named.logical_id.startswith("Machine-abc:")
    assert "!" not in named.logical_id
    assert named != owner_of(STACK_ID, f"{EXECUTION}!!")


def test_the_input_takes_the_place_of_what_is_declared(world: World) -> None:
    submit(world, Inputs={"Hyperparameters": {"learning_rate": 0.00001}})
    assert world.document()["TrainingConfig"]["HyperParameters"] == {"max_epochs": "1", "learning_rate": "1e-05"}


@pytest.mark.parametrize("status", ["ABORTED", "TIMED_OUT", "FAILED", "SUCCEEDED"])
def test_an_execution_that_is_over_gets_no_job(world: World, status: str) -> None:
    world.stepfunctions.status = status
    with pytest.raises(Refused, match=f"The execution is {status}"):
        submit(world)
    assert world.jobs() == {}


def test_an_execution_that_is_aborted_meanwhile_has_its_job_stopped(world: World) -> None:
    answers = iter(["RUNNING", "ABORTED"])
    world.stepfunctions.describe_execution = lambda executionArn: {"status": next(answers)}  # type: ignore[method-assign]
    with pytest.raises(Refused, match="ABORTED"):
        submit(world)
    assert list(world.jobs().values()) == ["Stopping"]


def test_a_used_up_quota_has_an_error_of_its_own(world: World) -> None:
    submit(world)
    with pytest.raises(OverQuota, match="is used up"):
        submit(world, State="Other")


def test_what_an_ended_execution_left_running_is_stopped_and_nothing_else(world: World) -> None:
    allow(9)
    left, other = submit(world), submit(world, Execution=f"{EXECUTION}-b")
    declared = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    assert stopped(STACK_ID, EXECUTION, world.clients, world.clock.time()) == [left]
    assert (world.jobs()[left], world.jobs()[other], world.jobs()[declared]) == ("Stopping", "InProgress", "InProgress")


def test_the_last_task_that_leaves_a_stack_takes_the_executions_jobs_with_it(world: World) -> None:
    allow(9)
    left = submit(world)
    declared = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    elsewhere = submit(world, StackId=STACK_ID.replace("Wordle", "Other"))
    for kind in ("Create", "Update"):
        assert deliver(world, kind)["Data"] == {"FunctionArn": "arn:function"}
    assert deliver(world, "Delete")["Status"] == "SUCCESS"
    found = world.jobs()
    assert (found[left], found[declared], found[elsewhere]) == ("Stopping", "InProgress", "InProgress")


def deliver(world: World, kind: str) -> dict[str, Any]:
    """Delivers an event of the stack's tasks; the answer."""
    return world.answer(
        {
            "RequestType": kind,
            "RequestId": world.next_request_id(),
            "StackId": STACK_ID,
            "ResourceType": TASKS_RESOURCE_TYPE,
            "LogicalResourceId": "Tasks",
            "ResourceProperties": {"ServiceToken": "token", "FunctionArn": "arn:function"},
            **({} if kind == "Create" else {"PhysicalResourceId": "tasks:Tasks"}),
        }
    )
