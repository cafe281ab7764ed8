"""The resources of a deployed stack that the command line is about."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from botocore.exceptions import ClientError

from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_handler.clients import listed
from agent_rft_handler.errors import message_of

NESTED = "AWS::CloudFormation::Stack"
PATH = "aws:cdk:path"
"""Where CDK writes the construct's path [aws-cdk: cx-api PATH_METADATA_KEY]."""


@dataclass(frozen=True)
class StackResource:
    """A resource of one kind.

    Args:
        stack: The name or ARN of the stack that it is in.
        logical_id: Its logical id.
        path: Its construct's path; empty where the template has none.
        physical_id: By what the stack knows it.
    """

    resource_type: ClassVar[str]
    kind: ClassVar[str]
    """What a person calls one: ``job``."""
    does: ClassVar[str]
    """What it does, after "a resource that"."""

    stack: str
    logical_id: str
    path: str
    physical_id: str

    @property
    def called(self) -> str:
        """How a person names it."""
        return f"{self.logical_id} ({self.path})" if self.path else self.logical_id

    def is_meant_by(self, given: str) -> bool:
        """Whether it is the logical id, the construct's path, or whole parts of the path that follow one another."""
        return given == self.logical_id or f"/{given.strip('/')}/" in f"/{self.path}/"


Kind = TypeVar("Kind", bound=StackResource)


def only(kind: type[Kind], stack: str, resource: str | None, clients: Clients) -> Kind:
    """The one resource of its kind in the stack.

    Args:
        kind: Which resources.
        stack: The stack's name or ARN; what its nested stacks declare is its own.
        resource: Which one, where there are several: a logical id, a construct's path, or a part of it.
        clients: Where to look.

    Raises:
        Failure: where there is none, or not just one; it lists those there are.
    """
    every = list(_all(kind, stack, clients))
    found = [each for each in every if resource is None or each.is_meant_by(resource)]
    if len(found) == 1:
        return found[0]
    if not every:
        raise Failure(f"The stack {stack} has no resource that {kind.does}.")
    several = f"{len(found) or 'no'} {kind.kind}{'s' * bool(found)} {resource!r}"
    which = f"several {kind.kind}s" if resource is None else several
    names = ", ".join(each.called for each in every)
    raise Failure(f"The stack {stack} has {which}. Give --resource one of: {names}")


def _all(kind: type[Kind], stack: str, clients: Clients) -> Iterator[Kind]:
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
            yield from _all(kind, physical_id, clients)
        elif row["ResourceType"] == kind.resource_type:
            detail = cloudformation.describe_stack_resource(StackName=stack, LogicalResourceId=logical_id)
            metadata = json.loads(detail["StackResourceDetail"].get("Metadata") or "{}")
            yield kind(stack, logical_id, metadata.get(PATH, ""), physical_id)
