"""What a queue's events stop, forget and refuse where something else happens at the same time."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.queued import BUCKET, FOLDER, A, B, C, Machine, QueueWorld, begun, queue_world
from handler.world import STACK_ID

from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_local import store

LIST, RECORDS = f"{FOLDER}/queue.json", f"{FOLDER}/jobs.json"
BOTH = A | B


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account with queues, two of whose jobs may run at a time."""
    world = queue_world(monkeypatch)
    store.behaviour.running_jobs = world.concurrency = 2
    return world


def running(world: QueueWorld) -> str:
    """A queue both of whose jobs run; its id."""
    pid, machine = begun(world, BOTH)
    machine.run(until=lambda: world.statuses() == {"a": "InProgress", "b": "InProgress"})
    store.calls.clear()
    return pid


def left(world: QueueWorld, pid: str, rows: Any = B) -> None:
    """An update takes the other rows away, and CloudFormation cleans up."""
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    now = world.deliver("Update", rows, pid=pid, old=BOTH)["PhysicalResourceId"]
    world.cloudformation.status = "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"
    world.cloudformation.known = {"Job": now}
    world.deliver("Delete", BOTH, pid=pid)  # type: ignore[arg-type]


def deleted(world: QueueWorld, pid: str) -> None:
    world.cloudformation.status = "DELETE_IN_PROGRESS"
    world.deliver("Delete", BOTH, pid=pid)  # type: ignore[arg-type]


def stopped() -> list[str]:
    """The row of each job that was asked to stop."""
    return [call["request"]["JobName"].split("-")[0] for call in store.calls if call["operation"] == "StopJob"]


def records(world: QueueWorld) -> list[str]:
    return [each["name"] for each in json.loads(world.s3.objects[BUCKET, RECORDS]).values()]


def before_put(world: QueueWorld, key: str, does: Callable[[], object], times: int = 1) -> None:
    """Something happens right before this object is written."""
    put, left = world.s3.put_object, iter(range(times))

    def putting(**request: Any) -> Any:
        if request["Key"] == key and next(left, None) is not None:
            does()
        return put(**request)

    world.s3.put_object = putting  # type: ignore[assignment, method-assign]


def test_a_row_that_left_is_stopped_and_forgotten_and_one_that_stays_is_neither(world: QueueWorld) -> None:
    left(world, running(world))
    assert stopped() == ["a"]
    assert records(world) == ["b"]


def test_each_job_is_asked_to_stop_once(world: QueueWorld) -> None:
    deleted(world, running(world))
    assert sorted(stopped()) == ["a", "b"]


def test_what_the_list_of_jobs_does_not_show_yet_is_stopped_by_the_records(world: QueueWorld) -> None:
    pid = running(world)
    store.behaviour.list_jobs_lag = 9000
    deleted(world, pid)
    assert sorted(stopped()) == ["a", "b"]


def test_a_job_of_the_records_that_is_gone_or_is_another_resources_is_left_alone(world: QueueWorld) -> None:
    pid = running(world)
    store.behaviour.list_jobs_lag = 9000
    first, second = json.loads(world.s3.objects[BUCKET, RECORDS]).values()
    world.sagemaker.add_tags(ResourceArn=first["job_arn"], Tags=[{"Key": OWN_TAGS["resource"], "Value": "Another"}])
    del store.jobs["AgentRFT", second["job_name"]]
    deleted(world, pid)
    assert stopped() == []


def test_a_job_that_has_ended_stays_known_when_its_row_leaves(world: QueueWorld) -> None:
    pid, machine = begun(world, BOTH)
    machine.run()
    left(world, pid)
    assert records(world) == ["a", "b"]


@pytest.mark.parametrize("times", [1, 2])
def test_a_turn_that_writes_at_the_same_time_is_let_go_first(world: QueueWorld, times: int) -> None:
    def written() -> None:
        world.s3.objects[BUCKET, RECORDS] += b" "

    pid = running(world)
    before_put(world, RECORDS, written, times)
    left(world, pid)
    assert records(world) == ["b"]


