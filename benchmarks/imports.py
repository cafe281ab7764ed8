"""What importing the package adds to importing aws_cdk."""

from collections.abc import Iterator
from functools import partial

from benchmarks import programs
from benchmarks.side_by_side import RUNS, Row, in_turn, ratio

TIMED = "import time; begun = time.perf_counter(); {}; print(time.perf_counter() - begun)"
BARE = "import aws_cdk"
MODULES = f"{BARE}; from aws_cdk import aws_iam, aws_kms, aws_s3, aws_sagemaker"
"""What a trainer's own import loads of aws_cdk, as any program with a role and a bucket does."""

TRAINER = "from agent_rft import MultiTurnRLTrainer"
ROWS = (
    ("import agent_rft", BARE, 1.10, ""),
    (
        TRAINER,
        BARE,
        1.27,
        "most of it are four modules of aws_cdk itself, as the next row shows; a trainer makes a role, a bucket and "
        "groups by them. Of the rest a third is Python making dataclasses.",
    ),
    (TRAINER, MODULES, 1.10, "a third of it is Python making dataclasses, the rest seventy small modules."),
)
"""What a program writes, against what, the goal, and what keeps it from that."""


def rows() -> Iterator[Row]:
    """One row for each way to import it, compiled, as pip compiles what it installs."""
    programs.timed(programs.python("-m", "compileall", "-q", "constructs", "lambda"))
    for line, against, goal, why in ROWS:
        both = in_turn(partial(_seconds, f"{against}; {line}"), partial(_seconds, against), 2 * RUNS + 1)
        yield ratio(f"`{line}`, after the other", f"`{against}`", *both, goal, "s", why)


def _seconds(lines: str) -> float:
    return float(programs.printed(programs.python("-c", TIMED.format(lines))))
