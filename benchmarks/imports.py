"""What importing the package adds to importing aws_cdk."""

from collections.abc import Iterator
from functools import partial

from benchmarks import programs
from benchmarks.side_by_side import RUNS, Row, in_turn, ratio

TIMED = "import time; begun = time.perf_counter(); {}; print(time.perf_counter() - begun)"
BARE = "import aws_cdk"
OURS = {"import agent_rft": 1.10, "from agent_rft import MultiTurnRLTrainer": 1.27}
"""What a program writes, with the goal; a trainer's import also loads aws_iam, aws_s3, aws_kms and aws_sagemaker."""


def rows() -> Iterator[Row]:
    """One row for each way to import it."""
    for line, goal in OURS.items():
        both = in_turn(partial(_seconds, f"{BARE}; {line}"), partial(_seconds, BARE), 2 * RUNS + 1)
        yield ratio(f"`{BARE}; {line}`", f"`{BARE}`", *both, goal, "s")


def _seconds(lines: str) -> float:
    return float(programs.printed(programs.python("-c", TIMED.format(lines))))
