"""AgentCore's control plane decided by IAM: ministack answers it, but asks no policy.

Which action a request is follows from botocore's model: its method and path.
"""

import functools
import json
import re
from typing import Any

import botocore.session

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import get_account_id, get_region, iam_evaluator

SERVICE = "bedrock-agentcore"


def install() -> None:
    """Stands before ministack's AgentCore."""
    inner = ministack_names.handler_of(SERVICE)

    async def handle(method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Any:
        if needed := action_of(method, path):
            why = _denied(*needed, ministack_names.extract_access_key_id(headers, query))
            if why:
                error = {"x-amzn-ErrorType": "AccessDeniedException", "Content-Type": "application/json"}
                return 403, error, json.dumps({"message": why}).encode()
        return await inner(method, path, headers, body, query)

    ministack_names.set_handler(SERVICE, handle)


def action_of(method: str, path: str) -> tuple[str, str] | None:
    """The action, and the resource on which it is checked; None for what the control plane does not have."""
    for name, verb, pattern in _operations():
        found = pattern.fullmatch(path)
        if verb == method and found:
            runtime = found.groupdict().get("agentRuntimeId")
            resource = f"arn:aws:{SERVICE}:{get_region()}:{get_account_id()}:runtime/{runtime}" if runtime else "*"
            return f"{SERVICE}:{name}", resource
    return None


@functools.cache
def _operations() -> list[tuple[str, str, "re.Pattern[str]"]]:
    model = botocore.session.get_session().get_service_model(f"{SERVICE}-control")
    rows = [(name, model.operation_model(name).http) for name in model.operation_names]
    return [(name, http["method"], _pattern(http["requestUri"])) for name, http in rows]


def _pattern(uri: str) -> "re.Pattern[str]":
    path = re.sub(r"\\\{(\w+)\\?\+?\\\}", r"(?P<\1>[^/]+)", re.escape(uri.partition("?")[0].rstrip("/")))
    return re.compile(f"{path}/?")


def _denied(action: str, resource: str, access_key: str) -> str:
    if not ministack_names.auth_is_on():
        return ""
    denied = iam_evaluator.enforce(access_key, action, SERVICE, get_region(), resource_arn=resource)
    if denied is None:
        return ""
    who = getattr(denied, "principal_arn", access_key)
    return f"User: {who} is not authorized to perform: {action} on resource: {resource}"
