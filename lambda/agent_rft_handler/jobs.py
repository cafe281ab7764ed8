"""The jobs that are there: find a declaration's, stop one, let go of one."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import JobRefused, code_of, explained, is_missing
from agent_rft_handler.names import ATTEMPTS_MAX, is_attempt_of

RESERVE = 60.0
"""Seconds that must be left to submit: with fewer, the function could end before it hears the answer."""

POLL = 5.0
"""Seconds between two looks at a job that is stopping [sagemaker-train 1.27.0: wait]."""


@dataclass(frozen=True)
class Time:
    """The function's time: how many seconds are left, and how to let some pass."""

    remaining: Callable[[], float]
    sleep: Callable[[float], None]


@dataclass(frozen=True)
class Job:
    """A job as DescribeJob and ListTags show it."""

    name: str
    arn: str
    category: str
    status: str
    role_arn: str
    tags: Mapping[str, str]
    document: str

    @property
    def is_running(self) -> bool:
        """Whether it runs or is stopping, and so counts against the quota."""
        return self.status in ("InProgress", "Stopping")

    @property
    def is_released(self) -> bool:
        """Whether a Delete has let go of it."""
        return facts.OWN_TAGS["released"] in self.tags

    @property
    def base_model_arn(self) -> str:
        """The base model in its document; empty where the document cannot be read."""
        try:
            return str(json.loads(self.document)["TrainingConfig"]["BaseModelArn"])
        except (ValueError, LookupError, TypeError):
            return ""


@dataclass(frozen=True)
class Found:
    """The declaration's job, or the name under which it may be submitted."""

    name: str
    job: Job | None


def describe(name: str, category: str, clients: Clients) -> Job | None:
    """The job of that name, or None."""
    try:
        row = clients.sagemaker.describe_job(JobName=name, JobCategory=category)
        tags = tags_of(row["JobArn"], clients)
    except ClientError as error:
        if is_missing(error):
            return None
        raise explained(error, f"Describing the job {name}") from error
    return Job(
        name=row["JobName"],
        arn=row["JobArn"],
        category=row["JobCategory"],
        status=row["JobStatus"],
        role_arn=row["RoleArn"],
        tags=tags,
        document=row.get("JobConfigDocument", ""),
    )


def find(first: str, category: str, wanted: Mapping[str, str], role_arn: str, clients: Clients) -> Found:
    """The job that was submitted under ``first`` or a later attempt's name and not let go of since.

    Only role and own tags together make it ours; a namesake without them is a conflict.
    """
    attempts = 0
    names = [first, *_listed_attempts(first, category, clients)]
    for name in dict.fromkeys(names):
        job = describe(name, category, clients)
        if job is None:
            continue
        attempts = max(attempts, _attempt(name, first))
        if job.role_arn != role_arn or any(job.tags.get(key) != value for key, value in wanted.items()):
            raise conflict(name)
        if not job.is_released:
            return Found(name, job)
    if attempts >= ATTEMPTS_MAX:
        raise JobRefused(f"The job {first} was let go of {attempts} times; change run_id to submit another.")
    return Found(f"{first}-{attempts + 1}" if attempts else first, None)


def attempts(first: str, category: str, clients: Clients) -> list[Job]:
    """Every job under ``first`` or one of its later attempts' names."""
    names = dict.fromkeys([first, *_listed_attempts(first, category, clients)])
    return [job for name in names if (job := describe(name, category, clients))]


def name_after(found: Found, first: str) -> str:
    """The name of the next job of the declaration, once the one that was found is let go of."""
    return f"{first}-{_attempt(found.name, first) + 1}" if found.job else found.name


def stop(job: Job, clients: Clients) -> None:
    """Asks a running job to stop, and returns at once; one that is gone or ending is fine."""
    if job.status != "InProgress":
        return
    try:
        clients.sagemaker.stop_job(JobName=job.name, JobCategory=job.category)
    except ClientError as error:
        if is_missing(error):
            return
        now = describe(job.name, job.category, clients) if code_of(error) == "ValidationException" else job
        if now and now.status == "InProgress":
            raise explained(error, f"Stopping the job {job.name}") from error


def wait_until_stopped(job: Job, clients: Clients, time: Time) -> None:
    """Waits for a stopping job while enough time is left to submit another."""
    while time.remaining() > RESERVE + POLL:
        now = describe(job.name, job.category, clients)
        if now is None or not now.is_running:
            return
        time.sleep(POLL)
    raise JobRefused(f"The job {job.name} is still stopping, so nothing was submitted. Deploy again in a few minutes.")


def release(job: Job, clients: Clients) -> None:
    """Marks the job as let go of, so that an equal declaration later gets a job of its own."""
    retag(job.arn, {facts.OWN_TAGS["released"]: "true"}, (), clients)


def retag(arn: str, added: Mapping[str, str], removed: tuple[str, ...], clients: Clients) -> None:
    """Sets and removes tags of a job; a job that is gone needs none."""
    try:
        if added:
            tags = [{"Key": key, "Value": value} for key, value in added.items()]
            clients.sagemaker.add_tags(ResourceArn=arn, Tags=tags)
        if removed:
            clients.sagemaker.delete_tags(ResourceArn=arn, TagKeys=list(removed))
    except ClientError as error:
        if not is_missing(error):
            raise explained(error, f"Tagging the job {arn}") from error


def conflict(name: str) -> JobRefused:
    """The refusal to touch a namesake."""
    return JobRefused(
        f"A job named {name} exists, but its role and tags are not this resource's, so it is left alone and nothing "
        "was submitted. Change run_id or base_job_name to get another name."
    )


def _listed_attempts(first: str, category: str, clients: Clients) -> list[str]:
    request: dict[str, Any] = {"JobCategory": category, "NameContains": first, "MaxResults": 100}
    try:
        names = [row["JobName"] for row in listed(clients.sagemaker.list_jobs, "JobSummaries", **request)]
    except ClientError as error:
        raise explained(error, f"Listing the jobs named {first}") from error
    return sorted((name for name in names if is_attempt_of(name, first)), key=lambda name: _attempt(name, first))


def _attempt(name: str, first: str) -> int:
    return int(name.removeprefix(first).lstrip("-") or 1)


def tags_of(arn: str, clients: Clients) -> dict[str, str]:
    """The tags of any SageMaker resource."""
    return {tag["Key"]: tag["Value"] for tag in listed(clients.sagemaker.list_tags, "Tags", ResourceArn=arn)}
