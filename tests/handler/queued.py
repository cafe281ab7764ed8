"""A queue in a test's world: its events, the executions that it starts, and what became of its jobs."""

import csv
import datetime
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from handler.fakes import Killed
from handler.world import REGION, World

from agent_rft_handler import contract
from agent_rft_handler.contract import QUEUE_RESOURCE_TYPE
from agent_rft_handler.job_queue.turn import turn
from agent_rft_local import store

MACHINE = f"arn:aws:states:{REGION}:000000000000:stateMachine:Queue-abc"
BUCKET, FOLDER = "results", "queues/Wordle-Queue-0123abcd"
RETRY = 5

Rows = Mapping[str, Mapping[str, object]]
"""The hyperparameters of each variant."""


class Boto:
    """The world's SageMaker with boto3's types: its moments are datetimes, not the wire's seconds."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self._client, name)
        return (lambda **request: _with_moments(call(**request))) if name == "describe_job" else call


def _with_moments(answer: dict[str, Any]) -> dict[str, Any]:
    moments = {name for name in answer if name.endswith("Time")}
    return {**answer, **{name: datetime.datetime.fromtimestamp(answer[name], datetime.UTC) for name in moments}}


class QueueWorld(World):
    """The world, with boto3's types and a queue's events in place of a job's."""

    resource_type = QUEUE_RESOURCE_TYPE

    def __init__(self) -> None:
        super().__init__()
        self.sagemaker = Boto(self.sagemaker)  # type: ignore[assignment]
        self.concurrency = 1
        self.stop_on_failure = False
        self.bucket = BUCKET

    def properties_of(self, declaration: Any) -> dict[str, object]:
        """The custom resource's properties, with these rows."""
        listed = [
            {"Name": name, "Job": "Base", "InPlace": {"Hyperparameters": dict(given), "BaseJobName": name}}
            for name, given in declaration.items()
        ]
        declared = contract.to_properties(self.declaration(dry_run=True))
        return {
            "StateMachineArn": MACHINE,
            "Bucket": self.bucket,
            "Folder": FOLDER,
            "Concurrency": str(self.concurrency),
            "StopOnFailure": str(self.stop_on_failure).lower(),
            "EverySeconds": "60",
            "Declared": {"Jobs": {"Base": declared}, "Rows": listed},
        }

    def table(self) -> dict[str, dict[str, str]]:
        """The table of results by the rows' names."""
        text = self.s3.objects.get((self.bucket, f"{FOLDER}/results.csv"), b"").decode()
        return {row["name"]: row for row in csv.DictReader(io.StringIO(text))}

    def statuses(self) -> dict[str, str]:
        return {name: row["status"] for name, row in self.table().items()}

    def made(self) -> list[str]:
        """The row of each job that was ever made, in their order."""
        return [name.split("-")[0] for name in self.effects()]

    def status_of(self, row: str) -> str:
        """The status of the row's last job."""
        return [status for name, status in self.jobs().items() if name.startswith(f"{row}-")][-1]


THREE: Any = {"a": {"max_epochs": "1"}, "b": {"max_epochs": "2"}, "c": {"max_epochs": "3"}}
A, B, C = ({name: THREE[name]} for name in THREE)


@dataclass
class Execution:
    """An execution of the queue's state machine: when its next turn is due."""

    state: dict[str, Any]
    due: float
    has_ended: bool = False


@dataclass
class Machine:
    """Step Functions: every execution that was started takes its turns; one that fails is tried again."""

    world: QueueWorld
    executions: dict[str, Execution] = field(default_factory=dict)
    turns: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    said: str = ""
    """What the last failure said."""

    def run(self, until: Callable[[], bool] = lambda: False, *, turns: int = 500) -> None:
        """Takes turns until nothing is left to do, or until then."""
        for _ in range(turns):
            self._begin()
            alive = [each for each in self.executions.values() if not each.has_ended]
            if not alive or until():
                return
            self._take(min(alive, key=lambda each: each.due))
        raise AssertionError(f"the queue does not end: {self.world.jobs()} {self.failures}")

    def _begin(self) -> None:
        for name, request in self.world.stepfunctions.started.items():
            if name not in self.executions:
                self.executions[name] = Execution(json.loads(request["input"]), self.world.clock.now)

    def _take(self, execution: Execution) -> None:
        clock = self.world.clock
        clock.now = max(clock.now, execution.due)
        clock.deadline = clock.now + 600
        self.turns += 1
        try:
            execution.state = turn(execution.state, self.world.clients, clock.time(), clock.now)
        except (Exception, Killed) as error:  # noqa: BLE001 - Step Functions tries again whatever it was
            self.failures[type(error).__name__] += 1
            self.said = str(error)
            execution.due = clock.now + RETRY
            return
        execution.has_ended = execution.state["IsEnded"]
        execution.due = clock.now + execution.state["Wait"]


def quick(seconds: float = 600) -> None:
    """Jobs run for ten minutes."""
    store.behaviour.job_seconds = seconds


def begun(world: QueueWorld, rows: Any = THREE) -> tuple[str, Machine]:
    """A queue that was created; its id, and the state machine."""
    return str(world.deliver("Create", rows)["PhysicalResourceId"]), Machine(world)


def queue_world(monkeypatch: pytest.MonkeyPatch) -> QueueWorld:
    """A fresh account whose time stands still, where a job takes ten minutes."""
    world = QueueWorld()
    monkeypatch.setattr(store, "clock", lambda: world.clock.now)
    quick()
    world.cloudformation.status = "CREATE_IN_PROGRESS"
    return world
