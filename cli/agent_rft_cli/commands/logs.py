"""``agent-rft logs``: a job's log."""

import argparse
import datetime
import sys
from collections.abc import Sequence

from agent_rft_cli import clock, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure, passes
from agent_rft_cli.listing import as_json
from agent_rft_cli.log_streams import LogLine, LogStreams
from agent_rft_cli.options import positive, seconds
from agent_rft_cli.text import printable
from agent_rft_cli.which_job import FoundJob
from agent_rft_handler.errors import AWS_ERRORS, is_missing
from agent_rft_handler.facts import CATEGORIES

SUMMARY = "a job's log"
INTERVAL = 5.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument("--follow", action="store_true", help="also what it writes from now on, until it ends")
    parser.add_argument("--tail", type=positive, metavar="N", help="of what there is, only the last lines")
    parser.add_argument(
        "--interval", type=seconds, default=INTERVAL, metavar="SECONDS", help="between two looks (default: %(default)g)"
    )


def run(options: argparse.Namespace, clients: Clients) -> int:
    """Prints the log; 0."""
    found = which_job.find(options, clients)
    streams = LogStreams(clients.client("logs"), _group(found.job.category), found.job.name)
    try:
        lines = streams.fresh()
        _print(lines[-options.tail :] if options.tail else lines, options)
        if options.follow:
            _follow(found, streams, options)
        elif not lines:
            print(f"The job {found.job.name} has written no log yet.", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"\nNo longer following. The job {found.job.name} is left alone.", file=sys.stderr)
        raise
    return 0


def _follow(found: FoundJob, streams: LogStreams, options: argparse.Namespace) -> None:
    """Until the job has ended and what it wrote before that is read."""
    is_over = found.job.is_over
    while not is_over:
        clock.sleep(options.interval)
        try:
            job = found.again()
            _print(streams.fresh(), options)
            is_over = job.is_over
        except AWS_ERRORS as error:
            if is_missing(error):
                print(f"The job {found.job.name} was deleted.", file=sys.stderr)
                return
            if not passes(error):
                raise


def _print(lines: Sequence[LogLine], options: argparse.Namespace) -> None:
    for line in lines:
        time = datetime.datetime.fromtimestamp(line.milliseconds / 1000, datetime.UTC)
        if options.json:
            print(as_json({"time": time, "stream": line.stream, "message": line.message}, indent=None), flush=True)
        else:
            print(f"{time:%Y-%m-%d %H:%M:%S}  {printable(line.message.rstrip())}", flush=True)


def _group(category: str) -> str:
    if category not in CATEGORIES:
        raise Failure(f"Where jobs of the category {category} write their logs is not known.")
    return CATEGORIES[category].log_group_name
