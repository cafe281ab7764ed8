"""What the local SageMaker holds, per account and region, and how it behaves."""

import itertools
import os
import time
from dataclasses import dataclass, field
from typing import Any

from agent_rft_local.ministack_names import AccountRegionScopedDict, get_account_id, get_region

Row = dict[str, Any]


def _seconds() -> float:
    return float(os.environ.get("AGENT_RFT_LOCAL_JOB_SECONDS", "3600"))


def _quota() -> int:
    return int(os.environ.get("AGENT_RFT_LOCAL_RUNNING_JOBS", "1"))


@dataclass
class Behaviour:
    """What a test may change while the server runs.

    Args:
        job_seconds: How long a job runs.
        stop_seconds: How long a job is Stopping.
        running_jobs: The quota of jobs running at a time, per category; one, as AWS's default is.
        outcome: The status in which jobs end: Completed or Failed.
        faults: What goes wrong with which operation, see ``faults.py``.
        lambda_retry_seconds: When Lambda calls a function again that ended without success; a minute in AWS.
    """

    job_seconds: float = field(default_factory=_seconds)
    stop_seconds: float = 0.5
    running_jobs: int = field(default_factory=_quota)
    outcome: str = "Completed"
    faults: list[Row] = field(default_factory=list)
    lambda_retry_seconds: float = 0.2


clock = time.time
behaviour = Behaviour()
calls: list[Row] = []
groups: dict[str, Row] = AccountRegionScopedDict()
jobs: dict[tuple[str, str], Row] = AccountRegionScopedDict()
apps: dict[str, Row] = AccountRegionScopedDict()
packages: dict[str, Row] = AccountRegionScopedDict()
private_hubs: dict[tuple[str, str, str], Row] = AccountRegionScopedDict()
_tags: dict[str, dict[str, str]] = AccountRegionScopedDict()
_counter = itertools.count(1)


def reset() -> None:
    """Forgets everything, as ministack's own services do on a reset."""
    for each in (groups, jobs, apps, packages, private_hubs, _tags, calls):
        each.clear()
    behaviour.__dict__.update(Behaviour().__dict__)


def arn(resource: str) -> str:
    """The ARN of a resource of the calling account and region."""
    return f"arn:aws:sagemaker:{get_region()}:{get_account_id()}:{resource}"


def next_id() -> str:
    """A fresh id that sorts in the order of creation."""
    return f"{next(_counter):012d}"


def now() -> float:
    """The time; a test may set ``clock``."""
    return clock()


def tags_of(resource_arn: str) -> dict[str, str]:
    return _tags.get(resource_arn, {})


def set_tags(resource_arn: str, tags: list[dict[str, str]] | None) -> None:
    _tags[resource_arn] = {**tags_of(resource_arn), **{tag["Key"]: tag["Value"] for tag in tags or []}}


def forget_tags(resource_arn: str) -> None:
    """What a resource's end does to its tags."""
    _tags.pop(resource_arn, None)


def remove_tags(resource_arn: str, keys: list[str]) -> None:
    _tags[resource_arn] = {key: value for key, value in tags_of(resource_arn).items() if key not in keys}


def tag_list(resource_arn: str) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags_of(resource_arn).items()]


def page(request: Row, rows: list[Row], member: str) -> Row:
    """One page of a List operation."""
    start, size = int(request.get("NextToken") or 0), int(request.get("MaxResults") or 100)
    answer: Row = {member: rows[start : start + size]}
    return {**answer, "NextToken": str(start + size)} if start + size < len(rows) else answer
