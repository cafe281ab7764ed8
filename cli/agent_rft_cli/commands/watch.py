"""``agent-rft watch``: a job until it ends."""

import argparse
import sys

from agent_rft_cli import rewards, screen, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import passes, sentence
from agent_rft_cli.job import Job
from agent_rft_cli.options import seconds
from agent_rft_cli.report import Report
from agent_rft_cli.screen import Screen
from agent_rft_cli.terminal import Terminal
from agent_rft_cli.which_job import FoundJob
from agent_rft_handler.errors import AWS_ERRORS, is_missing

SUMMARY = "a job until it ends; the exit code tells how"

EXIT_CODES = {"Completed": 0, "Failed": 3, "Stopped": 4, "DeleteFailed": 5}
"""By the JobStatus with which the job ends; 1 and 2 are failures of the command itself."""

GONE = 5
"""The job was deleted."""

INTERVAL, LONGEST_INTERVAL = 10.0, 120.0
"""Seconds between two looks, and how far apart they get while AWS does not answer."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument(
        "--interval", type=seconds, default=INTERVAL, metavar="SECONDS", help="between two looks (default: %(default)g)"
    )


def run(options: argparse.Namespace, clients: Clients) -> int:
    """Watches the job; the exit code."""
    found = which_job.find(options, clients)
    try:
        with screen.opened(Terminal.of_stdout(), as_json=options.json) as shown:
            return _watch(found, clients, shown, options.interval)
    except KeyboardInterrupt:
        print(f"\nNo longer watching. The job {found.job.name} is left alone.", file=sys.stderr)
        raise


def _watch(found: FoundJob, clients: Clients, shown: Screen, interval: float) -> int:
    report, wait = _report(found.job, clients), interval
    while True:
        shown.show(report)
        if report.job.is_over:
            return EXIT_CODES[report.job.status]
        shown.wait(wait)
        try:
            report, wait = _report(found.again(), clients), interval
        except AWS_ERRORS as error:
            if is_missing(error):
                print(f"The job {found.job.name} was deleted.", file=sys.stderr)
                return GONE
            if not passes(error):
                raise
            wait = min(2 * wait, max(interval, LONGEST_INTERVAL))
            note = f"AWS did not answer; the job is as it was then, and is asked for again. {sentence(error)}"
            report = Report(report.job, report.rewards, note)


def _report(job: Job, clients: Clients) -> Report:
    return Report(job, *rewards.so_far(job, clients))
