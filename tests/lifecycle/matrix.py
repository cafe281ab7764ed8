"""The fault matrix: each fault in each scenario, and docs/fault-matrix.md of what came of it."""

import itertools
from dataclasses import dataclass
from pathlib import Path

from handler.world import World
from lifecycle.promises import LONG, require
from lifecycle.scenarios import SCENARIOS
from lifecycle.stack import Stack

from agent_rft_local import store

TARGET = Path(__file__).parents[2] / "docs" / "fault-matrix.md"

FAULTS: dict[str, tuple[tuple[str, str, int], ...]] = {
    "none": (),
    "CreateJob: throttled twice": (("CreateJob", "throttled", 2),),
    "CreateJob: 5xx before the effect": (("CreateJob", "error_before", 1),),
    "CreateJob: 5xx after the effect": (("CreateJob", "error_after", 1),),
    "CreateJob: connection reset": (("CreateJob", "reset", 1),),
    "CreateJob: no answer in time": (("CreateJob", "slow", 1),),
    "CreateJob: denied": (("CreateJob", "denied", 1),),
    "CreateJob: role not known yet, 4 times": (("CreateJob", "role_not_ready", 4),),
    "DescribeJob: throttled": (("DescribeJob", "throttled", 1),),
    "DescribeJob: 5xx, twice": (("DescribeJob", "error_before", 2),),
    "DescribeJob: denied": (("DescribeJob", "denied", 1),),
    "ListJobs: 5xx": (("ListJobs", "error_before", 1),),
    "ListTags: connection reset": (("ListTags", "reset", 1),),
    "StopJob: 5xx before the effect": (("StopJob", "error_before", 1),),
    "StopJob: 5xx after the effect": (("StopJob", "error_after", 1),),
    "StopJob: denied": (("StopJob", "denied", 1),),
    "StopJob: job disappears": (("StopJob", "gone", 1),),
    "AddTags: 5xx before the effect": (("AddTags", "error_before", 1),),
    "AddTags: no answer in time": (("AddTags", "slow", 1),),
    "AddTags: denied": (("AddTags", "denied", 1),),
    "DescribeHubContent: 5xx": (("DescribeHubContent", "error_before", 1),),
    "every call: throttled once": (("*", "throttled", 1),),
    "every call: denied, 3 times": (("*", "denied", 3),),
}

CELLS = tuple(itertools.product(FAULTS, SCENARIOS))
"""The fault and the scenario of each."""


@dataclass(frozen=True)
class Cell:
    """What came of a fault in a scenario."""

    seconds: float
    events_refused: int

    @property
    def text(self) -> str:
        """``ok``; with the seconds waited inside an event; with the events that had to be sent or deployed again."""
        waited = f" {self.seconds:.0f} s" if self.seconds >= 1 else ""
        return f"ok{waited}" + (f" ↻{self.events_refused}" if self.events_refused else "")


def cell(fault: str, heading: str) -> Cell:
    """Runs the scenario with the fault and checks what must hold afterwards."""
    scenario, world = SCENARIOS[heading], World()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        world.clock.now += seconds

    store.clock = lambda: world.clock.now
    world.clock.sleep = sleep  # type: ignore[method-assign]
    store.behaviour.running_jobs = scenario.quota
    store.behaviour.job_seconds = LONG
    stack = Stack(world, scenario.is_older, scenario.retains)

    def strike() -> None:
        slept.clear()
        stack.refused = 0
        for operation, kind, times in FAULTS[fault]:
            world.fail(operation, kind, times)

    scenario.run(world, stack, strike)
    waited, refused = sum(slept), stack.refused
    store.behaviour.faults.clear()
    stack.settle()
    world.clock.now += 60  # what was asked to stop has stopped
    require(world, stack, runs=scenario.runs)
    assert len(world.effects()) in scenario.submitted, world.effects()
    return Cell(waited, refused)


def page(cells: dict[tuple[str, str], Cell]) -> str:
    """docs/fault-matrix.md."""
    headings = list(SCENARIOS)
    lines = [
        "# The fault matrix",
        "",
        "Made by `make golden`, from a run; tests/lifecycle/test_matrix.py runs it again.",
        "",
        "Each row is a fault that strikes at the scenario's critical step, each column a scenario, at event level",
        "against the local SageMaker, whose client does not retry (a real one hides one to three of these). In every",
        "cell, afterwards: as many jobs submitted as declared, every running job known to the stack, and the stack",
        "healthy.",
        "",
        "`ok`: at once. `ok 6 s`: after six seconds of back-off inside the event. `↻2`: two events were refused on the",
        "way, with a readable sentence, and the next deployment, rollback or delete came through. A refusal that the",
        "scenario itself is about (`refuse`, a foreign namesake, an overtaken create) counts, too.",
        "",
        "| Fault | " + " | ".join(headings) + " |",
        "|---" * (len(headings) + 1) + "|",
    ]
    lines += [f"| {fault} | " + " | ".join(cells[fault, name].text for name in headings) + " |" for fault in FAULTS]
    return "\n".join(lines) + "\n"
