"""Synthesizing 1, 10, 100 and 200 trainers, and what a trainer adds to a template."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import programs
from benchmarks.questions import questions
from benchmarks.side_by_side import RUNS, Row, in_turn, ratio
from benchmarks.stacks import with_trainers, without

BY_HAND = "the same resources by hand, plain aws-cdk-lib"
COUNTS = {1: RUNS, 10: RUNS, 100: RUNS}
"""How many trainers a stack has, and how often each is synthesized."""


def rows() -> Iterator[Row]:
    """Times, whether they grow in line with the count, resources and bytes."""
    ours: dict[int, float] = {}
    why = _why()
    for count, runs in COUNTS.items():
        ours[count], theirs = in_turn(_seconds("trainers", count), _seconds("by-hand", count), runs)
        trainers = "1 trainer" if count == 1 else f"{count} trainers"
        yield ratio(f"synth of {trainers}", BY_HAND, ours[count], theirs, 1.10, "s", why)
    yield _linear(ours[1])
    yield from _template_rows()


def _linear(one: float) -> Row:
    """Of hundreds, as a few trainers add less than two runs differ by."""
    hundred, two_hundred = in_turn(_seconds("trainers", 100), _seconds("trainers", 200), RUNS)
    late, early = (two_hundred - hundred) / 100, (hundred - one) / 99
    return ratio("a trainer's share of the synth, between 100 and 200", "between 1 and 100", late, early, 1.25, "s")


def _why() -> str:
    (one, two), (one_by_hand, two_by_hand) = ([questions(way, n) for n in (1, 2)] for way in (with_trainers, without))
    return (
        f"CDK's process is asked {one} things for the first trainer, {one_by_hand} by hand: the policies are laid out, "
        f"and cdk-nag's findings acknowledged. A second trainer takes {two - one} (the warning of the quota is one of "
        f"them), by hand {two_by_hand - one_by_hand}. The rest are the checks of the arguments, in Python, and the "
        "larger template, which CDK validates."
    )


def _template_rows() -> Iterator[Row]:
    (one, two), (one_by_hand, two_by_hand) = ([_measured(way, n) for n in (1, 2)] for way in ("trainers", "by-hand"))
    ours, theirs = one["resources"], one_by_hand["resources"]
    if ours.keys() != theirs.keys():
        raise RuntimeError(f"the stack by hand is another one: {ours}, {theirs}")
    smallest, by_hand = sum(ours.values()), sum(theirs.values())
    yield Row("resources of the smallest stack", BY_HAND, str(smallest), str(by_hand), smallest, 11, "resources")
    added, added_by_hand = sum(two["resources"].values()) - smallest, sum(two_by_hand["resources"].values()) - by_hand
    yield Row("resources of each further trainer", BY_HAND, str(added), str(added_by_hand), added, 1, "resources")
    added_bytes = (two["bytes"] - one["bytes"], two_by_hand["bytes"] - one_by_hand["bytes"])
    yield ratio("template bytes of each further trainer", BY_HAND, *added_bytes, 1.2, "bytes")


def _seconds(way: str, count: int) -> Callable[[], float]:
    return partial(lambda: float(_measured(way, count)["seconds"]))


def _measured(way: str, count: int) -> dict[str, Any]:
    return dict(programs.printed(programs.python("-m", "benchmarks.stacks", way, str(count))))
