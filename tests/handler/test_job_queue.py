"""A queue: its jobs in their order, each once, whatever becomes of the others."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.queued import BUCKET, FOLDER, A, B, QueueWorld, begun, queue_world, quick

from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job_queue import turn as turns
from agent_rft_handler.job_queue.record import TRIES
from agent_rft_local import store


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account with queues."""
    return queue_world(monkeypatch)


def test_the_jobs_run_in_their_order_one_at_a_time(world: QueueWorld) -> None:
    _, machine = begun(world)
    seen: list[int] = []
    machine.run(until=lambda: seen.append(len(world.running())) or False)  # type: ignore[func-returns-value]
    assert world.made() == ["a", "b", "c"]
    assert max(seen) == 1
    assert world.statuses() == {"a": "Completed", "b": "Completed", "c": "Completed"}


def test_as_many_run_as_concurrency_says(world: QueueWorld) -> None:
    world.concurrency, store.behaviour.running_jobs = 2, 3
    _, machine = begun(world)
    seen: list[int] = []
    machine.run(until=lambda: seen.append(len(world.running())) or False)  # type: ignore[func-returns-value]
    assert max(seen) == 2


def test_a_quota_that_others_use_up_is_waited_for_ever_less_often(world: QueueWorld) -> None:
    store.behaviour.running_jobs = 0
    began, (_, machine) = world.clock.now, begun(world, A)
    machine.run(until=lambda: machine.turns == 20)
    assert world.clock.now - began > 2.5 * 3600
    store.behaviour.running_jobs = 1
    machine.run()
    assert world.statuses() == {"a": "Completed"}


def test_a_long_job_is_looked_at_ever_less_often(world: QueueWorld) -> None:
    quick(50_000)
    _, machine = begun(world, A)
    machine.run()
    assert machine.turns < 350  # each minute would be 833


def test_the_table_says_what_became_of_each_and_with_which_values(world: QueueWorld) -> None:
    _, machine = begun(world, {"a": {"learning_rate": "1e-05"}, "b": {"max_epochs": "2"}})
    machine.run()
    row = world.table()["a"]
    assert (row["status"], row["learning_rate"], row["max_epochs"]) == ("Completed", "1e-05", "1")
    assert row["job_name"] in world.jobs()
    assert row["output_model_package_arn"].startswith("arn:aws:sagemaker:")
    assert row["creation_time"] < row["end_time"]
    assert world.table()["b"]["learning_rate"] == ""


def test_a_job_that_fails_does_not_end_the_others(world: QueueWorld) -> None:
    store.behaviour.outcome = "Failed"
    _, machine = begun(world)
    machine.run(until=lambda: "a" in world.made())
    store.behaviour.outcome = "Completed"
    machine.run()
    assert world.statuses() == {"a": "Failed", "b": "Completed", "c": "Completed"}
    assert "asked to fail" in world.table()["a"]["failure_reason"]


def test_stop_on_failure_submits_nothing_any_more(world: QueueWorld) -> None:
    store.behaviour.outcome, world.stop_on_failure = "Failed", True
    _, machine = begun(world)
    machine.run()
    assert world.statuses() == {"a": "Failed", "b": "", "c": ""}


def test_a_submission_that_is_refused_is_tried_thrice_and_then_passed_over(world: QueueWorld) -> None:
    _, machine = begun(world)
    world.fail("CreateJob", "denied", times=TRIES)
    machine.run()
    assert world.statuses() == {"a": "Refused", "b": "Completed", "c": "Completed"}
    assert "AccessDenied" in world.table()["a"]["failure_reason"]


@pytest.mark.parametrize("kind", ["throttled", "error_before", "error_after", "reset"])
def test_an_uncertain_submission_leaves_one_job(world: QueueWorld, kind: str) -> None:
    _, machine = begun(world)
    world.fail("CreateJob", kind)
    machine.run()
    assert world.made() == ["a", "b", "c"]


def test_what_is_wrong_with_any_job_is_said_before_the_first_runs(world: QueueWorld) -> None:
    wrong = {"a": {"max_epochs": "1"}, "b": {"max_epoch": "2"}, "c": {"learning_rate": "fast"}}
    with pytest.raises(Refused) as refused:
        begun(world, wrong)
    assert "b: hyperparameters has max_epoch" in str(refused.value)
    assert "c: hyperparameters['learning_rate']" in str(refused.value)
    assert (world.stepfunctions.started, world.s3.objects) == ({}, {})


def test_a_hundred_variants_are_checked_with_the_look_ups_of_one(world: QueueWorld) -> None:
    begun(world, {f"v{i}": {"learning_rate": f"{i}e-06"} for i in range(1, 101)})
    looked = [call["operation"] for call in store.calls]
    assert looked.count("DescribeHubContent") == 1


def test_a_queue_that_cannot_start_fails_the_deployment_and_says_why(world: QueueWorld) -> None:
    denied: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
    world.stepfunctions.fails = ClientError(denied, "StartExecution")
    with pytest.raises(Refused, match="Starting the queue Job failed: AccessDeniedException"):
        begun(world)


def test_a_job_carries_the_queues_name_and_the_stacks(world: QueueWorld) -> None:
    _, machine = begun(world, A)
    machine.run()
    (request,) = world.submitted()
    tags = {row["Key"]: row["Value"] for row in request["Tags"]}
    assert tags[OWN_TAGS["resource"]] == "Job"


def test_after_many_turns_another_execution_goes_on(world: QueueWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURNS", 4)
    _, machine = begun(world)
    machine.run()
    parts = sorted(int(name.rpartition("-")[2]) for name in machine.executions)
    assert parts == list(range(1, len(parts) + 1))
    assert len(parts) > 3
    assert world.made() == ["a", "b", "c"]


def test_a_job_that_was_deleted_by_hand_is_not_waited_for(world: QueueWorld) -> None:
    _, machine = begun(world, A | B)
    machine.run(until=lambda: world.statuses().get("a") == "InProgress")
    world.fail("DescribeJob", "gone", times=1)
    store.jobs.clear()
    machine.run()
    assert world.statuses() == {"a": "Deleted", "b": "Completed"}


def test_what_is_written_is_json_that_a_person_can_read(world: QueueWorld) -> None:
    _, machine = begun(world, A)
    machine.run()
    records = json.loads(world.s3.objects[BUCKET, f"{FOLDER}/jobs.json"])
    assert [each["status"] for each in records.values()] == ["Completed"]
