"""What happens to a stack around its custom resources, where ministack's engine differs from CloudFormation.

- A create that failed leaves a resource with an id, which the rollback, or a later update or delete, deletes.
- A resource that an update replaced is told of the rollback by an Update back, before what replaced it is deleted.
- What was replaced or removed is deleted while the stack says that it cleans up, by three attempts.
- A delete-stack or cancel-update-stack does not wait for a function's answer; a stack is not deleted while it updates.
- A stack that failed without rollback takes an update.
"""

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import cloudformation_handlers, stacks
from agent_rft_local.store import Row

log = logging.getLogger("cloudformation")

CLEANUP_TRIES = 3
"""[AWS docs: Update behaviors of stack resources, the clean-up phase]"""

_CLEANING = "_COMPLETE_CLEANUP_IN_PROGRESS"
_OWED = "_owed_deletes"
"""On a stack: the ids that an Update back left behind."""


def install() -> None:
    """Stands between ministack's engine and its own functions."""
    _stand_before(stacks, "_update_resource", _updating)
    _stand_before(stacks, "_delete_resource", _deleting)
    _stand_before(stacks, "_resolve_stack_outputs", _resolving_outputs)
    _stand_before(stacks, "_revert_update", _reverting)
    _stand_before(stacks, "_roll_back_operation", _rolling_back)
    _stand_before(stacks, "_continue_update_rollback_async", _continuing)
    _stand_before(stacks, "_deploy_stack_async", _deploying)
    _stand_before(stacks, "_delete_stack_async", _deleting_stack)
    actions = cloudformation_handlers._ACTION_HANDLERS
    for name, ours in (("DeleteStack", _requesting_delete), ("UpdateStack", _requesting_update)):
        actions[name] = functools.partial(ours, actions[name])


def _stand_before(module: Any, name: str, ours: Callable[..., Any]) -> None:
    """Puts ``ours``, which is given ministack's own first, in the name's place wherever it was imported."""
    inner = getattr(module, name)

    def outer(*arguments: Any, **more: Any) -> Any:
        return ours(inner, *arguments, **more)

    for each in (stacks, cloudformation_handlers, ministack_names.changesets):
        if getattr(each, name, None) is inner:
            setattr(each, name, outer)


def _updating(inner: Callable[..., Any], kind: str, physical_id: str, old: Row, new: Row, *rest: Any) -> Any:
    """A resource whose create failed is made anew; the engine deletes the failed one in its clean-up."""
    stack_name, logical_id = rest[0], rest[1]
    if _status(ministack_names.stack(stack_name), logical_id) == "CREATE_FAILED":
        return ministack_names.provisioners._provision_resource(kind, logical_id, new, stack_name)
    return inner(kind, physical_id, old, new, *rest)


def _deleting(inner: Callable[..., Any], kind: str, physical_id: str, properties: Row, *rest: Any) -> Any:
    stack = ministack_names.stack(rest[0])
    for left in reversed(range(CLEANUP_TRIES if stack.get("StackStatus", "").endswith(_CLEANING) else 1)):
        try:
            return inner(kind, physical_id, properties, *rest)
        except Exception:
            if not left:
                raise
            log.warning("clean-up of %s failed and is tried again", physical_id)
    return None


def _resolving_outputs(inner: Callable[..., Any], *arguments: Any) -> Any:
    """The last step of an update that may fail; what follows is the clean-up."""
    resolved = inner(*arguments)
    stack_name = arguments[5]
    stack = ministack_names.stack(stack_name)
    if stack.get("StackStatus") == "UPDATE_IN_PROGRESS":
        _say(stack, "UPDATE" + _CLEANING)
    return resolved


async def _reverting(inner: Callable[..., Awaitable[None]], *arguments: Any, **more: Any) -> None:
    """The Update back; an id that it leaves is deleted when everything has gone back."""
    _, stack_name, logical_id, kind, physical_id, applied = arguments[:6]
    record = more.get("record", arguments[8] if len(arguments) > 8 else None)
    await inner(*arguments, **more)
    if record is not None and record["PhysicalResourceId"] != physical_id:
        owed = ministack_names.stack(stack_name).setdefault(_OWED, [])
        owed.append([kind, physical_id, applied, stack_name, logical_id])


