"""The jobs' log lines in CloudWatch Logs: written when somebody reads there, as the jobs run by the clock.

The group is the category's, a stream's name begins with the job's.
"""

import json
from collections.abc import Iterator
from typing import Any

from agent_rft_handler.facts import CATEGORIES
from agent_rft_local import ministack_names, store
from agent_rft_local.job_run import Run

SERVICE = "logs"
PREFIX = "Logs_20140328."
BATCH = 1000
_WRITTEN = "LogLines"
"""On a job: how many of its lines are written."""


def install() -> None:
    """Stands before ministack's CloudWatch Logs."""
    inner = ministack_names.handler_of(SERVICE)

    async def handle(method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Any:
        for operation, request in _writes():
            target = {**headers, "x-amz-target": PREFIX + operation}
            await inner("POST", "/", target, json.dumps(request).encode(), {})
        return await inner(method, path, headers, body, query)

    ministack_names.set_handler(SERVICE, handle)


def stream_of(job_name: str) -> str:
    """The stream of a job."""
    return f"{job_name}/training"


def _writes() -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls that bring the logs up to date."""
    for job in store.jobs.values():
        lines = Run(job, store.now()).log_lines()
        fresh = lines[job.get(_WRITTEN, 0) :]
        if not fresh:
            continue
        group = CATEGORIES[job["JobCategory"]].log_group_name
        names = {"logGroupName": group, "logStreamName": stream_of(job["JobName"])}
        yield "CreateLogGroup", {"logGroupName": group}
        yield "CreateLogStream", names
        for start in range(0, len(fresh), BATCH):
            events = [{"timestamp": int(time * 1000), "message": text} for time, text in fresh[start : start + BATCH]]
            yield "PutLogEvents", {**names, "logEvents": events}
        job[_WRITTEN] = len(lines)
