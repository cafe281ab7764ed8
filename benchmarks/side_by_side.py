"""Two contenders run in turn, and what comes of it: a row with both medians and their ratio."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 7
"""Of each contender, in turn; an odd number, so that the median is one of them."""


@dataclass(frozen=True)
class Row:
    """One figure of the page.

    Args:
        figure: What is measured.
        against: What it is compared with.
        ours: Our value, with its unit.
        theirs: The other's, with its unit; empty where there is none.
        result: What is held against the goal.
        goal: The most that it should be.
        unit: What ``result`` and ``goal`` count; nothing for a ratio.
        why: What keeps it from its goal, where that is known; said of a goal that is missed.
    """

    figure: str
    against: str
    ours: str
    theirs: str
    result: float
    goal: float
    unit: str = ""
    why: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the goal is met, in the digits that the page shows."""
        return round(self.result, 2) <= round(self.goal, 2)


def in_turn(ours: Callable[[], float], theirs: Callable[[], float], runs: int = RUNS) -> tuple[float, float]:
    """The medians of both: each goes first every other time, so that a slow minute of the machine meets both."""
    values: dict[Callable[[], float], list[float]] = {ours: [], theirs: []}
    for turn in range(runs):
        for contender in (ours, theirs) if turn % 2 else (theirs, ours):
            values[contender].append(contender())
    return statistics.median(values[ours]), statistics.median(values[theirs])


def ratio(figure: str, against: str, ours: float, theirs: float, goal: float, unit: str, why: str = "") -> Row:
    """A row whose result is ours divided by theirs."""
    return Row(figure, against, f"{ours:,.3g} {unit}", f"{theirs:,.3g} {unit}", ours / theirs, goal, why=why)
