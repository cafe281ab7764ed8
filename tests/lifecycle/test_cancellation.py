"""A deployment that is cancelled at every second of every wait, and what CloudFormation then sends.

Time passes only where the handler sleeps, so all the seconds of one sleep are one case: the next is tried with the
first second after it.
"""

import math
from collections.abc import Iterator
from functools import partial

import pytest
from handler.world import World
from lifecycle.promises import LONG, require
from lifecycle.stack import MADE_UP, Stack

from agent_rft_handler.declaration import Declaration
from agent_rft_local import store

LAST = 600
STOPS_AFTER = 480


class CancelledWorld(World):
    """A world whose stack turns back at a given second of the event that is sent then."""

    turned_back = float(LAST)
    """The second at which it did: the sleep during which it was cancelled ends then."""

    def cancel_after(self, seconds: float, status: str) -> None:
        begun, sleep = self.clock.now, self.clock.sleep

        def sleeping(pause: float) -> None:
            sleep(pause)
            if self.clock.now - begun >= seconds:
                self.turned_back = min(self.turned_back, self.clock.now - begun)
                self.cloudformation.status = status

        self.clock.sleep = sleeping  # type: ignore[method-assign, assignment]


def each_second() -> Iterator[tuple[int, CancelledWorld]]:
    """A fresh world for each second at which a cancellation makes a difference, and at last for one too late."""
    second = 0
    while second < LAST:
        world = CancelledWorld()
        store.clock = partial(getattr, world.clock, "now")
        store.behaviour.job_seconds = LONG
        yield second, world
        second = math.floor(world.turned_back) + 1


@pytest.mark.parametrize("fault", ["role_not_ready", "throttled", "error_after"])
def test_a_create_that_is_cancelled_at_any_second_leaves_nothing_running(fault: str) -> None:
    for second, world in each_second():
        declaration = world.declaration()
        world.fail("CreateJob", fault, times=5)
        if fault == "error_after":
            world.fail("DescribeJob", "error_before", times=9)
        world.cloudformation.status = "CREATE_IN_PROGRESS"
        world.cancel_after(second, "ROLLBACK_IN_PROGRESS")
        answer = world.answer(world.event("Create", declaration))
        store.behaviour.faults.clear()
        undone(world, declaration, str(answer["PhysicalResourceId"]))


def test_an_update_that_stops_first_and_is_cancelled_at_any_second_starts_nothing() -> None:
    for second, world in each_second():
        store.behaviour.stop_seconds = STOPS_AFTER
        old, new = world.declaration(), world.declaration(run_id="2", replacement="stop_first")
        stack = Stack(world)
        stack.deploy(old)
        world.cloudformation.status = "UPDATE_IN_PROGRESS"
        world.clock.deadline = world.clock.now + 600
        world.cancel_after(second, "UPDATE_ROLLBACK_IN_PROGRESS")
        answer = world.answer(world.event("Update", new, pid=stack.pid, old=old))
        if answer["Status"] == "SUCCESS":  # the answer came before the cancellation
            assert second > STOPS_AFTER
            continue
        world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
        world.clock.deadline = world.clock.now + 600
        assert world.deliver("Update", old, pid=stack.pid, old=new)["PhysicalResourceId"] == stack.pid
        world.clock.now += 600
        require(world, stack, runs=False)
        assert world.running() == []


def undone(world: World, declaration: Declaration, pid: str) -> None:
    """The rollback's Delete, by the answered id and by a made-up one, as the answer may have come too late."""
    world.cloudformation.status = "ROLLBACK_IN_PROGRESS"
    for known in (pid, MADE_UP):
        world.clock.deadline = world.clock.now + 600
        world.deliver("Delete", declaration, pid=known)
    world.clock.now += 600
    assert world.running() == []
