"""Mutation testing: which small wrongs in a module do its tests not see?

``make mutation MODULE=agent_rft_handler.job.names`` prints every mutant that survives the tests that matter to the
module, and keeps the outcome; docs/mutation.md is written from what is kept. ``SAMPLE=15`` tries that percentage of a
module's wrongs, always the same ones. The checkout itself is never changed.

Not mutmut, which names modules by their path below ``src`` (ours lie in four source roots), nor cosmic-ray, which
starts an interpreter for each mutant and writes it into the checkout.
"""

import argparse
import ast
import json
import random
import resource
from pathlib import Path

from scripts.mutation.judge import seen
from scripts.mutation.mutants import Mutant, mutants
from scripts.mutation.page import KEPT, PAGE, page
from scripts.mutation.tests import ROOT, path_of, stages_of


def _seconds() -> float:
    """What the tests so far took of the processor."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def survivors(module: str, tried: list[Mutant]) -> list[Mutant]:
    """Those that no test sees."""
    source, left = path_of(module).read_text(), tried
    for tests in stages_of(module):
        begun = _seconds()
        if any(seen(module, [ast.parse(source)], tests, 600)):
            raise SystemExit(f"the tests of {module} fail without a mutant: {' '.join(tests)}")
        seconds = 4 * (_seconds() - begun) + 3
        answers = seen(module, [each.tree for each in left], tests, seconds)
        left = [each for each, is_seen in zip(left, answers, strict=True) if not is_seen]
    return left


def sample(module: str, every: list[Mutant], percentage: int) -> list[Mutant]:
    """So many of a module's wrongs, at least eight; the same ones each time."""
    size = min(len(every), max(8, len(every) * percentage // 100))
    chosen = set(random.Random(module).sample(range(len(every)), size))  # noqa: S311 - nothing to guess
    return [each for place, each in enumerate(every) if place in chosen]


def keep(module: str, left: list[Mutant], tried: int, every: int) -> None:
    """Says what came of it, and keeps it for the page."""
    lines = path_of(module).read_text().splitlines()
    rows = [{"wrong": each.wrong, "code": lines[each.line - 1].strip() if each.line else ""} for each in left]
    for each, row in zip(left, rows, strict=True):
        print(f"{path_of(module).relative_to(ROOT)}:{each.line}: {row['wrong']}: {row['code']}", flush=True)
    print(f"{module}: {tried} mutants of {every}, {len(left)} not seen", flush=True)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    kept[module] = {"of": every, "tried": tried, "left": rows}
    is_there = {each: row for each, row in kept.items() if path_of(each).exists()}
    KEPT.write_text(json.dumps(is_there, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="as they are imported; without any, the page alone is written")
    parser.add_argument("--sample", type=int, default=100, help="which percentage of a module's wrongs to try")
    given = parser.parse_args()
    for module in given.modules:
        every = list(mutants(path_of(module).read_text()))
        tried = sample(module, every, given.sample)
        keep(module, survivors(module, tried), len(tried), len(every))
    Path(PAGE).write_text("\n".join(page()) + "\n")


if __name__ == "__main__":
    main()
