"""CreateJob, so that a lost answer, a retry or a new role never makes two jobs of one declaration."""

import logging

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import (
    JobRefused,
    code_of,
    explained,
    is_name_taken,
    is_role_too_new,
    is_throttled,
    is_unanswered,
)
from agent_rft_handler.jobs import RESERVE, Job, Time, conflict, describe
from agent_rft_handler.owner import Owner
from agent_rft_handler.plan import Plan

log = logging.getLogger(__name__)

BACK_OFF = (2, 4, 8, 16, 32, 32, 32)
"""Seconds between attempts to submit; a new role takes some ten of them to be known everywhere."""


def submit(name: str, plan: Plan, owner: Owner, clients: Clients, time: Time) -> Job:
    """Submits once: whatever the answer, a second attempt first looks whether the first one worked."""
    last: Exception | None = None
    for pause in (*BACK_OFF, 0):
        if time.remaining() < RESERVE:
            break
        try:
            arn = clients.sagemaker.create_job(**plan.request(name))["JobArn"]
            return Job(name, arn, plan.job_category, "InProgress", plan.role_arn, plan.tags, plan.document)
        except (ClientError, BotoCoreError) as error:
            if job := _after(error, name, plan, owner, clients):
                return job
            log.info("CreateJob %s: %s; trying again in %d s", name, error, pause)
            last = error
        time.sleep(pause)
    if last is None:
        raise JobRefused(f"The job {name} was not submitted: too little of the function's time was left. Deploy again.")
    raise explained(last, f"Submitting the job {name}")


def _after(error: Exception, name: str, plan: Plan, owner: Owner, clients: Clients) -> Job | None:
    """Our job, if the failed call worked all the same; None to try again; else the reason not to."""
    if code_of(error) == "ResourceLimitExceeded":
        raise _over_quota(error, name, plan.job_category, clients) from error
    taken = is_name_taken(error)
    if taken or is_unanswered(error):
        job = describe(name, plan.job_category, clients)
        if job and job.role_arn == plan.role_arn and owner.owns(job.tags):
            return job
        if taken and job:
            raise conflict(name) from error
        return None
    if is_throttled(error) or is_role_too_new(error):
        return None
    raise explained(error, f"Submitting the job {name}") from error


def _over_quota(error: Exception, name: str, category: str, clients: Clients) -> JobRefused:
    names = ", ".join(_running(category, clients)) or "none that this role can see"
    return JobRefused(
        f"The job {name} was not submitted: the account's quota of {category} jobs running at a time is used up "
        f"(running: {names}). Wait for it or stop it and deploy again, or ask for a higher quota. ({error})"
    )


def _running(category: str, clients: Clients) -> list[str]:
    """The names of the jobs that count against the quota."""
    return [
        row["JobName"]
        for status in ("InProgress", "Stopping")
        for row in listed(clients.sagemaker.list_jobs, "JobSummaries", JobCategory=category, StatusEquals=status)
    ]
