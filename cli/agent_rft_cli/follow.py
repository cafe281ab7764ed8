"""A job looked at again and again until it ends: what `watch` and `logs --follow` share."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator

from agent_rft_cli.failures import passes
from agent_rft_cli.job import Job
from agent_rft_cli.options import seconds
from agent_rft_cli.which_job import FoundJob
from agent_rft_handler.errors import AWS_ERRORS

LONGEST_INTERVAL = 120.0
"""How far apart two looks get while AWS does not answer, in seconds."""


def add_options(parser: argparse.ArgumentParser, interval: float) -> None:
    """How often to look; ``interval`` seconds without the option."""
    parser.add_argument(
        "--interval", type=seconds, default=interval, metavar="SECONDS", help="between two looks (default: %(default)g)"
    )


@contextlib.contextmanager
def left_alone(job: Job, doing: str) -> Iterator[None]:
    """Says at Ctrl-C that only the command ends."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"\nNo longer {doing}. The job {job.name} is left alone.", file=sys.stderr)
        raise


def until_it_ends(
    found: FoundJob,
    interval: float,
    *,
    show: Callable[[Job], None],
    wait: Callable[[float], None],
    missed: Callable[[Exception], None] = lambda _error: None,
) -> Job:
    """Shows the job as it is at each look; the job as it ended.

    Args:
        found: The job, as it is at the first look.
        interval: Between two looks, in seconds; longer while AWS does not answer.
        show: Is given the job; what AWS does not answer in it is asked for again, too.
        wait: Waits so many seconds.
        missed: Is told of a look for which AWS did not answer.

    Raises:
        Deleted: when the job is gone.
    """
    first: Job | None = found.job
    pause = interval
    while True:
        try:
            job, first = first or found.again(), None
            show(job)
            if job.is_over:
                return job
            pause = interval
        except AWS_ERRORS as error:
            if not passes(error):
                raise
            pause = min(2 * pause, max(interval, LONGEST_INTERVAL))
            missed(error)
        wait(pause)
