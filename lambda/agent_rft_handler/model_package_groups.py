"""Model package groups with managed storage, which CloudFormation's own type cannot make: what each event does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_handler import facts, jobs
from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import (
    JobRefused,
    code_of,
    explained,
    is_missing,
    is_name_taken,
    is_throttled,
    is_unanswered,
    message_of,
)
from agent_rft_handler.jobs import Time
from agent_rft_handler.owner import Owner

BACK_OFF = (2, 4, 8)
"""Seconds between attempts to make a group."""

POLL = 2.0
"""Seconds between two looks at a group that is being made."""

RESERVE = 30.0
"""Seconds that must be left to go on waiting, so that there is time to say what it was for."""


@dataclass(frozen=True)
class Request:
    """An event of CloudFormation, parsed; what is malformed in it reads as absent."""

    owner: Owner
    name: str
    description: str
    managed_storage_type: str
    tags: Mapping[str, str]
    former_tags: Mapping[str, str]
    physical_id: str

    @classmethod
    def of(cls, event: Mapping[str, object]) -> "Request":
        """The request in an event."""
        properties, former = _map(event.get("ResourceProperties")), _map(event.get("OldResourceProperties"))
        return cls(
            owner=Owner(str(event["StackId"]), str(event["LogicalResourceId"])),
            name=str(properties.get("ModelPackageGroupName", "")),
            description=str(properties.get("ModelPackageGroupDescription", "")),
            managed_storage_type=str(properties.get("ManagedStorageType", "")),
            tags=_map(properties.get("Tags")),
            former_tags=_map(former.get("Tags")),
            physical_id=str(event.get("PhysicalResourceId") or ""),
        )

    def creation(self) -> dict[str, object]:
        """The CreateModelPackageGroup request; whose the group is stands in its tags."""
        description = {"ModelPackageGroupDescription": self.description} if self.description else {}
        return {
            "ModelPackageGroupName": self.name,
            **description,
            "ManagedConfiguration": {"ManagedStorageType": self.managed_storage_type},
            "Tags": _rows({**self.tags, **self.owner.identity}),
        }


@dataclass(frozen=True)
class Group:
    """A group as DescribeModelPackageGroup and ListTags show it."""

    name: str
    arn: str
    status: str
    tags: Mapping[str, str]


def create(request: Request, clients: Clients, time: Time) -> dict[str, object]:
    """Makes the group, or finds the one that an earlier delivery of the event made; then waits until it is there."""
    _make(request, clients, time)
    return _answer(_ready(request.name, clients, time))


def update(request: Request, clients: Clients, time: Time) -> dict[str, object]:
    """The same group with its tags brought up to date, or another one when the name changed."""
    if _name_in(request.physical_id) != request.name:
        return create(request, clients, time)
    group = describe(request.name, clients)
    if group:
        wanted = {**request.tags, **request.owner.identity}
        added = {key: value for key, value in wanted.items() if group.tags.get(key) != value}
        removed = tuple(key for key in request.former_tags if key not in wanted and key in group.tags)
        _retag(group.arn, added, removed, clients)
    return _answer(request.physical_id)


def delete(request: Request, clients: Clients, _time: Time) -> dict[str, object]:
    """Deletes the group if it is this resource's and empty; one that is gone or foreign is success already."""
    name = _name_in(request.physical_id) or request.name  # an id that CloudFormation made up: a cancelled create
    group = describe(name, clients) if facts.MODEL_PACKAGE_GROUP_NAME.accepts(name) else None
    if group and request.owner.owns(group.tags):
        _delete(group, clients)
    return {"PhysicalResourceId": request.physical_id}


def describe(name: str, clients: Clients) -> Group | None:
    """The group of that name, or None."""
    try:
        row = clients.sagemaker.describe_model_package_group(ModelPackageGroupName=name)
        tags = jobs.tags_of(row["ModelPackageGroupArn"], clients)
    except ClientError as error:
        if _is_gone(error):
            return None
        raise explained(error, f"Describing the model package group {name}") from error
    return Group(name, row["ModelPackageGroupArn"], row["ModelPackageGroupStatus"], tags)


def _make(request: Request, clients: Clients, time: Time) -> None:
    """Looks before each attempt whether an earlier one worked; own tags alone make a namesake ours."""
    for pause in (*BACK_OFF, 0):
        if group := describe(request.name, clients):
            if request.owner.owns(group.tags):
                return
            raise _conflict(group)
        try:
            clients.sagemaker.create_model_package_group(**request.creation())
        except (ClientError, BotoCoreError) as error:
            again = is_name_taken(error) or is_unanswered(error) or is_throttled(error)
            if not pause or not again:
                raise explained(error, f"Making the model package group {request.name}") from error
        else:
            return
        time.sleep(pause)


def _ready(name: str, clients: Clients, time: Time) -> str:
    """The ARN of the group, once the service has made it."""
    while time.remaining() > RESERVE:
        group = describe(name, clients)
        if group and group.status == "Completed":
            return group.arn
        if group and group.status not in ("Pending", "InProgress"):
            raise JobRefused(f"The model package group {name} is {group.status}. Delete it, and deploy again.")
        time.sleep(POLL)
    raise JobRefused(f"The model package group {name} is still being made. Deploy again in a few minutes.")


def _delete(group: Group, clients: Clients) -> None:
    try:
        clients.sagemaker.delete_model_package_group(ModelPackageGroupName=group.name)
    except ClientError as error:
        if code_of(error) == "ConflictException":
            raise JobRefused(
                f"The model package group {group.name} holds model packages, so it was not deleted. Delete its "
                "packages first, or keep the group with removal_policy=RETAIN."
            ) from error
        if not _is_gone(error):
            raise explained(error, f"Deleting the model package group {group.name}") from error


def _retag(arn: str, added: Mapping[str, str], removed: tuple[str, ...], clients: Clients) -> None:
    try:
        if added:
            clients.sagemaker.add_tags(ResourceArn=arn, Tags=_rows(added))
        if removed:
            clients.sagemaker.delete_tags(ResourceArn=arn, TagKeys=list(removed))
    except ClientError as error:
        raise explained(error, f"Tagging the model package group {arn}") from error


def _conflict(group: Group) -> JobRefused:
    return JobRefused(
        f"A model package group named {group.name} exists, but its tags are not this resource's, so it is left alone. "
        "Give another model_package_group_name, or use the group that is there with "
        "ModelPackageGroup.from_model_package_group_name."
    )


def _is_gone(error: Exception) -> bool:
    """SageMaker declares no not-found error for groups [botocore: sagemaker DescribeModelPackageGroup]."""
    return is_missing(error) or (code_of(error) == "ValidationException" and "does not exist" in message_of(error))


def _answer(arn: str) -> dict[str, object]:
    data = {"ModelPackageGroupArn": arn, "ModelPackageGroupName": _name_in(arn)}
    return {"PhysicalResourceId": arn, "Data": data}


def _name_in(physical_id: str) -> str:
    return physical_id.rpartition("/")[2] if facts.MODEL_PACKAGE_GROUP_ARN.accepts(physical_id) else ""


def _rows(tags: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def _map(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
