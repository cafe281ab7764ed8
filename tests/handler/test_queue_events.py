"""What CloudFormation's events do to a queue: added, changed, removed, taken back, deleted, delivered again."""

from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from handler.queued import BUCKET, FOLDER, THREE, A, B, C, Machine, QueueWorld, begun, queue_world

from agent_rft_handler.errors import Refused
from agent_rft_local import store


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account with queues."""
    return queue_world(monkeypatch)


def updated(world: QueueWorld, pid: str, rows: Any, old: Any, status: str = "UPDATE_IN_PROGRESS") -> str:
    """The queue's id after an update."""
    world.cloudformation.status = status
    world.cloudformation.known = {"Job": pid}
    return str(world.deliver("Update", rows, pid=pid, old=old)["PhysicalResourceId"])


def cleaned_up(world: QueueWorld, former: str, now: str, old: Any) -> None:
    """CloudFormation deletes what an update replaced."""
    world.cloudformation.status = "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"
    world.cloudformation.known = {"Job": now}
    world.deliver("Delete", old, pid=former)


def test_an_added_job_is_the_only_one_that_runs_then(world: QueueWorld) -> None:
    pid, machine = begun(world, A | B)
    machine.run()
    updated(world, pid, A | B | C, A | B)
    machine.run()
    assert world.made() == ["a", "b", "c"]


def test_an_update_in_the_middle_goes_on_in_the_new_order(world: QueueWorld) -> None:
    pid, machine = begun(world, A | B)
    machine.run(until=lambda: "a" in world.made())
    updated(world, pid, C | A | B, A | B)
    machine.run()
    assert world.made() == ["a", "c", "b"]


def test_a_changed_job_runs_again_and_the_earlier_one_is_stopped_when_the_update_is_over(world: QueueWorld) -> None:
    store.behaviour.running_jobs = world.concurrency = 2
    pid, machine = begun(world, A | B)
    machine.run(until=lambda: world.made() == ["a", "b"])
    changed = {"a": {"max_epochs": "9"}} | B
    now = updated(world, pid, changed, A | B)
    assert list(world.jobs().values()) == ["InProgress", "InProgress"]  # nothing is stopped yet
    cleaned_up(world, pid, now, A | B)
    machine.run()
    assert world.made() == ["a", "b", "a"]
    assert sorted(world.jobs().values()) == ["Completed", "Completed", "Stopped"]


def test_a_removed_job_is_stopped_if_it_runs_and_runs_again_when_it_comes_back(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "b" in world.made())
    now = updated(world, pid, A | C, THREE)
    cleaned_up(world, pid, now, THREE)
    machine.run()
    assert world.statuses() == {"a": "Completed", "c": "Completed"}
    assert world.status_of("b") == "Stopped"
    updated(world, now, THREE, A | C)
    machine.run()
    assert world.made() == ["a", "b", "c", "b"]  # what was completed is not paid for again
    assert world.statuses() == dict.fromkeys(THREE, "Completed")


def test_a_job_that_a_person_stopped_stays_stopped(world: QueueWorld) -> None:
    pid, machine = begun(world, A | B)
    machine.run(until=lambda: world.statuses().get("a") == "InProgress")
    (name,) = world.jobs()
    world.sagemaker.stop_job(JobName=name, JobCategory="AgentRFT")
    machine.run()
    updated(world, pid, A | B | C, A | B)
    machine.run()
    assert world.statuses() == {"a": "Stopped", "b": "Completed", "c": "Completed"}
    assert world.made() == ["a", "b", "c"]


def test_the_way_back_goes_on_with_the_earlier_list_and_stops_what_went_forward(world: QueueWorld) -> None:
    store.behaviour.running_jobs = world.concurrency = 2
    pid, machine = begun(world, A | B)
    machine.run(until=lambda: world.made() == ["a", "b"])
    forward = updated(world, pid, C | B, A | B)
    machine.run(until=lambda: "c" in world.made() or not world.running())
    back = updated(world, forward, A | B, C | B, "UPDATE_ROLLBACK_IN_PROGRESS")
    cleaned_up(world, forward, back, C | B)
    machine.run()
    assert world.statuses() == {"a": "Completed", "b": "Completed"}
    assert world.made().count("a") == 1


