"""Every order in which two deliveries, or a delivery and a cancellation, can be mixed."""

from collections.abc import Callable
from typing import Any

import pytest
from handler.world import STACK_ID, World
from lifecycle import interleaving
from lifecycle.interleaving import SwitchedClients
from lifecycle.promises import LONG, requests

from agent_rft_handler.deadline import Deadline
from agent_rft_handler.event import Event
from agent_rft_handler.index import respond
from agent_rft_local import store

Act = Callable[[SwitchedClients], None]
Play = Callable[[World], tuple[list[Act], Callable[[], None]]]
"""Makes ready a fresh world; the actors, and what must hold when all are done."""


def delivery(world: World, raw: dict[str, Any], answers: list[Any]) -> Act:
    """One delivery of an event, on a clock that never ends."""

    def act(clients: SwitchedClients) -> None:
        deadline = Deadline(remaining=lambda: 600.0, sleep=lambda _seconds: None)
        answers.append(respond(Event.of(raw), STACK_ID, clients, deadline))

    return act


def cancellation(world: World, status: str, raw: dict[str, Any], answers: list[Any]) -> Act:
    """The stack turns back, and then sends what it sends to go back."""

    def act(clients: SwitchedClients) -> None:
        clients.wait("turn back")
        world.cloudformation.status = status
        delivery(world, raw, answers)(clients)

    return act


def create_twice(world: World) -> tuple[list[Act], Callable[[], None]]:
    raw, answers = world.event("Create", world.declaration()), []  # type: tuple[Any, list[Any]]

    def judge() -> None:
        (name,) = world.running()
        assert {answer.physical_id for answer in answers} == {name}, answers
        assert requests() == [raw["RequestId"]]

    return [delivery(world, raw, answers)] * 2, judge


def update_twice(replacement: str, world: World) -> tuple[list[Act], Callable[[], None]]:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.cloudformation.known = {"Job": first}
    new = world.declaration(run_id="2", replacement=replacement)
    raw, answers = world.event("Update", new, pid=first, old=old), []  # type: tuple[Any, list[Any]]

    def judge() -> None:
        names = {answer.physical_id for answer in answers if answer.succeeded}
        assert len(names) == 1, answers
        assert set(world.running()) - {first} == names
        assert len(requests()) == 2

    return [delivery(world, raw, answers)] * 2, judge


def create_cancelled(world: World) -> tuple[list[Act], Callable[[], None]]:
    declaration, answers = world.declaration(), []  # type: tuple[Any, list[Any]]
    create = world.event("Create", declaration)
    delete = world.event("Delete", declaration, pid="Wordle-Job-1ABCDEF")

    def judge() -> None:
        world.clock.sleep(60)
        assert world.running() == []

    return [delivery(world, create, answers), cancellation(world, "ROLLBACK_IN_PROGRESS", delete, [])], judge


def update_cancelled(replacement: str, world: World) -> tuple[list[Act], Callable[[], None]]:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.cloudformation.known = {"Job": first}
    new = world.declaration(run_id="2", replacement=replacement)
    forward = world.event("Update", new, pid=first, old=old)
    back = world.event("Update", old, pid=first, old=new)
    answers: list[Any] = []

    def judge() -> None:
        world.clock.sleep(60)
        assert set(world.running()) <= {first}
        assert [answer.physical_id for answer in answers] == [first]

    status = "UPDATE_ROLLBACK_IN_PROGRESS"
    return [delivery(world, forward, []), cancellation(world, status, back, answers)], judge


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(create_twice, id="create twice"),
        pytest.param(lambda world: update_twice("submit_first", world), id="update twice, submit first"),
        pytest.param(lambda world: update_twice("stop_first", world), id="update twice, stop first"),
        pytest.param(create_cancelled, id="create cancelled"),
        pytest.param(lambda world: update_cancelled("submit_first", world), id="update cancelled, submit first"),
        pytest.param(lambda world: update_cancelled("stop_first", world), id="update cancelled, stop first"),
    ],
)
def test_in_every_order_one_job_at_most_is_submitted_and_none_is_unknown(play: Play) -> None:
    def begin() -> tuple[World, list[Act], Callable[[], None]]:
        world = World()
        store.clock = lambda: world.clock.now
        store.behaviour.running_jobs, store.behaviour.job_seconds, store.behaviour.stop_seconds = 3, LONG, 0
        world.cloudformation.status = "UPDATE_IN_PROGRESS"
        return world, *play(world)

    assert interleaving.each_order(begin) > 10


def test_leaving_out_orders_leaves_out_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each of three actors sees, in every order, is also seen when orders of calls that do not touch are one."""
    some, fewer = outcomes()
    monkeypatch.setattr(interleaving, "_touch", lambda _one, _other: True)
    every, more = outcomes()
    assert fewer < more
    assert some == every


def outcomes() -> tuple[set[str], int]:
    """What the actors saw, over all orders, and how many orders were played."""
    found: set[str] = set()

    def begin() -> tuple[World, list[Act], Callable[[], None]]:
        changes, seen = {"jobs": 0, "stack": 0}, {}  # type: dict[str, int], dict[int, list[int]]

        def acting(number: int, calls: list[str]) -> Act:
            def act(clients: SwitchedClients) -> None:
                for call in calls:
                    clients.wait(call)
                    place, is_change = interleaving.CALLS[call]
                    changes[place] += is_change
                    seen.setdefault(number, []).append(-1 if is_change else changes[place])

            return act

        acts = [
            acting(1, ["list_jobs", "create_job"]),
            acting(2, ["describe_job", "describe_stacks"]),
            acting(3, ["turn back", "stop_job"]),
        ]
        return World(), acts, lambda: found.add(str(sorted(seen.items())))

    return found, interleaving.each_order(begin)
