"""An event of a model package group's custom resource, parsed."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent_rft_handler import facts, tags
from agent_rft_handler.event import Event, text, texts
from agent_rft_handler.owner import Owner


@dataclass(frozen=True)
class Request:
    """What CloudFormation asks for; what is malformed in it reads as absent."""

    owner: Owner
    name: str
    description: str
    managed_storage_type: str
    tags: Mapping[str, str]
    former_tags: Mapping[str, str]
    physical_id: str

    @classmethod
    def of(cls, event: Event) -> "Request":
        """The request in an event."""
        properties = event.properties
        return cls(
            owner=Owner(event.stack_id, event.logical_id),
            name=text(properties.get("ModelPackageGroupName")),
            description=text(properties.get("ModelPackageGroupDescription")),
            managed_storage_type=text(properties.get("ManagedStorageType")),
            tags=texts(properties.get("Tags")),
            former_tags=texts(event.old_properties.get("Tags")),
            physical_id=event.physical_id,
        )

    @property
    def wanted_tags(self) -> dict[str, str]:
        """The declared tags and whose the group is; our own keys cannot be declared."""
        return {**self.tags, **self.owner.identity}

    @property
    def known_name(self) -> str:
        """The name in the physical id; empty in one that CloudFormation made up."""
        return name_in(self.physical_id)

    def creation(self) -> dict[str, object]:
        """The CreateModelPackageGroup request; whose the group is stands in its tags."""
        description = {"ModelPackageGroupDescription": self.description} if self.description else {}
        return {
            "ModelPackageGroupName": self.name,
            **description,
            "ManagedConfiguration": {"ManagedStorageType": self.managed_storage_type},
            "Tags": tags.to_rows(self.wanted_tags),
        }


def name_in(arn: str) -> str:
    """The name in a group's ARN; empty in whatever is none."""
    return arn.rpartition("/")[2] if facts.MODEL_PACKAGE_GROUP_ARN.accepts(arn) else ""
