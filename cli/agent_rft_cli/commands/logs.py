"""``agent-rft logs``: a job's log."""

import argparse
import datetime
import sys
from collections.abc import Sequence

from agent_rft_cli import clock, follow, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.listing import as_json
from agent_rft_cli.log_streams import LogLine, LogStreams
from agent_rft_cli.options import positive
from agent_rft_cli.text import printable
from agent_rft_handler.facts import CATEGORIES

SUMMARY = "a job's log"
INTERVAL = 5.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument("--follow", action="store_true", help="also what it writes from now on, until it ends")
    parser.add_argument("--tail", type=positive, metavar="N", help="of what there is, only the last lines")
    follow.add_options(parser, INTERVAL)


def run(options: argparse.Namespace, clients: Clients) -> int:
    """Prints the log; 0."""
    found = which_job.find(options, clients)
    streams = LogStreams(clients.client("logs"), _group(found.job.category), found.job.name)
    with follow.left_alone(found.job, "following"):
        lines = streams.fresh()
        _print(lines[-options.tail :] if options.tail else lines, options)
        if options.follow:
            follow.until_it_ends(
                found, options.interval, show=lambda _job: _print(streams.fresh(), options), wait=clock.sleep
            )
        elif not lines:
            print(f"The job {found.job.name} has written no log yet.", file=sys.stderr)
    return 0


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
