"""Nested stacks, which ministack deploys by a shorter way: their rollback, and what an update leaves as it was.

Mended here: an unchanged resource loses its attributes in an update; a resource whose update failed is not sent back;
a child says UPDATE_IN_PROGRESS while its parent rolls back; a child whose create failed is left behind.
"""

import functools
from collections.abc import Callable
from typing import Any

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import provisioners
from agent_rft_local.store import Row

TYPE = "AWS::CloudFormation::Stack"


def install() -> None:
    """Stands between ministack and the type's handlers."""
    provisioners._update_resource = functools.partial(_updating_within, provisioners._update_resource)
    handlers = provisioners._RESOURCE_HANDLERS[TYPE]
    handlers["create"] = functools.partial(_creating, handlers["create"])
    handlers["update"] = functools.partial(_updating, handlers["update"])
    handlers["delete"] = functools.partial(_deleting, handlers["delete"])


def _updating_within(inner: Callable[..., Any], kind: str, physical_id: str, old: Row, new: Row, *rest: Any) -> Any:
    """The update of one resource of a child; a stack's own engine says the attributes, this way does not."""
    stack_name, logical_id, *attributes = rest
    child = ministack_names.stack(stack_name)
    record = child.get("_resources", {}).get(logical_id, {})
    if _rolls_back(child):
        child["StackStatus"] = "UPDATE_ROLLBACK_IN_PROGRESS"
    try:
        return inner(kind, physical_id, old, new, stack_name, logical_id, *(attributes or [record.get("Attributes")]))
    except Exception:
        if not attributes and ministack_names.is_custom(kind):
            record["Properties"] = new  # so that the way back sends it
        raise


def _creating(inner: Callable[..., Any], logical_id: str, properties: Row, parent: str) -> Any:
    before = set(ministack_names.every_stack())
    try:
        return inner(logical_id, properties, parent)
    except Exception:
        for name, child in ministack_names.every_stack().items():
            if name not in before and child.get("_parent_stack_name") == parent:
                _leave_behind(ministack_names.stack(parent), logical_id, properties, child)
        raise


def _leave_behind(parent: Row, logical_id: str, properties: Row, child: Row) -> None:
    """What the parent's rollback deletes."""
    parent["_resources"][logical_id] = {
        "PhysicalResourceId": child["StackId"],
        "ResourceType": TYPE,
        "ResourceStatus": "CREATE_FAILED",
        "LogicalResourceId": logical_id,
        "Properties": properties,
        "Attributes": {},
    }


def _updating(inner: Callable[..., Any], physical_id: str, old: Row, new: Row, parent: str) -> Any:
    done = inner(physical_id, old, new, parent)
    child = ministack_names.stack(provisioners._nested_stack_lookup_name(physical_id))
    if _rolls_back(child):
        child["StackStatus"] = "UPDATE_ROLLBACK_COMPLETE"
    return done


def _deleting(inner: Callable[..., Any], physical_id: str, properties: Row) -> Any:
    child = ministack_names.stack(provisioners._nested_stack_lookup_name(physical_id))
    if child:
        child["StackStatus"] = "DELETE_IN_PROGRESS"
    return inner(physical_id, properties)


def _rolls_back(child: Row) -> bool:
    parent = ministack_names.stack(child.get("_parent_stack_name"))
    return "ROLLBACK" in str(parent.get("StackStatus", "")) or (bool(parent) and _rolls_back(parent))
