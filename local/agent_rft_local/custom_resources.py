"""Custom resources as CloudFormation runs them, where ministack is laxer.

The function is invoked through the API, as an event; a response that CloudFormation would refuse is refused; and a
failed create is followed by a Delete, unless rollback is disabled.
"""

import json
import logging
import os
from typing import Any

import botocore.session
from botocore.config import Config

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import custom_resource, get_account_id, get_region
from agent_rft_local.store import Row, next_id

log = logging.getLogger("cloudformation")

RESPONSE_MAX_BYTES = 4096
"""[AWS docs: custom resource response objects]"""

TIMEOUT_MAX_SECONDS = 3600

deliveries: list[Row] = []
"""Every event that was sent, without its ResponseURL: what a test reads back, or delivers again."""


def install() -> None:
    """Replaces ministack's own way of running custom resources."""
    custom_resource.invoke_custom_resource = invoke_custom_resource


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
    event: Row = {
        "RequestType": request_type,
        "StackId": stack_id,
        "ResourceType": resource_type,
        "LogicalResourceId": logical_id,
        "ResourceProperties": custom_resource._normalise_resource_properties(properties),
    }
    if physical_id is not None:
        event["PhysicalResourceId"] = physical_id
    if old_props is not None:
        event["OldResourceProperties"] = custom_resource._normalise_resource_properties(old_props)
    answer: Row = {}
    try:
        answer = _ask(event, timeout)
        _require_success(event, answer)
    except Exception:
        if request_type == "Create" and not ministack_names.keeps_what_failed(stack_name):
            _undo(event, answer, stack_name, timeout)
        raise
    return str(answer["PhysicalResourceId"]), dict(answer.get("Data") or {})


def _timeout(properties: Row) -> int:
    try:
        timeout = int(properties.get("ServiceTimeout", TIMEOUT_MAX_SECONDS))
    except (TypeError, ValueError):
        timeout = 0
    if not 1 <= timeout <= TIMEOUT_MAX_SECONDS:
        raise ValueError(f"ServiceTimeout must be an integer between 1 and {TIMEOUT_MAX_SECONDS}")
    return timeout


def _ask(event: Row, timeout: int) -> Row:
    """One delivery: a fresh RequestId and ResponseURL, and the answer that arrives there."""
    token = f"token-{next_id()}"
    event["RequestId"] = f"request-{next_id()}"
    deliveries.append(dict(event))
    arrived = custom_resource.register_token(token)
    payload = {**event, "ResponseURL": custom_resource._response_url(token)}
    function = event["ResourceProperties"]["ServiceToken"]
    _lambda_client().invoke(FunctionName=function, InvocationType="Event", Payload=json.dumps(payload).encode())
    signalled = arrived.wait(timeout)
    with custom_resource._lock:
        entry = custom_resource._pending.pop(token, None)
    if not signalled or not entry or entry["result"] is None:
        raise TimeoutError(
            "CloudFormation did not receive a response from your Custom Resource. Please check your logs for "
            f"requestId [{event['RequestId']}]."
        )
    return dict(entry["result"])


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


def _undo(event: Row, answer: Row, stack_name: str, timeout: int) -> None:
    """The Delete after a failed create, with the answer's id or one that CloudFormation makes up."""
    made_up = f"{stack_name}-{event['LogicalResourceId']}-{next_id()}"
    undo = {**event, "RequestType": "Delete", "PhysicalResourceId": answer.get("PhysicalResourceId") or made_up}
    try:
        _ask(undo, timeout)
    except Exception as error:  # noqa: BLE001 - the create's failure is what the stack reports
        log.warning("Delete after the failed create of %s: %s", event["LogicalResourceId"], error)


def _lambda_client() -> Any:
    return botocore.session.get_session().create_client(
        "lambda",
        region_name=get_region(),
        endpoint_url=f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}",
        aws_access_key_id=get_account_id(),
        aws_secret_access_key="test",  # noqa: S106 - the local AWS checks no secret
        config=Config(retries={"max_attempts": 0}, read_timeout=60),
    )