async def _rolling_back(
    inner: Callable[..., Awaitable[None]],
    stack_name: str,
    stack_id: str,
    stack: Row,
    operation: Row,
    *rest: Any,
    **more: Any,
) -> None:
    if stack["StackStatus"].startswith("DELETE"):  # the stack was deleted in the middle, and what it holds with it
        return
    failed = operation["failed_logical_id"]
    if failed and _status(stack, failed) == "CREATE_FAILED":
        operation["created"].append(failed)
    for logical_id in operation["replaced_ids"]:
        _tell_of_rollback(stack, operation, logical_id)
    await inner(stack_name, stack_id, stack, operation, *rest, **more)
    await _clean_up(stack)


def _tell_of_rollback(stack: Row, operation: Row, logical_id: str) -> None:
    """Has the engine send the Update back to the resource by the id that it now has."""
    before, now = operation["previous_stack"]["_resources"][logical_id], stack["_resources"][logical_id]
    if ministack_names.is_custom(now["ResourceType"]) and before.get("ResourceStatus") != "CREATE_FAILED":
        before["PhysicalResourceId"] = now["PhysicalResourceId"]
        operation["replaced_ids"].remove(logical_id)


async def _continuing(inner: Callable[..., Awaitable[None]], stack_name: str, *rest: Any) -> None:
    await inner(stack_name, *rest)
    await _clean_up(ministack_names.stack(stack_name))


async def _clean_up(stack: Row) -> None:
    """Deletes the ids that were left behind, once the rollback is through."""
    if stack.get("StackStatus") != "UPDATE_ROLLBACK_COMPLETE" or not stack.get(_OWED):
        return
    ministack_names.forget_last_event(stack)  # the rollback is complete only after the clean-up
    _say(stack, "UPDATE_ROLLBACK" + _CLEANING)
    for arguments in stack.pop(_OWED):
        try:
            await ministack_names.run_reentrant(stacks._delete_resource, *arguments)
        except Exception as error:  # noqa: BLE001 - a clean-up that fails fails no stack
            log.warning("clean-up of %s failed: %s", arguments[1], error)
    _say(stack, "UPDATE_ROLLBACK_COMPLETE")


async def _deploying(inner: Callable[..., Awaitable[None]], stack_name: str, *rest: Any, **more: Any) -> None:
    stack = ministack_names.stack(stack_name)
    stack["_deploying"] = True
    try:
        await inner(stack_name, *rest, **more)
    finally:
        stack["_deploying"] = False


def _requesting_delete(inner: Callable[[Any], Any], request: Any) -> Any:
    """A stack that is updated must be left to end, or its update be cancelled, before it can be deleted."""
    stack = _asked_for(request)
    status = str(stack.get("StackStatus", ""))
    if status.startswith("UPDATE") and status.endswith("_IN_PROGRESS"):
        text = f"Stack [{stack['StackId']}] cannot be deleted while in status {status}"
        return cloudformation_handlers._error("ValidationError", text)
    return inner(request)


def _requesting_update(inner: Callable[[Any], Any], request: Any) -> Any:
    """[AWS docs: stack-failure-options] Ministack refuses it, so it is shown a stack that is complete."""
    stack = _asked_for(request)
    failed = stack.get("StackStatus", "")
    if failed not in ("CREATE_FAILED", "UPDATE_FAILED"):
        return inner(request)
    stack["StackStatus"] = shown = "UPDATE_COMPLETE"
    answer = inner(request)
    if stack["StackStatus"] == shown:  # the request was refused for another reason
        stack["StackStatus"] = failed
    return answer


def _asked_for(request: Any) -> Row:
    return cloudformation_handlers._resolve_stack(cloudformation_handlers._p(request, "StackName")) or {}


async def _deleting_stack(
    inner: Callable[..., Awaitable[None]], stack_name: str, stack_id: str, *rest: Any, **more: Any
) -> None:
    """Does not wait for a function's answer, only for the deployment to notice that nobody wants it."""
    stack = ministack_names.stack(stack_name)
    stack["StackStatus"] = "DELETE_IN_PROGRESS"
    while stack.get("_deploying"):
        await asyncio.sleep(0.01)
    await inner(stack_name, stack_id, *rest, **more)


def _status(stack: Row, logical_id: str) -> str:
    return str(stack.get("_resources", {}).get(logical_id, {}).get("ResourceStatus", ""))


def _say(stack: Row, status: str) -> None:
    stack["StackStatus"] = status
    stacks._add_event(
        stack["StackId"],
        stack["StackName"],
        stack["StackName"],
        "AWS::CloudFormation::Stack",
        status,
        physical_id=stack["StackId"],
    )
