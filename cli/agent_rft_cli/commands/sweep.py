"""``agent-rft sweep``: what became of each job of a queue or a sweep."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from agent_rft_cli import rewards, stack_queues, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.listing import Listing, Row
from agent_rft_handler import facts

SUMMARY = "the jobs of a sweep or a queue: status, reward, what varies"
THREADS = 8
"""Jobs that are asked for their rewards at a time; one takes half a second."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--stack", required=True, help="the name or ARN of the stack that declares it")
    parser.add_argument(
        "--resource",
        metavar="ID",
        help="where the stack declares several: the logical id, or the construct's path or a part of it",
    )


def run(options: argparse.Namespace, clients: Clients) -> Listing:
    """Reads the table of results, and from MLflow the rewards that it lacks: of jobs that run, or could not be read."""
    queue = stack_queues.queue_of(options.stack, options.resource, clients)
    rows = _with_rewards(queue.results(clients.client("s3")), clients)
    reason = ["failure_reason"] if any(row["failure_reason"] for row in rows) else []
    columns = ["name", "status", "reward", *_varying(rows), "model_package", "job_name", *reason]
    lines = [{**row["hyperparameters"], **row, "model_package": _package(row)} for row in rows]
    return Listing(rows, columns, f"{queue.called} has no jobs.", lines)


def _with_rewards(rows: Sequence[Row], clients: Clients) -> list[Row]:
    """The rows with the mean reward of the job's last step; why it cannot be read is said once, on stderr."""
    sagemaker = clients.client("sagemaker", "DescribeJob")
    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(partial(_reward, sagemaker, clients), rows))
    for note in sorted({note for _, note in found if note}):
        print(f"agent-rft: {note}", file=sys.stderr)
    return [{**row, "reward": reward} for row, (reward, _) in zip(rows, found, strict=True)]


def _reward(sagemaker: Any, clients: Clients, row: Row) -> tuple[float | None, str]:
    if row["reward"] or not row["job_name"]:
        return _number(row["reward"]), ""
    try:
        job = which_job.described(sagemaker, row["job_name"], list(facts.CATEGORIES), clients).job
    except Failure:  # deleted since
        return None, ""
    points, note = rewards.so_far(job, clients)
    return (points[-1].value if points else None), note


def _number(text: str | None) -> float | None:
    return float(text) if text else None


def _varying(rows: Sequence[Row]) -> Iterator[str]:
    """The hyperparameters that are not the same for every job."""
    for name in dict.fromkeys(name for row in rows for name in row["hyperparameters"]):
        if len({row["hyperparameters"].get(name) for row in rows}) > 1:
            yield name


def _package(row: Mapping[str, Any]) -> str:
    """Group and version, the end of the model package's ARN."""
    return str(row["output_model_package_arn"] or "").partition("/")[2]
