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
        steps_per_epoch: How many steps the training data gives.
        stop_seconds: How long a job is Stopping.
        running_jobs: The quota of jobs running at a time, per category; one, as AWS's default is.
        model_package_groups: The quota of model package groups.
        outcome: The status in which jobs end: Completed or Failed.
        failure_reason: FailureReason of jobs that fail.
        ends: How a job ends, by its name: ``{"after": seconds, "status": "Failed", "reason": "..."}``.
        faults: What goes wrong with which operation, see ``faults.py``.
        throttles: A token bucket by operation: ``{"ListJobs": {"rate": 1, "burst": 2}}``, tokens a second and at most.
        describe_job_tags: Whether DescribeJob's answer holds the tags.
        describe_job_lag: How many seconds DescribeJob is behind.
        list_jobs_lag: The same of ListJobs.
        tags_lag: The same of tags, where they are read and where IAM's conditions look at them.
        role_lag: How many seconds a new role cannot yet be assumed by the service.
        policy_lag: How many seconds a role is denied everything after its policies changed; harsher than AWS.
        source_account: Whether the service says for which account it assumes a role; AWS's page does not say so.
        wait_scale: How long a state machine waits, as a part of what it is told to.
        time: What time it is for SageMaker, in seconds since 1970, until it is set anew; the machine's without it.
        lambda_retry_seconds: When Lambda calls a function again that ended without success; a minute in AWS.
    """

    job_seconds: float = field(default_factory=_seconds)
    steps_per_epoch: int = 10
    stop_seconds: float = 0.5
    running_jobs: int = field(default_factory=_quota)
    model_package_groups: int = 1000
    outcome: str = "Completed"
    failure_reason: str = "AlgorithmError: asked to fail"
    ends: dict[str, Row] = field(default_factory=dict)
    faults: list[Row] = field(default_factory=list)
    throttles: dict[str, Row] = field(default_factory=dict)
    describe_job_tags: bool = True
    describe_job_lag: float = 0
    list_jobs_lag: float = 0
    tags_lag: float = 0
    role_lag: float = 0
    policy_lag: float = 0
    source_account: bool = False
    wait_scale: float = 1
    time: float | None = None
    lambda_retry_seconds: float = 0.2


clock = time.time
behaviour = Behaviour()
calls: list[Row] = []
groups: dict[str, Row] = AccountRegionScopedDict()
jobs: dict[tuple[str, str], Row] = AccountRegionScopedDict()
deleted_jobs: dict[str, Row] = AccountRegionScopedDict()
apps: dict[str, Row] = AccountRegionScopedDict()
packages: dict[str, Row] = AccountRegionScopedDict()
private_hubs: dict[tuple[str, str, str], Row] = AccountRegionScopedDict()
_tags: dict[str, list[tuple[float, dict[str, str]]]] = AccountRegionScopedDict()
"""What each resource's tags were, and since when."""
_buckets: dict[str, tuple[float, float]] = {}
_counter = itertools.count(1)


def reset() -> None:
    """Forgets everything, as ministack's own services do on a reset."""
    for each in (groups, jobs, deleted_jobs, apps, packages, private_hubs, _tags, _buckets, calls):
        each.clear()
    behave()


def behave() -> None:
    """Takes back what was changed of the behaviour."""
    behaviour.__dict__.update(Behaviour().__dict__)


def takes_token(operation: str) -> bool:
    """Whether the operation's bucket still had a token."""
    throttle = behaviour.throttles.get(operation)
    if throttle is None:
        return True
    tokens, since = _buckets.get(operation, (throttle["burst"], now()))
    tokens = min(throttle["burst"], tokens + (now() - since) * throttle["rate"])
    _buckets[operation] = (tokens - 1 if tokens >= 1 else tokens, now())
    return bool(tokens >= 1)


def arn(resource: str) -> str:
    """The ARN of a resource of the calling account and region."""
    return f"arn:aws:sagemaker:{get_region()}:{get_account_id()}:{resource}"


def next_id() -> str:
    """A fresh id that sorts in the order of creation."""
    return f"{next(_counter):012d}"


def now() -> float:
    """The time; a test may set ``clock``, or ``behaviour.time`` in a server."""
    return clock() if behaviour.time is None else behaviour.time


def tags_of(resource_arn: str, *, lag: float = 0) -> dict[str, str]:
    """The tags, or what they were so many seconds ago."""
    return next((tags for since, tags in reversed(_tags.get(resource_arn, [])) if since <= now() - lag), {})


def set_tags(resource_arn: str, tags: list[dict[str, str]] | None) -> None:
    _set(resource_arn, {**tags_of(resource_arn), **{tag["Key"]: tag["Value"] for tag in tags or []}})


def forget_tags(resource_arn: str) -> None:
    """What a resource's end does to its tags."""
    _tags.pop(resource_arn, None)


def remove_tags(resource_arn: str, keys: list[str]) -> None:
    _set(resource_arn, {key: value for key, value in tags_of(resource_arn).items() if key not in keys})


def _set(resource_arn: str, tags: dict[str, str]) -> None:
    _tags[resource_arn] = [*_tags.get(resource_arn, []), (now(), tags)]


def tag_list(resource_arn: str) -> list[dict[str, str]]:
    """The tags as the API gives them, as late as it is behind."""
    return [{"Key": key, "Value": value} for key, value in tags_of(resource_arn, lag=behaviour.tags_lag).items()]


def page(request: Row, rows: list[Row], member: str) -> Row:
    """One page of a List operation."""
    start, size = int(request.get("NextToken") or 0), int(request.get("MaxResults") or 100)
    answer: Row = {member: rows[start : start + size]}
    return {**answer, "NextToken": str(start + size)} if start + size < len(rows) else answer
