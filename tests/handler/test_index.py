"""The function as Lambda calls it: whatever comes in, one readable answer goes out, in time."""

import json
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from handler.world import ANSWER_MAX_BYTES, SECRET_URL, STACK_ID, World

from agent_rft_handler import contract, index, response
from agent_rft_handler.contract import STACK_ID_VARIABLE
from agent_rft_handler.event import Event
from agent_rft_handler.response import Response
from agent_rft_local import store

OTHER_STACK = STACK_ID.replace("Wordle", "Other")


@dataclass
class Context:
    """Lambda's context, of a function that has so many seconds."""

    seconds: float

    def __post_init__(self) -> None:
        self.begun = time.monotonic()

    def get_remaining_time_in_millis(self) -> float:
        return 1000 * (self.seconds - (time.monotonic() - self.begun))


@pytest.fixture
def answers(world: World, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the function tells CloudFormation, in the world."""
    told: list[dict[str, Any]] = []
    monkeypatch.setenv(STACK_ID_VARIABLE, STACK_ID)
    monkeypatch.setattr(index, "CLIENTS", world)
    monkeypatch.setattr(response, "send", lambda event, answer: told.append(json.loads(answer.body(event))))
    return told


def test_the_function_answers_cloudformation_and_returns_nothing(world: World, answers: list[dict[str, Any]]) -> None:
    assert index.handler(world.event("Create", world.declaration()), Context(600)) is None  # type: ignore[func-returns-value]
    assert [answer["Status"] for answer in answers] == ["SUCCESS"], answers
    assert world.running() == [answers[0]["PhysicalResourceId"]]


class Hanging:
    """A client whose calls never end."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda **_request: time.sleep(60)


@pytest.mark.parametrize("kind", ["Create", "Update", "Delete"])
def test_a_call_that_hangs_is_given_up_in_time_to_answer(
    world: World, answers: list[dict[str, Any]], kind: str
) -> None:
    store.calls.clear()
    world.cloudformation = Hanging()  # type: ignore[assignment]
    more: dict[str, Any] = {} if kind == "Create" else {"pid": "job-1", "old": world.declaration(run_id="1")}
    index.handler(world.event(kind, world.declaration(), **more), Context(31))
    (answer,) = answers
    assert (answer["Status"], "took longer" in answer["Reason"]) == ("FAILED", True)
    assert answer["PhysicalResourceId"].startswith("unconfirmed:" if kind == "Create" else "job-1")


def test_an_event_of_another_stack_is_refused_and_its_job_is_left_alone(world: World) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    forged = {**world.event("Delete", world.declaration(), pid=pid), "StackId": OTHER_STACK}
    for raw in (forged, {**forged, "RequestType": "Update"}):
        index.respond(Event.of(raw), STACK_ID, world, world.clock.time())
        # and a function of the other stack has nothing to do with it either
        index.respond(Event.of(raw), OTHER_STACK, world, world.clock.time())
    assert world.running() == [pid]
    said = index.respond(Event.of({**forged, "RequestType": "Create"}), STACK_ID, world, world.clock.time())
    assert "serves the stack" in said.reason


@pytest.mark.parametrize("missing", ["RequestType", "StackId", "LogicalResourceId", "RequestId", "ResourceType"])
def test_an_event_without_one_of_its_members_says_so(world: World, missing: str) -> None:
    raw = world.event("Create", world.declaration())
    del raw[missing]
    said = index.respond(Event.of(raw), STACK_ID, world, world.clock.time())
    assert missing in said.reason or missing in ("StackId", "LogicalResourceId", "RequestId")
    assert said.reason.endswith(".")
    assert world.jobs() == {}


def test_an_answer_that_never_comes_is_told_with_what_was_being_done(world: World) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    world.fail("AddTags", "reset", times=99)
    raw = world.event("Update", world.declaration(tags={"Team": "a"}), pid=pid, old=world.declaration())
    said = index.respond(Event.of(raw), STACK_ID, world, world.clock.time())
    assert said.reason.startswith("Update of Job failed: ReadTimeoutError")


def test_a_fault_of_our_own_is_one_sentence_and_the_log_says_where(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_request: Any) -> Any:
        return {"JobSummaries": [{"JobName": 3, "hush": "hush"}]}

    monkeypatch.setattr(world.sagemaker, "list_jobs", broken, raising=False)
    said = index.respond(Event.of(world.event("Create", world.declaration())), STACK_ID, world, world.clock.time())
    assert "TypeError that the handler does not expect" in said.reason
    assert "history.py" in caplog.text
    assert "hush" not in caplog.text


ODD: tuple[Any, ...] = (
    None, True, 0, 1.5, "", "x", "é" * 300, "${Token[X.1]}", "arn:aws:iam::1:role/x", [], ["a"], [[]], {}, {"a": "b"},
    {"a": {"b": []}}, "s3://", "s3://bucket/key", "2026/12/01/[$LATEST]0123abcd", "x" * 5000, "\x00", [None], {"": ""},
)  # fmt: skip


def odd_event(world: World, chance: random.Random) -> Any:
    """A well-formed event with a few members, at any depth, replaced, removed or added."""
    declared = world.declaration(run_id=str(chance.randrange(3)), tags={"Owner": "me"})
    kind = chance.choice(("Create", "Update", "Delete"))
    raw: Any = world.event(kind, declared, pid="job-1", old=world.declaration())
    raw["ResourceType"] = chance.choice((contract.JOB_RESOURCE_TYPE, contract.GROUP_RESOURCE_TYPE, "Custom::Other"))
    for _ in range(chance.randrange(1, 5)):
        place = chance.choice([raw, raw["ResourceProperties"], raw["OldResourceProperties"]])
        name = chance.choice([*place, "ModelPackageGroupName", "ManagedStorageType", "UpdateReplacePolicy"])
        if isinstance(place, dict):
            place[name] = chance.choice(ODD)
        if not all(isinstance(raw.get(part), dict) for part in ("ResourceProperties", "OldResourceProperties")):
            break
    return raw if chance.random() > 0.01 else chance.choice(ODD)


@pytest.mark.parametrize("events", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_event_is_too_odd_to_be_answered(world: World, events: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    chance = random.Random(9)  # noqa: S311 - the same events each time
    for number in range(events):
        if number % 50 == 0:
            world = World()  # what a thousand odd events made would have to be looked through at each of the next
        raw = odd_event(world, chance)
        world.clock.deadline = world.clock.now + 600
        said = answered(world, raw)
        assert "does not expect" not in said.reason, (number, raw, said)
        assert "Traceback" not in said.reason
        if isinstance(raw, dict) and raw.get("RequestType") == "Delete":
            assert said.succeeded, (raw, said)
    assert SECRET_URL not in caplog.text
    assert "SECRET" not in caplog.text


def answered(world: World, raw: Any) -> Response:
    event = Event.of(raw)
    said = index.respond(event, STACK_ID, world, world.clock.time())
    body = said.body(event)
    assert len(body) <= ANSWER_MAX_BYTES
    assert json.loads(body)["PhysicalResourceId"]
    return said
