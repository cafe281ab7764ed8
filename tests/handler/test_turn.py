"""One turn of a queue: what is due, what is taken over, and when the next one comes."""

import dataclasses
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.fakes import FakeS3
from handler.queued import BUCKET, FOLDER, MACHINE, THREE, A, B, QueueWorld, begun, queue_world, quick

from agent_rft_handler.errors import Refused
from agent_rft_handler.job_event import LAG
from agent_rft_handler.job_queue import turn as turns
from agent_rft_handler.job_queue.folder import Folder
from agent_rft_handler.job_queue.record import Record
from agent_rft_handler.job_queue.turn import LONGEST, Taken, turn
from agent_rft_local import store


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account with queues."""
    return queue_world(monkeypatch)


def started(world: QueueWorld, rows: Any = THREE) -> dict[str, Any]:
    """The state of the execution that a created queue started."""
    begun(world, rows)
    (request,) = world.stepfunctions.started.values()
    return dict(json.loads(request["input"]))


def taken(world: QueueWorld, state: dict[str, Any]) -> dict[str, Any]:
    return turn(state, world.clients, world.clock.time(), world.clock.now)


def test_an_execution_starts_at_the_first_turn_of_the_first_part(world: QueueWorld) -> None:
    state = started(world)
    (name,) = world.stepfunctions.started
    assert state == {"Bucket": BUCKET, "Folder": FOLDER, "Generation": name.removesuffix("-1"), **FIRST}
    assert world.stepfunctions.started[name]["stateMachineArn"] == MACHINE


FIRST = {"Part": 1, "Turn": 1, "Idle": 0}


def test_a_turn_submits_one_job_and_counts(world: QueueWorld) -> None:
    store.behaviour.running_jobs = world.concurrency = 2
    state = started(world)
    first = taken(world, state)
    assert (first["IsEnded"], first["Turn"], first["Idle"], first["Wait"]) == (False, 2, 0, 1)  # there is room
    assert world.made() == ["a"]
    second = taken(world, first)
    assert (second["Turn"], second["Wait"]) == (3, 60)
    assert world.made() == ["a", "b"]
    assert taken(world, second)["Turn"] == 4
    assert world.made() == ["a", "b"]


def test_a_turn_of_another_generation_is_the_last_and_one_without_a_list_fails(world: QueueWorld) -> None:
    state = started(world)
    assert taken(world, {**state, "Generation": "another"})["IsEnded"]
    with pytest.raises(Refused, match=r"s3://results/elsewhere/queue\.json is gone"):
        taken(world, {**state, "Folder": "elsewhere"})
    assert world.made() == []


def test_a_job_is_not_submitted_once_the_queue_no_longer_has_it(world: QueueWorld) -> None:
    state = started(world, A)
    read, reads = world.s3.get_object, iter(range(99))

    def emptied(Bucket: str, Key: str) -> dict[str, Any]:
        """Someone empties the list after its first reading."""
        if Key.endswith("queue.json") and next(reads) == 1:
            folder = Folder(Bucket, FOLDER, FakeS3(objects=world.s3.objects))
            folder.want(folder.required().without_rows)
        return read(Bucket=Bucket, Key=Key)

    world.s3.get_object = emptied  # type: ignore[method-assign]
    assert taken(world, state)["IsEnded"] is True
    assert world.made() == []


def test_a_job_that_runs_for_days_is_looked_at_by_its_age(world: QueueWorld) -> None:
    quick(9e6)
    state = taken(world, started(world, A))
    world.clock.now += 100 * 3600
    world.clock.deadline += 100 * 3600
    state = taken(world, state)
    assert (state["Wait"], state["Idle"]) == (3600, 0)


def test_pauses_grow_while_the_quota_is_used_up_and_start_anew_after_it(world: QueueWorld) -> None:
    store.behaviour.running_jobs = 0
    state = started(world, A)
    waits = []
    for _ in range(10):
        state = taken(world, state)
        waits.append(state["Wait"])
    assert waits == [60, 90, 135, 202, 304, 456, 683, LONGEST, LONGEST, LONGEST]
    store.behaviour.running_jobs = 1
    state = taken(world, state)
    assert (state["Idle"], state["Wait"]) == (0, 60)


def test_while_the_quota_is_used_up_the_running_jobs_are_looked_at_as_before(world: QueueWorld) -> None:
    quick(50_000)
    world.concurrency = 2
    state = started(world, A | B)
    state = taken(world, state)  # the other has the quota's only place
    for _ in range(9):
        state = taken(world, state)
    assert state["Idle"] == 9
    assert state["Wait"] == 60


def queue_of(world: QueueWorld) -> Any:
    found = Folder(BUCKET, FOLDER, world.s3).queue()
    assert found
    return found


def test_a_queue_is_done_when_nothing_waits_or_runs(world: QueueWorld) -> None:
    started(world)
    plain = Taken(queue_of(world), 0, (), is_idle=False, now=world.clock.now)
    assert plain.is_done
    assert not dataclasses.replace(plain, waiting=1).is_done
    assert not dataclasses.replace(plain, running=(Record("a", "InProgress"),)).is_done


def test_after_so_many_turns_the_next_part_goes_on(world: QueueWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURNS", 2)
    first = taken(world, started(world))
    assert not first["IsEnded"]
    assert taken(world, first)["IsEnded"]
    generation = first["Generation"]
    assert list(world.stepfunctions.started) == [f"{generation}-1", f"{generation}-2"]
    assert json.loads(world.stepfunctions.started[f"{generation}-2"]["input"])["Part"] == 2


def test_a_job_that_does_not_show_yet_is_waited_for(world: QueueWorld) -> None:
    state = taken(world, started(world, A))
    world.fail("DescribeJob", "gone")
    world.clock.now += LAG - 1
    world.clock.deadline += LAG
    assert not taken(world, state)["IsEnded"]
    assert world.statuses() == {"a": "InProgress"}
    world.fail("DescribeJob", "gone")
    world.clock.now += 1
    assert taken(world, state)["IsEnded"]
    assert world.statuses() == {"a": "Deleted"}


def test_a_turn_that_sees_the_end_of_a_job_describes_it_once(world: QueueWorld) -> None:
    state = taken(world, started(world, A))
    world.finish_jobs()
    store.calls.clear()
    taken(world, state)
    assert [call["operation"] for call in store.calls].count("DescribeJob") == 1
    assert world.table()["a"]["reward"]


def test_a_job_that_ended_before_it_was_recorded_has_its_results_all_the_same(world: QueueWorld) -> None:
    state = taken(world, started(world, A))
    del world.s3.objects[BUCKET, f"{FOLDER}/jobs.json"]
    world.finish_jobs()
    taken(world, state)
    row = world.table()["a"]
    assert (row["status"], bool(row["output_model_package_arn"]), bool(row["reward"])) == ("Completed", True, True)
    assert row["end_time"]
    assert world.made() == ["a"]


def test_a_job_that_cannot_be_looked_at_is_an_error_that_step_functions_tries_again(world: QueueWorld) -> None:
    state = taken(world, started(world, A))
    world.fail("DescribeJob", "denied")
    with pytest.raises(Refused, match=r"Describing the job a-.* failed: AccessDeniedException"):
        taken(world, state)
    assert world.statuses() == {"a": "InProgress"}


@pytest.mark.parametrize("status", ["Stopping", "Stopped"])
def test_a_job_that_was_taken_back_before_it_was_recorded_is_followed_by_another(
    world: QueueWorld, status: str
) -> None:
    store.behaviour.running_jobs = 2
    state = started(world, A)
    taken(world, state)
    del world.s3.objects[BUCKET, f"{FOLDER}/jobs.json"]  # the turn ended before it wrote
    (name,) = world.jobs()
    world.sagemaker.stop_job(JobName=name, JobCategory="AgentRFT")
    world.clock.now += 10 if status == "Stopped" else 0
    taken(world, state)
    assert world.jobs() == {name: status, f"{name}-2": "InProgress"}


def test_a_job_that_was_not_recorded_is_found_and_submitted_once(world: QueueWorld) -> None:
    state = started(world, A)
    taken(world, state)
    del world.s3.objects[BUCKET, f"{FOLDER}/jobs.json"]
    taken(world, state)
    assert world.made() == ["a"]
    assert world.statuses() == {"a": "InProgress"}


def test_stop_on_failure_lets_what_runs_end(world: QueueWorld) -> None:
    store.behaviour.running_jobs = world.concurrency = 2
    world.stop_on_failure = True
    state = taken(world, taken(world, started(world)))
    (first, second) = world.jobs()
    store.behaviour.ends[first] = {"after": 0, "status": "Failed", "reason": "no"}
    after = taken(world, state)
    assert not after["IsEnded"]
    assert world.statuses() == {"a": "Failed", "b": "InProgress", "c": ""}
    world.sagemaker.stop_job(JobName=second, JobCategory="AgentRFT")
    world.clock.now += 10
    assert taken(world, after)["IsEnded"]
    assert world.made() == ["a", "b"]


def test_a_record_that_is_over_stays_when_its_row_leaves(world: QueueWorld) -> None:
    state = started(world, A | B)
    folder = Folder(BUCKET, FOLDER, world.s3)
    folder.records()
    gone = {"x-1": Record("x", "Completed", "x-1"), "y-1": Record("y", "InProgress", "y-1")}
    folder.keep(gone)
    taken(world, state)
    assert "x-1" in folder.records()
    assert "y-1" not in folder.records()


def test_lambda_calls_a_turn_with_the_executions_state(world: QueueWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    class Context:
        def get_remaining_time_in_millis(self) -> int:
            return 600_000

    monkeypatch.setattr(turns, "CLIENTS", world)
    assert turns.handler(started(world), Context())["Turn"] == 2


def test_a_state_machine_that_cannot_be_started_again_says_so(
    world: QueueWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "TURNS", 1)
    state = started(world)
    denied: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
    world.stepfunctions.fails = ClientError(denied, "StartExecution")
    with pytest.raises(Refused, match="Starting the queue Job failed: AccessDeniedException"):
        taken(world, state)
