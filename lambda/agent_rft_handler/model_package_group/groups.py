"""A model package group of the API: described, made, deleted."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from agent_rft_handler import tags
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.errors import (
    AWS_ERRORS,
    Refused,
    code_of,
    explained,
    is_missing,
    is_name_taken,
    is_throttled,
    is_unanswered,
    message_of,
)
from agent_rft_handler.model_package_group.request import Request

PATIENCE = 30.0
"""Seconds for which a creation that fails is tried again."""

POLL = 2.0
"""Seconds between two looks at a group that is being made."""


@dataclass(frozen=True)
class Group:
    """A group as DescribeModelPackageGroup and ListTags show it."""

    name: str
    arn: str
    status: str
    tags: Mapping[str, str]


def describe(name: str, clients: Clients) -> Group | None:
    """The group of that name, or None."""
    try:
        row = clients.sagemaker.describe_model_package_group(ModelPackageGroupName=name)
        found = tags.tags_of(row["ModelPackageGroupArn"], clients)
    except AWS_ERRORS as error:
        if _is_gone(error):
            return None
        raise explained(error, f"Describing the model package group {name}") from error
    return Group(name, row["ModelPackageGroupArn"], row["ModelPackageGroupStatus"], found)


def make(request: Request, clients: Clients, deadline: Deadline) -> None:
    """Makes the group; looks before each attempt whether an earlier one worked, as own tags make a namesake ours."""
    last: Exception | None = None
    for waited in chain([0.0], deadline.pauses(longest=8, reserve=SUBMIT)):
        if group := describe(request.name, clients):
            if request.owner.owns(group.tags):
                return
            raise _conflict(group)
        if last and waited > PATIENCE:
            break
        try:
            clients.sagemaker.create_model_package_group(**request.creation())
        except AWS_ERRORS as error:
            last = error
            if not (is_name_taken(error) or is_unanswered(error) or is_throttled(error)):
                break
        else:
            return
    raise explained(last or TimeoutError("no time was left"), f"Making the model package group {request.name}")


def wait_until_made(name: str, clients: Clients, deadline: Deadline) -> str:
    """The ARN of the group, once the service has made it."""
    while deadline.allows(SUBMIT):
        group = describe(name, clients)
        if group and group.status == "Completed":
            return group.arn
        if group and group.status not in ("Pending", "InProgress"):
            raise Refused(f"The model package group {name} is {group.status}. Delete it, and deploy again.")
        deadline.sleep(POLL)
    raise Refused(f"The model package group {name} is still being made. Deploy again in a few minutes.")


def retag(group: Group, wanted: Mapping[str, str], former: Mapping[str, str], clients: Clients) -> None:
    """Brings the declared tags up to date."""
    try:
        tags.retag(group.arn, group.tags, wanted, former, clients)
    except AWS_ERRORS as error:
        raise explained(error, f"Tagging the model package group {group.name}") from error


def delete(group: Group, clients: Clients) -> None:
    """Deletes the group, if it is empty; one that is gone is deleted."""
    try:
        clients.sagemaker.delete_model_package_group(ModelPackageGroupName=group.name)
    except AWS_ERRORS as error:
        if code_of(error) == "ConflictException":
            raise Refused(
                f"The model package group {group.name} holds model packages, so it was not deleted. Delete its "
                "packages first, or keep the group with removal_policy=RETAIN."
            ) from error
        if not _is_gone(error):
            raise explained(error, f"Deleting the model package group {group.name}") from error


def _conflict(group: Group) -> Refused:
    return Refused(
        f"A model package group named {group.name} exists, but its tags are not this resource's, so it is left alone. "
        "Give another model_package_group_name, or use the group that is there with "
        "ModelPackageGroup.from_model_package_group_name."
    )


def _is_gone(error: Exception) -> bool:
    """SageMaker declares no not-found error for groups [botocore: sagemaker DescribeModelPackageGroup]."""
    return is_missing(error) or (code_of(error) == "ValidationException" and "does not exist" in message_of(error))
