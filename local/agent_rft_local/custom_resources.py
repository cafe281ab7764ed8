"""Custom resources as CloudFormation and Lambda run them: events out, answers in.

The function is invoked asynchronously, so Lambda calls it twice again when it raises or runs out of time, with the
very same event. The first answer to an event counts, and none that comes after the ServiceTimeout.
"""

import json
import threading
import time
import uuid
from typing import Any

from agent_rft_local import ministack_names, store
from agent_rft_local.ministack_names import custom_resource
from agent_rft_local.store import Row

RESPONSE_MAX_BYTES = 4096
"""[AWS docs: custom resource response objects]"""

TIMEOUT_MAX_SECONDS = 3600

POLL_SECONDS = 0.02
"""How often a wait looks whether its stack still wants the answer."""

deliveries: list[Row] = []
"""Every event that was sent, without its ResponseURL: what a test reads back, or delivers again."""


class Cancelled(Exception):
    """The stack is deleted, or its update cancelled, while the function is still at work."""


def install() -> None:
    """Replaces ministack's own way of running custom resources."""
    custom_resource.invoke_custom_resource = invoke_custom_resource
    custom_resource.deliver_response = take_answer


def invoke_custom_resource(
    request_type: str,
    logical_id: str,
    properties: Row,
    stack_name: str,
    stack_id: str,
    resource_type: str,
    physical_id: str | None = None,
    old_props: Row | None = None,
) -> tuple[str, Row]:
    """Sends one event and waits for its answer; the resource's id and attributes."""
    timeout = _timeout(properties)
    ministack_names.require_function(properties.get("ServiceToken"))
    event: Row = {
        "RequestType": request_type,
        "RequestId": str(uuid.uuid4()),
        "StackId": stack_id,
        "ResourceType": resource_type,
        "LogicalResourceId": logical_id,
        "ResourceProperties": custom_resource._normalise_resource_properties(properties),
    }
    if physical_id is not None:
        event["PhysicalResourceId"] = physical_id
    if old_props is not None:
        event["OldResourceProperties"] = custom_resource._normalise_resource_properties(old_props)
    stack = ministack_names.stack(stack_name)
    _shows(stack, event, "IN_PROGRESS", properties)
    answer: Row = {}
    try:
        answer = _ask(event, timeout, stack)
        _require_success(event, answer)
    except Exception:
        made_up = f"{stack_name}-{logical_id}-{uuid.uuid4().hex[:12].upper()}"
        _shows(stack, event, "FAILED", properties, str(answer.get("PhysicalResourceId") or made_up))
        raise
    return str(answer["PhysicalResourceId"]), dict(answer.get("Data") or {})


def take_answer(token: str, answer: Row) -> bool:
    """What a PUT to the ResponseURL does; whether anybody still waited for it."""
    with custom_resource._lock:
        waiting = custom_resource._pending.get(token)
        if waiting is None or waiting["result"] is not None:
            return False
        waiting["result"] = answer
        waiting["event"].set()
    return True


def _shows(stack: Row, event: Row, status: str, properties: Row, physical_id: str = "") -> None:
    """Has DescribeStackResource show the event under way; a created resource has no id before it is answered."""
    resources, logical_id, kind = stack.get("_resources", {}), event["LogicalResourceId"], event["RequestType"]
    if kind == "Create":
        resources[logical_id] = {
            "PhysicalResourceId": physical_id,
            "ResourceType": event["ResourceType"],
            "LogicalResourceId": logical_id,
            "Properties": properties,
            "Attributes": {},
        }
    shown = resources.get(logical_id)
    if shown and shown["PhysicalResourceId"] in (physical_id, event.get("PhysicalResourceId")):
        shown |= {"ResourceStatus": f"{kind.upper()}_{status}", "Timestamp": ministack_names.now_iso()}


def _timeout(properties: Row) -> int:
    try:
        timeout = int(properties.get("ServiceTimeout", TIMEOUT_MAX_SECONDS))
    except (TypeError, ValueError):
        timeout = 0
    if not 1 <= timeout <= TIMEOUT_MAX_SECONDS:
        raise ValueError(f"ServiceTimeout must be an integer between 1 and {TIMEOUT_MAX_SECONDS}")
    return timeout


def _ask(event: Row, timeout: int, stack: Row) -> Row:
    """One event with a ResponseURL of its own, and the answer that arrives there."""
    deliveries.append(dict(event))
    token = str(uuid.uuid4())
    arrived = custom_resource.register_token(token)
    payload = {**event, "ResponseURL": custom_resource._response_url(token)}
    try:
        ministack_names.invoke_asynchronously(
            event["ResourceProperties"]["ServiceToken"], payload, store.behaviour.lambda_retry_seconds
        )
        _wait(arrived, time.monotonic() + timeout, event, stack)
    finally:
        with custom_resource._lock:
            waiting: Any = custom_resource._pending.pop(token, None)
    if waiting is None or waiting["result"] is None:
        raise TimeoutError(
            "CloudFormation did not receive a response from your Custom Resource. Please check your logs for "
            f"requestId [{event['RequestId']}]."
        )
    return dict(waiting["result"])


def _wait(arrived: threading.Event, end: float, event: Row, stack: Row) -> None:
    while not arrived.wait(POLL_SECONDS) and time.monotonic() < end:
        noun = {"Create": "creation", "Update": "update"}.get(event["RequestType"])
        if noun and ministack_names.is_cancelled(stack):
            raise Cancelled(f"Resource {noun} cancelled")


def _require_success(event: Row, answer: Row) -> None:
    if problem := _problem(event, answer):
        raise RuntimeError(problem)
    if answer["Status"] == "FAILED":
        raise RuntimeError(
            "Received response status [FAILED] from custom resource. Message returned: "
            f"{answer.get('Reason', '')} (RequestId: {event['RequestId']})"
        )


def _problem(event: Row, answer: Row) -> str:
    if len(json.dumps(answer, separators=(",", ":")).encode()) > RESPONSE_MAX_BYTES:
        return "Response object is too long."
    for name in ("StackId", "RequestId", "LogicalResourceId"):
        if answer.get(name) != event[name]:
            return f"Invalid {name} in the custom resource response: {answer.get(name)}"
    if answer.get("Status") not in ("SUCCESS", "FAILED"):
        return f"Invalid Status in the custom resource response: {answer.get('Status')}"
    physical_id = answer.get("PhysicalResourceId")
    if not isinstance(physical_id, str) or not 1 <= len(physical_id.encode()) <= 1024:
        return "Invalid PhysicalResourceId"
    return ""
