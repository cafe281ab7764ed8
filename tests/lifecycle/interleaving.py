"""Two deliveries at once, switched at every call that sees or changes a job or the stack: all orders, one by one.

Each delivery runs in a thread of its own, and only one runs at a time: before each of those calls it waits to be let
on. The orders are enumerated depth first by replay. Orders that differ only in which of two calls comes first that do
not touch each other (two reads, say) are one order: sleep sets leave out the others (Godefroid 1996).
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from handler.world import Through, World, WorldClients

READS, WRITES = False, True
CALLS = {
    "begin": ("nothing", READS),
    "describe_stacks": ("stack", READS),
    "turn back": ("stack", WRITES),
    "list_jobs": ("jobs", READS),
    "describe_job": ("jobs", READS),
    "list_tags": ("jobs", READS),
    "create_job": ("jobs", WRITES),
    "stop_job": ("jobs", WRITES),
}
"""The calls whose order matters, and what they touch; the others give the same whenever they are made."""


@dataclass
class Actor:
    """One delivery: what it does, the call that it waits to make, and the gate at which it waits."""

    act: Callable[["SwitchedClients"], None]
    call: str = "begin"
    gate: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    waits: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    is_done: bool = False
    error: BaseException | None = None


@dataclass
class SwitchedClients(WorldClients):
    """The world's clients for one actor: each call whose order matters first waits for its turn."""

    actor: Actor

    @property
    def sagemaker(self) -> Any:
        return Through(self.world.sagemaker, self._in_turn)

    @property
    def cloudformation(self) -> Any:
        return Through(self.world.cloudformation, self._in_turn)

    def _in_turn(self, name: str, function: Callable[..., Any], request: dict[str, Any]) -> Any:
        if name in CALLS:
            self.wait(name)
        return function(**request)

    def wait(self, call: str) -> None:
        """Lets the others on, until this call's turn comes."""
        self.actor.call = call
        self.actor.waits.release()
        self.actor.gate.acquire()


@dataclass
class Step:
    """A point at which more than one order goes on: who could, who did, and who need not any more."""

    calls: dict[int, str]
    asleep: set[int]
    chosen: int = -1
    tried: set[int] = field(default_factory=set)

    def choose(self) -> bool:
        """Goes on with an actor that was not tried; whether there is one."""
        left = [actor for actor in self.calls if actor not in self.asleep | self.tried]
        self.chosen = left[0] if left else -1
        self.tried |= set(left[:1])
        return bool(left)

    def asleep_after(self) -> set[int]:
        """Who would only repeat what was tried: what they wait to do does not touch what was done here."""
        others = (self.asleep | self.tried) - {self.chosen}
        return {each for each in others if not _touch(self.calls[each], self.calls[self.chosen])}


def each_order(begin: Callable[[], tuple[World, list[Callable[[SwitchedClients], None]], Callable[[], None]]]) -> int:
    """Plays every order, each in a world of its own, and judges it; how many there were."""
    steps: list[Step] = []
    played = 0
    while True:
        world, acts, judge = begin()
        _play(world, acts, steps)
        judge()
        played += 1
        while steps and not steps[-1].choose():
            steps.pop()
        if not steps:
            return played


def _play(world: World, acts: list[Callable[[SwitchedClients], None]], steps: list[Step]) -> None:
    """Replays the steps, and goes on with new ones."""
    actors = list(_started(world, acts))
    depth, is_new = 0, True
    while open_ones := {number: each for number, each in enumerate(actors) if not each.is_done}:
        if depth == len(steps) and is_new:
            asleep = steps[-1].asleep_after() if steps else set()
            step = Step({number: each.call for number, each in open_ones.items()}, asleep & set(open_ones))
            is_new = step.choose()  # else every order from here on was played already
            steps += [step] if is_new else []
        chosen = steps[depth].chosen if depth < len(steps) else min(open_ones)
        depth += 1
        actors[chosen].gate.release()
        actors[chosen].waits.acquire()
    for each in actors:
        if each.error:
            raise each.error


def _started(world: World, acts: list[Callable[[SwitchedClients], None]]) -> Iterator[Actor]:
    for act in acts:
        actor = Actor(act)
        threading.Thread(target=_body, args=(world, actor), daemon=True).start()
        actor.waits.acquire()
        yield actor


def _body(world: World, actor: Actor) -> None:
    clients = SwitchedClients(world, actor)
    clients.wait("begin")
    try:
        actor.act(clients)
    except BaseException as error:  # noqa: BLE001 - told to whoever plays the actors
        actor.error = error
    actor.is_done = True
    actor.waits.release()


def _touch(one: str, other: str) -> bool:
    """Whether the order of the two calls matters."""
    (place, changes), (other_place, other_changes) = CALLS[one], CALLS[other]
    return place == other_place and (changes or other_changes)