def test_turns_that_keep_writing_are_said_to_do_so(world: QueueWorld) -> None:
    def written() -> None:
        world.s3.objects[BUCKET, RECORDS] += b" "

    pid = running(world)
    before_put(world, RECORDS, written, 99)
    with pytest.raises(Refused, match=r"jobs\.json was changed meanwhile"):
        left(world, pid)


def test_the_way_back_stops_at_once_what_went_forward(world: QueueWorld) -> None:
    pid = running(world)
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
    world.deliver("Update", B | C, pid=pid, old=BOTH)  # type: ignore[arg-type]
    assert stopped() == ["a"]


def test_a_list_that_another_event_wrote_meanwhile_is_not_written_over(world: QueueWorld) -> None:
    def written() -> None:
        world.s3.objects[BUCKET, LIST] = json.dumps({"Generation": "another"}).encode()

    before_put(world, LIST, written)
    with pytest.raises(Refused, match=r"queue\.json was changed meanwhile"):
        begun(world, A)
    assert world.stepfunctions.started == {}


def test_a_list_that_vanishes_meanwhile_is_an_error(world: QueueWorld) -> None:
    pid = running(world)
    started = len(world.stepfunctions.started)
    before_put(world, LIST, lambda: world.s3.objects.pop((BUCKET, LIST)))
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    with pytest.raises(Refused, match=r"queue\.json was changed meanwhile"):
        world.deliver("Update", B, pid=pid, old=BOTH)  # type: ignore[arg-type]
    assert len(world.stepfunctions.started) == started


def test_an_event_that_is_delivered_twice_at_once_starts_its_queue_once(world: QueueWorld) -> None:
    event = world.event("Create", A)  # type: ignore[arg-type]
    answers = []
    before_put(world, LIST, lambda: answers.append(world.send(event)))
    assert world.send(event) == answers[0]
    assert len(world.stepfunctions.started) == 1
    Machine(world).run()
    assert world.made() == ["a"]


def test_nothing_starts_while_the_stack_goes_back_and_no_job_is_looked_up_for_it(world: QueueWorld) -> None:
    world.cloudformation.status = "ROLLBACK_IN_PROGRESS"
    with pytest.raises(Refused, match="rolling back"):
        begun(world, {"a": {"max_epoch": "1"}})  # which is wrong
    assert (world.s3.objects, world.stepfunctions.started) == ({}, {})


def test_a_stack_that_turns_back_while_the_jobs_are_checked_starts_nothing(world: QueueWorld) -> None:
    statuses = iter(["CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"])

    def describe_stacks(StackName: str) -> Any:
        return {"Stacks": [{"StackName": StackName, "StackStatus": next(statuses)}]}

    world.cloudformation.describe_stacks = describe_stacks  # type: ignore[method-assign]
    with pytest.raises(Refused, match="rolling back"):
        begun(world, A)
    assert (world.s3.objects, world.stepfunctions.started) == ({}, {})


def test_a_create_that_failed_has_the_queues_id_and_an_update_the_one_it_had(world: QueueWorld) -> None:
    with pytest.raises(Refused) as refused:
        begun(world, {})
    assert refused.value.physical_id.startswith(f"s3://{BUCKET}/{FOLDER}/#")
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    with pytest.raises(Refused) as refused:
        world.deliver("Update", {}, pid="s3://results/a/#1")  # type: ignore[arg-type]
    assert refused.value.physical_id == "s3://results/a/#1"


def test_a_bucket_that_may_not_be_listed_is_no_bucket_that_is_gone(world: QueueWorld) -> None:
    pid = running(world)
    denied: Any = {"Error": {"Code": "AccessDenied", "Message": STACK_ID}}
    world.s3.fails = ClientError(denied, "ListObjectsV2")
    with pytest.raises(Refused, match="Listing s3://results/"):
        deleted(world, pid)
    assert stopped() == []
