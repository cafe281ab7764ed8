"""``agent-rft jobs``: the account's jobs, newest first."""

import argparse
import itertools
from typing import Any

from agent_rft_cli import orphans
from agent_rft_cli.aws import PAGE, Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.listing import Listing
from agent_rft_cli.options import positive
from agent_rft_handler import facts
from agent_rft_handler.clients import listed

SUMMARY = "the account's jobs, newest first"
COLUMNS = ("name", "status", "secondary_status", "created")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument(
        "--category",
        choices=facts.JOB_CATEGORIES,
        default=facts.AGENT_RFT.name,
        metavar="CATEGORY",
        help=f"one of {', '.join(facts.JOB_CATEGORIES)} (default: %(default)s)",
    )
    parser.add_argument(
        "--status",
        choices=facts.JOB_STATUSES,
        metavar="STATUS",
        help=f"only those in this status: {', '.join(facts.JOB_STATUSES)}",
    )
    parser.add_argument("--name-contains", metavar="TEXT", help="only those whose name contains the text")
    parser.add_argument(
        "--orphans",
        action="store_true",
        help="only those that run although their stack is gone, or knows them no longer; what a stack was told to "
        "retain is among them",
    )
    parser.add_argument("--stop", action="store_true", help="with --orphans: asks for each whether to stop it")
    parser.add_argument("--limit", type=positive, metavar="N", help="at most this many")


def run(options: argparse.Namespace, clients: Clients) -> Listing:
    """Reads the jobs."""
    if options.stop and not options.orphans:
        raise Failure("--stop goes with --orphans. To stop one job: agent-rft stop")
    if options.orphans:
        return _orphans(options, clients)
    sagemaker = clients.client("sagemaker", "ListJobs")
    filters = {"StatusEquals": options.status, "NameContains": options.name_contains}
    found = listed(
        sagemaker.list_jobs,
        "JobSummaries",
        JobCategory=options.category,
        SortBy="CreationTime",
        SortOrder="Descending",
        MaxResults=min(options.limit or PAGE, PAGE),
        **{name: value for name, value in filters.items() if value},
    )
    rows = [_row(each) for each in itertools.islice(found, options.limit)]
    which = " like that" if options.status or options.name_contains else ""
    return Listing(
        rows, COLUMNS, f"There is no {options.category} job{which} in {clients.region_name} of this account."
    )


def _orphans(options: argparse.Namespace, clients: Clients) -> Listing:
    account = orphans.Account.of(clients)
    running = listed(
        account.sagemaker.list_jobs,
        "JobSummaries",
        JobCategory=options.category,
        StatusEquals="InProgress",
        MaxResults=PAGE,
    )
    rows = []
    for job, why in orphans.among(running, account):
        stopped = {"stopped": orphans.stop(job, why, account)} if options.stop else {}
        rows.append({**_row(job), "why": why, **stopped})
    columns = ("name", "created", *(("stopped",) if options.stop else ()), "why")
    return Listing(rows, columns, f"Every {options.category} job that runs is known to its stack.")


def _row(job: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": job["JobName"],
        "status": job["JobStatus"],
        "secondary_status": job.get("JobSecondaryStatus"),
        "created": job["CreationTime"],
        "ended": job.get("EndTime"),
        "arn": job["JobArn"],
    }
