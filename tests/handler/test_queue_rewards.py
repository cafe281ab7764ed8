"""The final reward of a queue's jobs: read from MLflow once each has ended, and no reason to fail a turn."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError
from handler.queued import QueueWorld, begun, queue_world
from handler.world import WorldClients

from agent_rft_handler import mlflow
from agent_rft_handler.clients import Clients
from agent_rft_handler.mlflow import Fetch, Unreadable
from agent_rft_local import store

BUSY = Unreadable("MLflow answers 429: Rate exceeded", passes=True)
DENIED = Unreadable("MLflow answers 403: You may not.")
VARIANTS: Any = {"a": {"max_epochs": "1", "max_steps": "10"}, "b": {"max_epochs": "2", "max_steps": "10"}}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account with queues."""
    return queue_world(monkeypatch)


@dataclass
class MoodyMlflow(WorldClients):
    """The world's clients, where reading from MLflow ends with these errors, one after another."""

    errors: list[Exception] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    """How often each run was asked for."""

    def mlflow(self, app_arn: str) -> Fetch:
        inner = super().mlflow(app_arn)

        def fetch(operation: str, query: dict[str, str]) -> Any:
            self.asked[query["run_id"]] += "page_token" not in query
            if self.errors:
                raise self.errors.pop(0)
            return inner(operation, query)

        return fetch


def rewards(world: QueueWorld, errors: Iterable[Exception] = ()) -> tuple[list[str], MoodyMlflow]:
    """The rewards in the table of a queue that has ended; what MLflow was asked."""
    mlflow = MoodyMlflow(world, errors=list(errors))
    clients: Clients = mlflow
    world.clients = clients
    _, machine = begun(world, VARIANTS)
    machine.run()
    assert machine.failures == {}
    assert set(world.statuses().values()) <= {"Completed", "Failed"}
    return [row["reward"] for row in world.table().values()], mlflow


def test_the_table_has_the_mean_reward_of_each_jobs_last_step(world: QueueWorld) -> None:
    found, mlflow = rewards(world)
    run_ids = [str(each) for each in mlflow.asked]
    assert found == [str(_last(world, run_id)) for run_id in run_ids]
    assert [float(each) > 0.5 for each in found] == [True, True]


def _last(world: QueueWorld, run_id: str) -> float:
    """What MLflow itself calls the latest value."""
    found = world.mlflow(world.app)("runs/get", {"run_id": run_id})
    metrics = {each["key"]: each["value"] for each in found["run"]["data"]["metrics"]}
    return float(metrics["rollout/reward/mean"])


def test_a_job_is_asked_for_its_reward_once_when_it_has_ended(world: QueueWorld) -> None:
    _, mlflow = rewards(world)
    assert sorted(mlflow.asked.values()) == [1, 1]


def test_a_busy_mlflow_is_asked_again(world: QueueWorld) -> None:
    found, mlflow = rewards(world, [BUSY, BUSY])
    assert all(found)
    assert sorted(mlflow.asked.values()) == [1, 3]


@pytest.mark.parametrize(
    "error",
    [DENIED, ValueError("no JSON"), KeyError("metrics"), *[Unreadable("MLflow answers 503", passes=True)]],
    ids=repr,
)
def test_a_reward_that_cannot_be_read_is_left_out_and_the_queue_goes_on(
    world: QueueWorld, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    began = world.clock.now
    found, _ = rewards(world, [error] * 5)
    assert found[0] == ""
    assert world.made() == ["a", "b"]
    assert "The reward of a-" in caplog.text
    assert world.clock.now - began < 1500  # two jobs of ten minutes


def test_an_mlflow_that_hangs_takes_no_more_time_than_the_turn_has(
    world: QueueWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six jobs end at once, and each attempt to read takes as long as it may."""
    left: list[float] = []

    def hanging(_app_arn: str) -> Fetch:
        def fetch(_operation: str, _query: dict[str, str]) -> Any:
            world.clock.sleep(sum(mlflow.TIMEOUT))
            left.append(world.clock.time().remaining())
            raise ReadTimeoutError(endpoint_url="https://mlflow")

        return fetch

    monkeypatch.setattr(world, "mlflow", hanging)
    world.concurrency = store.behaviour.running_jobs = 6
    _, machine = begun(world, {name: {"max_steps": str(10 + i)} for i, name in enumerate("abcdef")})
    machine.run()
    assert min(left) > 0
    assert set(world.statuses().values()) == {"Completed"}


def test_a_job_that_failed_has_the_reward_that_it_had_come_to(world: QueueWorld) -> None:
    store.behaviour.outcome = "Failed"
    found, _ = rewards(world)
    assert all(found)


def test_what_has_left_the_queue_stays_known_while_rewards_are_read(world: QueueWorld) -> None:
    first, machine = begun(world, VARIANTS)
    machine.run()
    later: Any = {"c": {"max_epochs": "3", "max_steps": "10"}}
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    second = str(world.deliver("Update", later, pid=first, old=VARIANTS)["PhysicalResourceId"])
    machine.run()
    both: Any = {**later, **VARIANTS}
    world.deliver("Update", both, pid=second, old=later)
    machine.run()
    assert world.made() == ["a", "b", "c"]
    assert all(row["reward"] for row in world.table().values())
