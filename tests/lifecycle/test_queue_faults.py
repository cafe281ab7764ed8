"""A queue under faults: each row has one job in the end, and nothing runs that is not wanted.

Every call that its events and its turns make is struck once in every way; and at every call of a turn, something else
happens to the stack.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from handler.queued import Machine, QueueWorld, quick
from handler.world import Through, WorldClients
from lifecycle.faults import StruckClients
from lifecycle.queue_journeys import AB, ABC, CHANGED, JOURNEYS, LATER, Play, Rows, create_rolls_back, declared, destroy
from lifecycle.stack import Stack

from agent_rft_local import store


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets the local SageMaker's clock back afterwards."""
    monkeypatch.setattr(store, "clock", store.clock)


def played(journey: Callable[[Play], None], plan: dict[int, str], *, is_older: bool) -> list[str]:
    """Plays the journey with the faults, lets the queue end, and judges it; the calls from the first strike on."""
    world = QueueWorld()
    store.clock = lambda: world.clock.now
    quick(50)
    stack, machine = Stack(world, is_older=is_older), Machine(world)
    struck = StruckClients(world, plan, strikes_s3=True)

    def strike() -> None:
        world.clients = struck

    journey(Play(world, stack, machine, strike))
    machine.run()
    world.clients = world
    stack.settle()
    machine.run()
    world.clock.now += 60
    judge(world, stack)
    return list(struck.calls)


def judge(world: QueueWorld, stack: Stack) -> None:
    """Each row has one job that came to its end; no row has two; nothing runs."""
    assert stack.healthy, stack.owed
    wanted = dict(cast("Rows", stack.declared or {}))
    if wanted:
        assert world.statuses() == dict.fromkeys(wanted, "Completed")
    assert world.running() == []
    done = [re.sub(r"-\d$", "", name) for name, status in world.jobs().items() if status == "Completed"]
    assert max(Counter(done).values(), default=0) <= 1, f"twice: {world.jobs()}"


KINDS = ("throttled", "denied", "killed before", "no answer", "killed after")
"""One of each sort, as test_pairs.py has them."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("journey", "is_older"),
    [*((each, False) for each in JOURNEYS), (create_rolls_back, True), (destroy, True)],
    ids=lambda each: getattr(each, "__name__", "in an older stack" if each else ""),
)
def test_one_fault_at_any_call_loses_no_job_and_submits_none_twice(
    world: None, journey: Callable[[Play], None], is_older: bool
) -> None:
    calls = played(journey, {}, is_older=is_older)
    assert {"put_object", "get_object"} & set(calls)
    for call in range(1, len(calls) + 1):
        for kind in KINDS:
            try:
                played(journey, {call: kind}, is_older=is_older)
            except AssertionError as error:
                raise AssertionError(f"{kind} at {call}, {calls[call - 1]}: {error}") from error


@dataclass
class Interrupting(WorldClients):
    """The world's clients; at one of their calls something else happens first, once."""

    at: int
    happens: Callable[[], None]
    calls: list[str] = field(default_factory=list)

    @property
    def sagemaker(self) -> Any:
        return Through(self.world.sagemaker, self.call)

    @property
    def s3(self) -> Any:
        return Through(self.world.s3, self.call)

    def call(self, name: str, function: Callable[..., Any], request: dict[str, Any]) -> Any:
        """The call, after what happens before it."""
        self.calls.append(name)
        if len(self.calls) == self.at:
            self.happens()
        return function(**request)


MEANWHILE: Mapping[str, Callable[[Play], object]] = {
    "deleted": lambda play: play.stack.destroy(),
    "changed": lambda play: play.stack.deploy(declared(CHANGED)),
    "removed": lambda play: play.stack.deploy(declared({"b": ABC["b"]})),
    "changed and taken back": lambda play: play.stack.deploy(declared(CHANGED), LATER),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_turn_during_which_the_queue_changes_leaves_nothing_that_is_not_wanted(world: None, meanwhile: str) -> None:
    at = 1
    while interrupted(MEANWHILE[meanwhile], at):
        at += 1
    assert at > 15


def interrupted(happens: Callable[[Play], object], at: int) -> bool:
    """Lets something happen at a call of the queue's first turns, and judges the end; whether there was such a call."""
    world = QueueWorld()
    store.clock = lambda: world.clock.now
    quick(50)
    machine = Machine(world)
    play = Play(world, Stack(world), machine, lambda: None)
    play.until_done(AB)

    def meanwhile() -> None:
        world.clients = world
        happens(play)

    clients = world.clients = Interrupting(world, at, meanwhile)
    machine.run()
    world.clock.now += 60
    try:
        judge(world, play.stack)
    except AssertionError as error:
        raise AssertionError(f"at {at}, {clients.calls[-1]}: {error}") from error
    return len(clients.calls) >= at
