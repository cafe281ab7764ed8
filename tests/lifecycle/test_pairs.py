"""Every pair of faults, at every two calls of every scenario, each before or after its effect.

The scenarios are those of the matrix. Which calls a scenario makes is read off a run without faults; a second fault may
also strike at calls that only the first one leads to.
"""

import itertools
import logging
from collections.abc import Iterator

import pytest
from handler.world import World
from lifecycle.faults import StruckClients
from lifecycle.promises import LONG, require
from lifecycle.scenarios import SCENARIOS, Scenario
from lifecycle.stack import Stack

from agent_rft_local import store

SINGLE = (
    "5xx before",
    "throttled",
    "timed out by the service",
    "denied",
    "killed before",
    "5xx after",
    "no answer",
    "killed after",
)
PAIRED = ("throttled", "denied", "killed before", "no answer", "killed after")
"""One of each sort: the others are told apart by ``errors`` alone, which the single faults show."""

CHANGES = {"create_job", "stop_job"}
"""The calls that start and end what costs money."""

FURTHER = 6
"""How many calls beyond those of a run without faults a second fault may strike."""

Plan = dict[int, str]


def calls_of(scenario: Scenario) -> list[str]:
    """The calls that the handler makes from the strike on, when nothing goes wrong."""
    return run(scenario, {})


def run(scenario: Scenario, plan: Plan) -> list[str]:
    """Runs the scenario with the faults and judges it; the calls that were made from the first strike on."""
    world = World()
    store.clock = lambda: world.clock.now
    store.behaviour.running_jobs, store.behaviour.job_seconds = scenario.quota, LONG
    stack, struck = Stack(world, scenario.is_older, scenario.retains), StruckClients(world, plan)

    def strike() -> None:
        world.clients = struck

    scenario.run(world, stack, strike)
    calls = list(struck.calls)
    world.clients = world
    stack.settle()
    world.clock.now += 60
    require(world, stack, runs=scenario.runs)
    return calls


def pairs(calls: list[str]) -> Iterator[Plan]:
    """Two faults at any two calls."""
    for first, second in itertools.combinations(range(1, len(calls) + FURTHER + 1), 2):
        if first <= len(calls):
            for kinds in itertools.product(PAIRED, repeat=2):
                yield dict(zip((first, second), kinds, strict=True))


def around_changes(calls: list[str]) -> Iterator[Plan]:
    """Of the pairs, those whose first fault strikes a call that starts or ends a job, with what comes soon after."""
    for first, name in enumerate(calls, start=1):
        if name in CHANGES:
            for second, kinds in itertools.product(range(first + 1, first + 6), itertools.product(PAIRED, repeat=2)):
                yield dict(zip((first, second), kinds, strict=True))


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(store, "clock", store.clock)
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("heading", SCENARIOS)
def test_one_fault_at_any_call_leaves_no_job_unknown_and_none_twice(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for call in range(1, len(calls_of(scenario)) + 1):
        for kind in SINGLE:
            judged(scenario, {call: kind})


@pytest.mark.parametrize("heading", SCENARIOS)
def test_two_faults_around_a_submission_or_a_stop_do_neither(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for plan in around_changes(calls_of(scenario)):
        judged(scenario, plan)


@pytest.mark.exhaustive
@pytest.mark.parametrize("heading", SCENARIOS)
def test_two_faults_at_any_two_calls_do_neither(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for plan in pairs(calls_of(scenario)):
        judged(scenario, plan)


def judged(scenario: Scenario, plan: Plan) -> None:
    try:
        run(scenario, plan)
    except AssertionError as error:
        raise AssertionError(f"{scenario.heading}, {plan}: {error}") from error
