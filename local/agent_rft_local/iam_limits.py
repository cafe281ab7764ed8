"""IAM's quotas on a role's policies, whoever sets them: the API or CloudFormation.

Source: IAM docs, reference_iam-quotas; white space is not counted.
"""

import copy
import functools
import json
import re
from collections.abc import Callable
from typing import Any

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import iam
from agent_rft_local.store import Row

INLINE_MAX = 10_240
"""Characters of all inline policies of a role together."""

MANAGED_MAX = 6_144
ATTACHED_MAX = 10

OPERATIONS = ("PutRolePolicy", "AttachRolePolicy", "CreatePolicy", "CreatePolicyVersion")
TYPES = ("AWS::IAM::Role", "AWS::IAM::Policy", "AWS::IAM::RolePolicy", "AWS::IAM::ManagedPolicy")


class LimitExceeded(ValueError):
    """IAM's error of that code."""


def install() -> None:
    """Stands before IAM's operations and CloudFormation's types."""
    for name in OPERATIONS:
        iam._IAM_HANDLERS[name] = functools.partial(_through_the_api, iam._IAM_HANDLERS[name])
    for kind in TYPES:
        handlers = ministack_names.provisioners._RESOURCE_HANDLERS.get(kind, {})
        for verb in {"create", "update"} & set(handlers):
            handlers[verb] = functools.partial(_kept, handlers[verb])


def _through_the_api(inner: Callable[..., Any], request: Any) -> Any:
    try:
        return _kept(inner, request)
    except LimitExceeded as error:
        return iam._error(409, "LimitExceeded", str(error), ns="iam")


def _kept(inner: Callable[..., Any], *arguments: Any) -> Any:
    """Does it, and takes it back when a quota is exceeded by it."""
    before = {store: _copy(store) for store in ("_roles", "_policies")}
    done = inner(*arguments)
    if why := _exceeded():
        for store, content in before.items():
            _restore(getattr(iam, store), content)
        raise LimitExceeded(why)
    return done


def _copy(store: str) -> dict[str, Row]:
    return {name: copy.deepcopy(record) for name, record in getattr(iam, store).items()}


def _restore(store: Any, content: dict[str, Row]) -> None:
    for name in [name for name in store if name not in content]:
        store.pop(name)
    store.update(content)


def _exceeded() -> str:
    for name, role in iam._roles.items():
        if sum(map(_size, role.get("InlinePolicies", {}).values())) > INLINE_MAX:
            return f"Maximum policy size of {INLINE_MAX} bytes exceeded for role {name}"
        if len(role.get("AttachedPolicies", [])) > ATTACHED_MAX:
            return f"Cannot exceed quota for PoliciesPerRole: {ATTACHED_MAX}"
    for policy in iam._policies.values():
        for version in policy.get("Versions", {}).values():
            if _size(version.get("Document", "")) > MANAGED_MAX:
                return f"Cannot exceed quota for PolicySize: {MANAGED_MAX}"
    return ""


def _size(document: Any) -> int:
    text = document if isinstance(document, str) else json.dumps(document)
    return len(re.sub(r"\s", "", text))
