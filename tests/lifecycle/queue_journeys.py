"""What people and CloudFormation do with a stack that has a queue; each calls ``strike`` where a fault is to hit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from handler.queued import Machine, QueueWorld
from lifecycle.stack import Deployment, Stack

from agent_rft_handler.declaration import Declaration

Rows = Mapping[str, Mapping[str, str]]

ABC: Rows = {"a": {"max_epochs": "1"}, "b": {"max_epochs": "2"}, "c": {"max_epochs": "3"}}
AB: Rows = {name: ABC[name] for name in "ab"}
CHANGED: Rows = {"a": {"max_epochs": "9"}, "b": ABC["b"]}
LATER = Deployment(later_fails=True)


@dataclass
class Play:
    """A stack with a queue, and its state machine."""

    world: QueueWorld
    stack: Stack
    machine: Machine
    strike: Callable[[], None]

    def until_done(self, rows: Rows) -> None:
        """Deploys until it succeeds; a fault strikes once, so the second or third time."""
        for _ in range(4):
            if self.stack.deploy(declared(rows)):
                return
        raise AssertionError("it cannot be deployed")

    def until_runs(self, row: str) -> None:
        self.machine.run(until=lambda: row in self.world.made())


def declared(rows: Rows) -> Declaration:
    """What the stack takes for a declaration, the world for rows."""
    return cast("Declaration", rows)


def create(play: Play) -> None:
    play.strike()
    play.until_done(AB)


def add(play: Play) -> None:
    play.until_done(AB)
    play.until_runs("a")
    play.strike()
    play.until_done(ABC)


def remove(play: Play) -> None:
    play.until_done(ABC)
    play.until_runs("b")
    play.strike()
    play.until_done({"a": ABC["a"], "c": ABC["c"]})


def change(play: Play) -> None:
    play.until_done(AB)
    play.until_runs("a")
    play.strike()
    play.until_done(CHANGED)


def come_back(play: Play) -> None:
    play.until_done(AB)
    play.until_runs("a")
    play.until_done({"b": ABC["b"]})
    play.strike()
    play.until_done(AB)


def create_rolls_back(play: Play) -> None:
    play.strike()
    play.stack.deploy(declared(AB), LATER)


def update_rolls_back(play: Play) -> None:
    play.until_done(AB)
    play.until_runs("a")
    play.strike()
    play.stack.deploy(declared(CHANGED), LATER)


def answer_lost(play: Play) -> None:
    play.until_done(AB)
    play.strike()
    play.stack.deploy(declared(ABC), Deployment(answer_lost=True))


def delivered_twice(play: Play) -> None:
    play.until_done(AB)
    play.strike()
    if not play.stack.deploy(declared(ABC), Deployment(delivered_twice=True)):
        play.until_done(ABC)


def destroy(play: Play) -> None:
    play.until_done(AB)
    play.until_runs("a")
    play.strike()
    play.stack.destroy()


JOURNEYS = (
    create,
    add,
    remove,
    change,
    come_back,
    create_rolls_back,
    update_rolls_back,
    answer_lost,
    delivered_twice,
    destroy,
)
