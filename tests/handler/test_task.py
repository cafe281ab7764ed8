"""A task's job: one for each time that its state is entered, whatever is retried; none once the execution is over."""

from typing import Any, NoReturn

import pytest
from botocore.exceptions import ClientError
from handler.world import STACK_ID, World

from agent_rft_handler import contract, facts
from agent_rft_handler.contract import TASKS_RESOURCE_TYPE
from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job.submission import OverQuota
from agent_rft_handler.task import stop as stop_function
from agent_rft_handler.task import submit as submit_function
from agent_rft_handler.task.request import Task, owner_of
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


def test_tasks_that_leave_a_stack_take_its_evaluations_with_them_and_ask_what_runs_alone(world: World) -> None:
    allow(9)
    evaluating = World(facts.AGENT_RFT_EVALUATION)
    allow(9)
    left = submit(evaluating)
    store.calls.clear()
    assert deliver(evaluating, "Delete")["PhysicalResourceId"] == "tasks:Tasks"
    asked = [call["request"] for call in store.calls if call["operation"] == "ListJobs"]
    assert {each.get("StatusEquals") for each in asked} == {"InProgress"}
    assert evaluating.jobs() == {left: "Stopping"}


def test_tasks_that_cannot_see_what_runs_say_so(world: World) -> None:
    world.fail("ListJobs", "denied")
    answer = deliver(world, "Delete")
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("FAILED", "tasks:Tasks")
    assert "Listing the jobs that run failed: AccessDeniedException" in answer["Reason"]


def test_tasks_have_an_id_that_stays(world: World) -> None:
    assert deliver(world, "Create")["PhysicalResourceId"] == "tasks:Tasks"
    assert deliver(world, "Update", pid="another")["PhysicalResourceId"] == "another"


def test_an_executions_evaluations_are_stopped_too(world: World) -> None:
    evaluating = World(facts.AGENT_RFT_EVALUATION)
    left = submit(evaluating)
    assert stopped(STACK_ID, EXECUTION, evaluating.clients, evaluating.clock.time()) == [left]


def test_an_execution_that_cannot_be_asked_about_gets_no_job(world: World) -> None:
    def denied(executionArn: str) -> NoReturn:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": executionArn}}, "DescribeExecution")

    world.stepfunctions.describe_execution = denied  # type: ignore[method-assign]
    with pytest.raises(Refused, match="Asking for the execution's status failed: AccessDenied"):
        submit(world)
    assert world.jobs() == {}


def test_a_retry_whose_job_was_stopped_is_no_success(world: World) -> None:
    name = submit(world)
    world.sagemaker.stop_job(JobName=name, JobCategory="AgentRFT")
    with pytest.raises(Refused, match=f"{name} was submitted, and is Stopping already"):
        submit(world)
    assert list(world.jobs()) == [name]


def test_the_answer_is_the_state_in_which_the_job_is_watched(world: World) -> None:
    answer = submitted(task(world, EverySeconds="90"), world.clients, world.clock.time())
    assert answer == {
        "JobName": answer["JobName"],
        "JobCategory": "AgentRFT",
        "EverySeconds": "90",
        "StackId": STACK_ID,
        "LogicalResourceId": "Machine-abc:run-1",
        "JobStatus": "",
    }


class Context:
    """Lambda's, of a function that has ten minutes."""

    def get_remaining_time_in_millis(self) -> int:
        return 600_000


def test_lambda_submits_what_the_state_machine_hands_over_and_stops_what_an_event_names(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (submit_function, stop_function):
        monkeypatch.setattr(module, "CLIENTS", world)
    monkeypatch.setenv(contract.STACK_ID_VARIABLE, STACK_ID)
    name = submit_function.handler(task(world), Context())["JobName"]
    assert stop_function.handler({"detail": {"executionArn": EXECUTION}}, Context()) == [name]


def test_an_input_that_is_malformed_is_refused_by_what_is_missing(world: World) -> None:
    with pytest.raises(Refused, match="role"):
        submit(world, Declared="nothing")
    assert world.jobs() == {}


@pytest.mark.parametrize(
    ("given", "run_id"),
    [
        ({}, "Train:2026-12-02T20:00:00Z"),
        ({"EnteredTime": ""}, "Train"),
        ({"Inputs": {"RunId": "2"}}, "2:Train:2026-12-02T20:00:00Z"),
    ],
)
def test_an_entrys_request_is_no_dry_run_and_its_run_id_says_which_it_is(
    world: World, given: dict[str, Any], run_id: str
) -> None:
    declaration = Task.of(task(world, **given)).request.declaration
    assert (declaration.dry_run, declaration.run_id) == (False, run_id)


def test_a_run_id_of_the_declaration_is_part_of_the_entrys(world: World) -> None:
    allow(9)
    first = submit(world)
    declared = contract.to_properties(world.declaration(run_id="2"))
    assert submit(world, Declared=declared).rpartition("-")[0] == first.rpartition("-")[0]
    assert submit(world, Declared=declared, EnteredTime="") not in (first, submit(world, Declared=declared))


def deliver(world: World, kind: str, pid: str = "tasks:Tasks") -> dict[str, Any]:
    """Delivers an event of the stack's tasks; the answer."""
    return world.answer(
        {
            "RequestType": kind,
            "RequestId": world.next_request_id(),
            "StackId": STACK_ID,
            "ResourceType": TASKS_RESOURCE_TYPE,
            "LogicalResourceId": "Tasks",
            "ResourceProperties": {"ServiceToken": "token", "FunctionArn": "arn:function"},
            **({} if kind == "Create" else {"PhysicalResourceId": pid}),
        }
    )
