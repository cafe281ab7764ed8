"""The jobs of a deployed stack."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from botocore.exceptions import ClientError

from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_handler.clients import listed
from agent_rft_handler.contract import JOB_RESOURCE_TYPE
from agent_rft_handler.errors import message_of
from agent_rft_handler.job import names

NESTED = "AWS::CloudFormation::Stack"
PATH = "aws:cdk:path"
"""Where CDK writes the construct's path [aws-cdk: cx-api PATH_METADATA_KEY]."""


@dataclass(frozen=True)
class StackJob:
    """A resource that submits a job.

    Args:
        stack: The name or ARN of the stack that it is in.
        logical_id: Its logical id.
        path: Its construct's path; empty where the template has none.
        physical_id: By what the stack knows it: the job's name, or why there is no job.
    """

    stack: str
    logical_id: str
    path: str
    physical_id: str

    @property
    def job_name(self) -> str:
        """The job's name.

        Raises:
            Failure: where the resource has submitted none.
        """
        if self.physical_id.startswith(names.DRY_RUN):
            raise Failure(f"{self.called} is a dry run: it has submitted no job.")
        name = "" if self.physical_id.startswith(names.NOT_SUBMITTED) else names.name_in(self.physical_id)
        if not name:
            raise Failure(f"{self.called} of the stack {self.stack} has submitted no job.")
        return name

    @property
    def called(self) -> str:
        """How a person names it."""
        return f"{self.logical_id} ({self.path})" if self.path else self.logical_id

    def is_meant_by(self, given: str) -> bool:
        """Whether it is the logical id, the construct's path, or whole parts of the path that follow one another."""
        return given == self.logical_id or f"/{given.strip('/')}/" in f"/{self.path}/"


def job_of(stack: str, resource: str | None, clients: Clients) -> StackJob:
    """The one resource of the stack that submits a job.

    Args:
        stack: The stack's name or ARN; what its nested stacks declare is its own.
        resource: Which one, where there are several: a logical id, a construct's path, or a part of it.
        clients: Where to look.

    Raises:
        Failure: where there is none, or not just one; it lists those there are.
    """
    every = list(_jobs(stack, clients))
    found = [each for each in every if resource is None or each.is_meant_by(resource)]
    if len(found) == 1:
        return found[0]
    if not every:
        raise Failure(f"The stack {stack} has no resource that submits a job.")
    which = "has several jobs" if resource is None else f"has {len(found) or 'no'} job{'s' * bool(found)} {resource!r}"
    raise Failure(f"The stack {stack} {which}. Give --resource one of: {', '.join(each.called for each in every)}")


def _jobs(stack: str, clients: Clients) -> Iterator[StackJob]:
    """ListStackResources, for DescribeStackResources ends after a hundred resources [its API reference]."""
    cloudformation = clients.client("cloudformation")
    try:
        rows = list(listed(cloudformation.list_stack_resources, "StackResourceSummaries", StackName=stack))
    except ClientError as error:
        if "does not exist" in message_of(error):
            raise Failure(f"There is no stack {stack} in {clients.region_name} of this account.") from error
        raise
    for row in rows:
        logical_id, physical_id = row["LogicalResourceId"], row.get("PhysicalResourceId") or ""
        if row["ResourceType"] == NESTED and physical_id:
            yield from _jobs(physical_id, clients)
        elif row["ResourceType"] == JOB_RESOURCE_TYPE:
            detail = cloudformation.describe_stack_resource(StackName=stack, LogicalResourceId=logical_id)
            metadata = json.loads(detail["StackResourceDetail"].get("Metadata") or "{}")
            yield StackJob(stack, logical_id, metadata.get(PATH, ""), physical_id)
