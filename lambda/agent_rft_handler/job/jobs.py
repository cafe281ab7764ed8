"""A job of the API: described, stopped, waited for, tagged."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_handler import job_event, tags
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import AWS_ERRORS, code_of, explained, is_missing
from agent_rft_handler.facts import OWN_TAGS

log = logging.getLogger(__name__)

POLL = 5.0
"""Seconds between two looks at a job that is stopping [sagemaker-train 1.27.0: wait]."""


RUNNING = ("InProgress", "Stopping")


@dataclass(frozen=True)
class Job:
    """A job as DescribeJob shows it; ``described`` is its whole answer, or what CreateJob was given of it."""

    name: str
    arn: str
    category: str
    status: str
    role_arn: str
    tags: Mapping[str, str]
    described: Mapping[str, Any]

    @property
    def is_running(self) -> bool:
        """Whether it runs or is stopping, and so counts against the quota."""
        return self.status in RUNNING

    @property
    def request_id(self) -> str:
        """The request of CloudFormation's that submitted it."""
        return self.tags.get(OWN_TAGS["request"], "")

    @property
    def predecessor(self) -> str:
        """The physical id that the resource had when this job was submitted; empty for its first job."""
        return self.tags.get(OWN_TAGS["predecessor"], "")

    @property
    def base_model_arn(self) -> str:
        """The base model in its document; empty where the document cannot be read."""
        return job_event.base_model_of(self.described)


def describe(name: str, category: str, clients: Clients) -> Job | None:
    """The job of that name with its tags, or None."""
    row = described(name, category, clients)
    if row is None:
        return None
    try:
        # an older service or model may leave the tags out of its answer
        found = tags.from_rows(row.get("Tags") or ()) or tags.tags_of(row["JobArn"], clients)
    except AWS_ERRORS as error:
        if is_missing(error):
            return None
        raise explained(error, f"Reading the tags of the job {name}") from error
    return Job(name, row["JobArn"], category, row["JobStatus"], row["RoleArn"], found, row)


def described(name: str, category: str, clients: Clients) -> Mapping[str, Any] | None:
    """What DescribeJob answers for the job of that name; None where there is none."""
    try:
        row: Mapping[str, Any] = clients.sagemaker.describe_job(JobName=name, JobCategory=category)
    except AWS_ERRORS as error:
        if is_missing(error):
            return None
        raise explained(error, f"Describing the job {name}") from error
    return row


def names_of(category: str, status: str, clients: Clients) -> list[str]:
    """The names of the account's jobs that have this status, whoever submitted them."""
    try:
        rows = listed(clients.sagemaker.list_jobs, "JobSummaries", JobCategory=category, StatusEquals=status)
        return [row["JobName"] for row in rows]
    except AWS_ERRORS as error:
        raise explained(error, "Listing the jobs that run") from error


def stop(job: Job, clients: Clients) -> None:
    """Asks a running job to stop, and returns at once; one that is gone or ending is fine."""
    if job.status != "InProgress":
        return
    try:
        clients.sagemaker.stop_job(JobName=job.name, JobCategory=job.category)
    except AWS_ERRORS as error:
        if is_missing(error):
            return
        now = describe(job.name, job.category, clients) if code_of(error) == "ValidationException" else job
        if now and now.status == "InProgress":
            raise explained(error, f"Stopping the job {job.name}") from error


def stop_unseen(name: str, category: str, clients: Clients) -> None:
    """Asks a job to stop that DescribeJob does not show, or not yet; that there is none is fine.

    Also that the caller may not: where there is no job, there are no tags by which it might.
    """
    try:
        clients.sagemaker.stop_job(JobName=name, JobCategory=category)
    except ClientError as error:
        log.info("StopJob %s: %s", name, error)


def retag(job: Job, wanted: Mapping[str, str], former: Collection[str], clients: Clients) -> None:
    """Brings a job's tags up to date; a job that is gone needs none."""
    try:
        tags.retag(job.arn, job.tags, wanted, former, clients)
    except ClientError as error:
        if not is_missing(error):
            raise explained(error, f"Tagging the job {job.name}") from error


def stop_command(job: Job) -> str:
    """How a person stops it."""
    return f"aws sagemaker stop-job --job-category {job.category} --job-name {job.name}"