def test_a_deleted_queue_stops_what_runs_and_submits_nothing_any_more(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    world.cloudformation.status = "DELETE_IN_PROGRESS"
    world.deliver("Delete", THREE, pid=pid)
    machine.run()
    assert list(world.jobs().values()) in (["Stopping"], ["Stopped"])


def test_a_queue_that_leaves_a_stack_ends_too(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    cleaned_up(world, pid, pid, THREE)
    machine.run()
    assert world.made() == ["a"]
    assert world.running() in ([], list(world.jobs()))


def test_an_old_event_that_is_delivered_again_changes_nothing(world: QueueWorld) -> None:
    world.cloudformation.status = "CREATE_IN_PROGRESS"
    event = world.event("Create", cast("Any", A))
    pid, machine = world.send(event)["PhysicalResourceId"], Machine(world)
    machine.run()
    updated(world, pid, A | B, A)
    wanted = world.s3.objects[BUCKET, f"{FOLDER}/queue.json"]
    assert world.send(event)["PhysicalResourceId"] == pid
    assert world.s3.objects[BUCKET, f"{FOLDER}/queue.json"] == wanted
    machine.run()
    assert world.statuses() == {"a": "Completed", "b": "Completed"}


def test_a_job_that_left_and_comes_back_before_any_turn_runs_again(world: QueueWorld) -> None:
    pid, machine = begun(world, A | B)
    machine.run(until=lambda: world.statuses().get("a") == "InProgress")
    without = updated(world, pid, B, A | B)
    cleaned_up(world, pid, without, A | B)
    updated(world, without, A | B, B)
    machine.run()
    assert world.statuses() == {"a": "Completed", "b": "Completed"}


def test_a_queue_in_a_bucket_that_is_gone_can_be_deleted(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    gone: Any = {"Error": {"Code": "NoSuchBucket", "Message": "gone"}}
    world.s3.fails = ClientError(gone, "ListObjectsV2")
    world.cloudformation.status = "DELETE_IN_PROGRESS"
    world.deliver("Delete", THREE, pid=pid)
    assert list(world.jobs().values()) == ["Stopping"]


def test_a_queue_that_moved_to_another_bucket_is_cleaned_up_by_the_list_there(world: QueueWorld) -> None:
    pid, machine = begun(world, A)
    machine.run(until=lambda: "a" in world.made())
    cleaned_up(world, pid, pid.replace("results", "elsewhere"), A)
    assert list(world.jobs().values()) == ["InProgress"]  # no list there, so nothing is known to have left


def moved(world: QueueWorld, rows: Any, old: Any) -> Machine:
    """A queue whose first job runs, and which an update has moved to another bucket, with other rows."""
    pid, machine = begun(world, old)
    machine.run(until=lambda: "a" in world.made())
    before = world.properties_of(old)
    world.bucket = "elsewhere"
    world.cloudformation.status, world.cloudformation.known = "UPDATE_IN_PROGRESS", {"Job": pid}
    event = world.event("Update", rows, pid=pid, old=old)
    now = world.send({**event, "OldResourceProperties": before})["PhysicalResourceId"]
    world.cloudformation.status = "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"
    world.cloudformation.known = {"Job": now}
    world.send({**world.event("Delete", old, pid=pid), "ResourceProperties": before})
    return machine


def test_a_queue_that_moved_goes_on_in_its_new_bucket_alone(world: QueueWorld) -> None:
    machine = moved(world, A | C, A | B)
    machine.run()
    assert world.made() == ["a", "c"]
    assert world.statuses() == {"a": "Completed", "c": "Completed"}


EMPTIED = f"s3://{BUCKET}/{FOLDER}/queue.json is gone"


def emptied(world: QueueWorld, *names: str) -> None:
    for name in names:
        del world.s3.objects[BUCKET, f"{FOLDER}/{name}"]


def test_records_that_are_gone_are_known_again_from_the_jobs(world: QueueWorld) -> None:
    _, machine = begun(world)
    machine.run(until=lambda: world.made() == ["a", "b"])
    emptied(world, "jobs.json", "results.csv")
    machine.run()
    assert world.made() == ["a", "b", "c"]
    assert world.statuses() == dict.fromkeys("abc", "Completed")
    assert all(row["reward"] for row in world.table().values())


def test_a_list_that_is_gone_fails_the_turns_until_an_update_writes_it_anew(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    emptied(world, "queue.json", "jobs.json", "results.csv")
    machine.run(until=lambda: machine.failures["Refused"] > 3)
    assert world.made() == ["a"]
    assert EMPTIED in machine.said
    updated(world, pid, THREE, THREE)
    machine.run()
    assert world.made() == ["a", "b", "c"]


def test_a_queue_whose_folder_was_emptied_stops_what_runs_when_it_is_deleted(world: QueueWorld) -> None:
    pid, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    emptied(world, "queue.json", "jobs.json", "results.csv")
    world.cloudformation.status = "DELETE_IN_PROGRESS"
    world.deliver("Delete", THREE, pid=pid)
    machine.run()
    assert list(world.jobs().values()) in (["Stopping"], ["Stopped"])


def test_a_queue_without_jobs_fails_the_deployment(world: QueueWorld) -> None:
    with pytest.raises(Refused, match=r"The queue has no jobs\. Add one\."):
        begun(world, {})
