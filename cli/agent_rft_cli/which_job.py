"""Which job a command is about: by its name, its ARN, or the stack that declares it."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_cli import stack_jobs
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.job import Job
from agent_rft_handler import facts
from agent_rft_handler.errors import is_missing

ARN_RESOURCE = 5
"""The place of ``job/CATEGORY/NAME`` in a job's ARN."""


class Deleted(Failure):
    """The job was there, and is gone."""

    exit_code = 5


@dataclass(frozen=True)
class FoundJob:
    """A job that there is.

    Args:
        sagemaker: The client that knows it.
        job: As it was when it was found.
    """

    sagemaker: Any
    job: Job

    def again(self) -> Job:
        """The job as it is now.

        Raises:
            Deleted: when it is gone.
        """
        try:
            return _described(self.sagemaker, self.job.name, self.job.category)
        except ClientError as error:
            if is_missing(error):
                raise Deleted(f"The job {self.job.name} was deleted.") from error
            raise


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which job."""
    parser.add_argument("job", nargs="?", metavar="JOB", help="the job's name or ARN")
    parser.add_argument("--stack", help="instead of JOB: the name or ARN of the stack that declares it")
    parser.add_argument(
        "--resource",
        metavar="ID",
        help="with --stack, where it declares several: the logical id, or the construct's path or a part of it",
    )
    parser.add_argument(
        "--category",
        choices=list(facts.CATEGORIES),
        metavar="CATEGORY",
        help=f"one of {', '.join(facts.CATEGORIES)} (default: the first of them that has a job of this name)",
    )


def find(options: argparse.Namespace, clients: Clients, *operations: str) -> FoundJob:
    """The job that the options say.

    Args:
        options: Those of ``add_options``.
        clients: Where to look.
        operations: What the command will call beside DescribeJob.

    Raises:
        Failure: where there is none, or the options say no job or two.
    """
    name, categories = _named(options, clients)
    sagemaker = clients.client("sagemaker", "DescribeJob", *operations)
    return described(sagemaker, name, categories, clients)


def described(sagemaker: Any, name: str, categories: Sequence[str], clients: Clients) -> FoundJob:
    """The job of this name in the first of the categories that has one.

    Raises:
        Failure: where there is none.
    """
    for category in categories:
        try:
            return FoundJob(sagemaker, _described(sagemaker, name, category))
        except ClientError as error:
            if not is_missing(error):
                raise
    raise Failure(f"There is no {' or '.join(categories)} job {name} in {clients.region_name} of this account.")


def _named(options: argparse.Namespace, clients: Clients) -> tuple[str, list[str]]:
    """The name, and the categories in which to look for it."""
    if bool(options.job) == bool(options.stack):
        raise Failure("Give either a job's name or ARN, or --stack with the stack that declares it.")
    if options.resource and not options.stack:
        raise Failure("--resource goes with --stack.")
    categories = [options.category] if options.category else list(facts.CATEGORIES)
    if options.stack:
        return stack_jobs.job_of(options.stack, options.resource, clients).job_name, categories
    name = options.job
    if name.startswith("arn:"):
        category, name = _parts(options.job)
        if options.category not in (None, category):
            raise Failure(f"--category {options.category} is not that of {options.job}.")
        categories = [category]
    if not facts.JOB_NAME.accepts(name):
        raise Failure(f"{name!r} is not a job's name: letters, digits and inner hyphens, at most 63.")
    return name, categories


def _parts(arn: str) -> tuple[str, str]:
    """Category and name of a job's ARN."""
    parts = arn.split(":", ARN_RESOURCE)[-1].split("/")
    if len(parts) != 3 or parts[0] != "job" or not facts.region_of(arn):
        raise Failure(f"{arn} is not a job's ARN: it must have a region, and end with job/CATEGORY/NAME.")
    if parts[1] not in facts.JOB_CATEGORIES:
        raise Failure(f"{arn} has the category {parts[1]}, but must have one of {', '.join(facts.JOB_CATEGORIES)}.")
    return parts[1], parts[2]


def _described(sagemaker: Any, name: str, category: str) -> Job:
    return Job(sagemaker.describe_job(JobName=name, JobCategory=category))
