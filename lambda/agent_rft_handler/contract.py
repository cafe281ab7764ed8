"""The wire between constructs and handler: a Declaration and the custom resource's properties, both ways.

CloudFormation hands every scalar over as a string, so only strings, lists and maps of strings cross.
Unknown keys are passed over and no key is ever renamed: a rollback or a delete may bring the properties
of an older release. Standard library only.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_rft_handler.declaration import ARGUMENTS, Declaration

GROUP_RESOURCE_TYPE = "Custom::AgentRFTModelPackageGroup"
"""The custom resource of a model package group with managed storage."""

JOB_RESOURCE_TYPE = "Custom::AgentRFTJob"
"""The custom resource of a job."""

WATCH_RESOURCE_TYPE = "Custom::AgentRFTJobWatch"
"""The custom resource that starts a job's watcher."""

TASKS_RESOURCE_TYPE = "Custom::AgentRFTJobTasks"
"""The custom resource that stops what a stack's state machines left running, when they leave the stack."""

QUEUE_RESOURCE_TYPE = "Custom::AgentRFTJobQueue"
"""The custom resource of a queue of jobs."""

QUEUE_RESULTS = "results.csv"
"""The table of a queue's results, in its folder."""

STACK_ID_VARIABLE = "AGENT_RFT_STACK_ID"
"""The environment variable with the id of the one stack that the handler function serves."""

DIGEST_LENGTH = 12


def to_properties(declaration: Declaration) -> dict[str, object]:
    """The custom resource's properties; absent values are left out."""
    properties: dict[str, object] = {}
    for argument in ARGUMENTS:
        value = argument.value_in(declaration)
        if value or argument.written_when_false:
            properties[argument.wire_name] = str(value).lower() if isinstance(value, bool) else _plain(value)
    return properties


def from_properties(properties: Mapping[str, object]) -> Declaration:
    """The declaration in an event's ResourceProperties (or OldResourceProperties)."""
    values: dict[str, Any] = {argument.field_name: "" for argument in ARGUMENTS if argument.required}
    for argument in ARGUMENTS:
        value = _read(argument.kind, properties.get(argument.wire_name))
        if value:
            values[argument.field_name] = value
    return Declaration(**values)


def _read(kind: type, value: object) -> object:
    """A property's value; nothing where something else was sent, so that no event is too odd to be answered."""
    if kind is Mapping:
        return _plain(value) if isinstance(value, Mapping) else None
    if kind is Sequence:
        return _plain(value) if isinstance(value, list) else None
    if not isinstance(value, str | int | float):
        return None
    text = str(value)
    return {"true": True, "false": False}.get(text.lower(), text) if kind is bool else text


def digest(declaration: Declaration) -> str:
    """Twelve hex digits that name what a declaration defines; equal declarations have equal digests.

    Absent values are left out, so a release that adds a field changes no digest.
    """
    import hashlib  # only the handler names jobs: to a trainer's import it would add a tenth

    defining = {
        argument.wire_name: _plain(argument.value_in(declaration))
        for argument in ARGUMENTS
        if argument.defining and argument.value_in(declaration)
    }
    text = json.dumps(defining, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def hyperparameter_text(value: object) -> str:
    """The text that the SDK sends for a value: Python's ``str`` (1e-05, True, [1, 4])."""
    return value if isinstance(value, str) else str(value)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): str(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(item) for item in value]
    return value if isinstance(value, bool) else str(value)
