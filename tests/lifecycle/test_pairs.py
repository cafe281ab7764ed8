"""Every pair of faults, at every two calls of every scenario, each before or after its effect.

The scenarios are those of the matrix. Which calls a scenario makes is read off a run without faults, and which calls a
second fault may strike off a run with the first: one that strikes no call would only repeat that run.
"""

import itertools

import pytest
from handler.world import World
from lifecycle.faults import StruckClients
from lifecycle.promises import LONG, require
from lifecycle.scenarios import SCENARIOS, Scenario
from lifecycle.stack import Stack

from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION, Category
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

SOON, ANY = 5, 10**6
"""How many calls after the first fault the second may strike."""

Plan = dict[int, str]


def run(scenario: Scenario, plan: Plan, category: Category = AGENT_RFT) -> list[str]:
    """Runs the scenario with the faults and judges it; the calls that were made from the first strike on."""
    world = World(category)
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


def judge_pairs(scenario: Scenario, first: int, reach: int) -> None:
    """A fault at the first call, and another at each of the ``reach`` calls that follow as far as there are any."""
    for kind in PAIRED:
        made = len(judged(scenario, {first: kind}))
        for second, other in itertools.product(range(first + 1, min(first + reach, made) + 1), PAIRED):
            judged(scenario, {first: kind, second: other})


@pytest.mark.parametrize("heading", SCENARIOS)
def test_one_fault_at_any_call_leaves_no_job_unknown_and_none_twice(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for call in range(1, len(judged(scenario, {})) + 1):
        for kind in SINGLE:
            judged(scenario, {call: kind})


@pytest.mark.parametrize("heading", SCENARIOS)
def test_an_evaluation_keeps_the_promises_too(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for call in range(1, len(judged(scenario, {}, AGENT_RFT_EVALUATION)) + 1):
        for kind in PAIRED:
            judged(scenario, {call: kind}, AGENT_RFT_EVALUATION)


@pytest.mark.slow
@pytest.mark.parametrize("heading", SCENARIOS)
def test_two_faults_around_a_submission_or_a_stop_do_neither(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for call, name in enumerate(judged(scenario, {}), start=1):
        if name in CHANGES:
            judge_pairs(scenario, call, SOON)


@pytest.mark.exhaustive
@pytest.mark.parametrize("heading", SCENARIOS)
def test_two_faults_at_any_two_calls_do_neither(heading: str) -> None:
    scenario = SCENARIOS[heading]
    for call in range(1, len(judged(scenario, {})) + 1):
        judge_pairs(scenario, call, ANY)


def judged(scenario: Scenario, plan: Plan, category: Category = AGENT_RFT) -> list[str]:
    try:
        return run(scenario, plan, category)
    except AssertionError as error:
        raise AssertionError(f"{scenario.heading}, {plan}: {error}") from error
