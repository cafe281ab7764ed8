"""What must hold after whatever happened: the judge of every test in this folder."""

from collections import Counter

from handler.world import World
from lifecycle.stack import Stack

from agent_rft_handler.facts import OWN_TAGS
from agent_rft_local import store

LONG = 24 * 3600.0
"""Seconds that a job runs; longer than any scenario."""


def require(world: World, stack: Stack, *, runs: bool | None) -> None:
    """Nothing runs that the stack does not know, its own job runs if it should, and nothing was submitted twice."""
    assert stack.healthy, stack.owed
    running = set(world.running())
    assert stack.is_in_doubt or running <= stack.accounted_for, (
        f"unknown to the stack: {running} beside {stack.accounted_for}"
    )
    if runs is not None:
        assert (stack.pid in running) == runs, f"{stack.pid!r} {world.jobs()}"
    twice = [request for request, times in Counter(requests()).items() if times > 1]
    assert not twice, f"submitted twice for {twice}"


def requests() -> list[str]:
    """The request of CloudFormation's behind each job that was ever made."""
    return [
        next(tag["Value"] for tag in call["request"]["Tags"] if tag["Key"] == OWN_TAGS["request"])
        for call in store.calls
        if call["operation"] == "CreateJob" and call["done"]
    ]
