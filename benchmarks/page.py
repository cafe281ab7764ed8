"""docs/performance.md: the rows of one run, on what they ran, and how they were taken."""

import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version

from oracle.recording import SDK_VERSION

from benchmarks.side_by_side import RUNS, Row
from docs.table import table

HEAD = ("Figure", "Against", "Ours", "Theirs", "Ratio, or ours", "Goal: at most", "Met")

ABOUT = """# Speed, as ratios

Written by `make bench`: no number here is typed. Both sides ran in turn on the same machine, {runs} runs or more each,
and the medians are compared; the submissions went to the same local AWS. A busy machine moves the seconds more than the
ratios. Nothing in the tests is timed.

{rows}
*By hand* is benchmarks/by_hand.py, *the SDK* is sagemaker-train {sdk}. Cold means a new process, with botocore's own
files in the page cache. A submission's time ends when our handler has answered CloudFormation, and when the SDK's
`train` returns. Further trainers share bucket, role and groups, as the points of a sweep do.

{missed}## API calls of a submission

{calls}
## The machine

{machine}
"""


def text(rows: Iterable[Row], calls: Mapping[str, Sequence[str]]) -> str:
    """The whole page."""
    every = list(rows)
    return ABOUT.format(
        runs=RUNS - 2,
        rows=table(HEAD, map(_cells, every)),
        sdk=SDK_VERSION,
        missed=_missed(every),
        calls=_calls(calls),
        machine=_machine(),
    )


def shown(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, each printed as it comes."""
    for row in rows:
        print(" | ".join(_cells(row)), flush=True)
        yield row


def _cells(row: Row) -> tuple[str, ...]:
    result, goal = (f"{each:.2f}" if row.unit == "" else f"{each:,.4g} {row.unit}" for each in (row.result, row.goal))
    return row.figure, row.against, row.ours, row.theirs, result, goal, "yes" if row.is_met else "**no**"


def _missed(rows: Iterable[Row]) -> str:
    """What the profile says of each goal that is missed; nothing where all are met."""
    lines = [f"- {each.figure}: {each.why or 'no reason is known.'}\n" for each in rows if not each.is_met]
    return "\n".join(["## Why a goal is missed\n", "".join(lines), ""]) if lines else ""


def _calls(calls: Mapping[str, Sequence[str]]) -> str:
    rows = [(whose, ", ".join(f"{n} x `{call}`" for call, n in Counter(made).items())) for whose, made in calls.items()]
    return table(("Whose", "Calls, of a warm process"), rows)


def _machine() -> str:
    versions = (f"{name} {version(name)}" for name in ("aws-cdk-lib", "jsii", "boto3", "ministack"))
    return (
        f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}, {', '.join(versions)}."
    )
