"""CloudFormation's event, read so that nothing in it can make reading fail."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

REQUEST_ID = r"[A-Za-z0-9_.:-]{1,128}"
"""A UUID; it becomes a tag of the job."""

KINDS = ("Create", "Update", "Delete")


@dataclass(frozen=True)
class Event:
    """One request to a custom resource; what is malformed in it reads as absent.

    ``response_url`` is a secret: whoever has it can answer for the stack. It is never shown or logged.
    Source: AWS docs, custom resource request objects.
    """

    kind: str
    request_id: str
    stack_id: str
    logical_id: str
    resource_type: str
    physical_id: str = ""
    properties: Mapping[str, object] = field(default_factory=dict)
    old_properties: Mapping[str, object] = field(default_factory=dict)
    response_url: str = field(default="", repr=False)

    @classmethod
    def of(cls, raw: object) -> "Event":
        """The event in what Lambda hands over."""
        given = mapping(raw)
        return cls(
            kind=text(given.get("RequestType"), 60),
            request_id=text(given.get("RequestId"), 128),
            stack_id=text(given.get("StackId"), 512),
            logical_id=text(given.get("LogicalResourceId"), 255),
            resource_type=text(given.get("ResourceType"), 60),
            physical_id=text(given.get("PhysicalResourceId"), 1024),
            properties=mapping(given.get("ResourceProperties")),
            old_properties=mapping(given.get("OldResourceProperties")),
            response_url=text(given.get("ResponseURL")),
        )

    @property
    def doing(self) -> str:
        """What is asked for, as messages say it."""
        return f"{self.kind or 'An event'} of {self.logical_id or 'a resource'}"

    def problem(self) -> str:
        """Why nothing can be done for this event at all; empty when something can."""
        if self.kind not in KINDS:
            return f"RequestType is {self.kind!r}, but must be one of {', '.join(KINDS)}."
        if self.stack_id.count(":") < 5 or not self.logical_id or not re.fullmatch(REQUEST_ID, self.request_id):
            return "StackId, LogicalResourceId and RequestId must say whose event it is, but do not."
        return ""


def text(value: object, longest: int = 0) -> str:
    """The value if it is text; nothing for whatever else was sent, nor beyond so many bytes.

    CloudFormation's own ids are shorter, and all that is echoed must fit into one answer.
    """
    if not isinstance(value, str):
        return ""
    return value.encode(errors="ignore")[:longest].decode(errors="ignore") if longest else value


def mapping(value: object) -> dict[str, object]:
    """The value's entries if it is a mapping by text; nothing for whatever else was sent."""
    return {key: each for key, each in value.items() if isinstance(key, str)} if isinstance(value, Mapping) else {}


def texts(value: object) -> dict[str, str]:
    """The entries of a mapping that are text, such as tags."""
    return {key: each for key, each in mapping(value).items() if isinstance(each, str)}
