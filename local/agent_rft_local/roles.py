"""Whether a service may assume a role, by its whole ARN and its trust policy, and what the role's policies allow."""

import json
from datetime import datetime
from typing import Any

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import get_account_id, get_region, iam_evaluator
from agent_rft_local.store import Row


def assume_problem(role_arn: str, service: str, *, seen: float = float("inf"), says_account: bool = False) -> str:
    """Why the service cannot assume the role; empty when it can.

    Args:
        role_arn: The whole ARN, path included.
        service: The service's principal.
        seen: The time up to which new roles are known to the service.
        says_account: Whether the request carries aws:SourceAccount.
    """
    role = ministack_names.role(role_arn.rsplit("/", 1)[-1])
    if role is None or role["Arn"] != role_arn or created(role) > seen:
        return "there is no such role"
    context = _context(role_arn, service, {"aws:sourceaccount": get_account_id()} if says_account else {})
    trust = role["AssumeRolePolicyDocument"]
    statements = (json.loads(trust) if isinstance(trust, str) else trust or {}).get("Statement", [])
    matching = [each for each in _listed(statements) if _names(each, service) and _applies(each, context)]
    effects = {each["Effect"] for each in matching}
    return "" if effects == {"Allow"} else "its trust policy does not let the service in"


def allows(role_arn: str, action: str, resource: str = "*", context: dict[str, Any] | None = None) -> bool:
    """Whether the role's own policies allow the action."""
    session = ministack_names.role_session(role_arn, "check")
    principal = iam_evaluator.resolve_principal(session["AccessKeyId"], get_account_id())
    if isinstance(principal, ministack_names.AuthError):
        return False
    asked = iam_evaluator.EvalContext(
        principal_arn=principal.arn,
        principal_type=principal.type,
        principal_account=principal.account,
        action=action,
        resource_arn=resource,
        region=get_region(),
        service_context=context or {},
    )
    return bool(iam_evaluator.evaluate(asked, principal.policies, *principal.limits).decision == "Allow")


def _names(statement: Row, service: str) -> bool:
    principal = statement.get("Principal", {})
    return principal == "*" or service in _listed(principal.get("Service", []))


def _applies(statement: Row, context: Any) -> bool:
    actions, others = _listed(statement.get("Action", [])), _listed(statement.get("NotAction", []))
    conditions = statement.get("Condition", {})
    return bool(
        iam_evaluator._action_matches(context.action, actions, others)
        and iam_evaluator._conditions_met(conditions, context)
    )


def _context(role_arn: str, service: str, keys: dict[str, Any]) -> Any:
    return iam_evaluator.EvalContext(
        principal_arn=service,
        principal_type="Service",
        principal_account=get_account_id(),
        action="sts:AssumeRole",
        resource_arn=role_arn,
        region=get_region(),
        service_context={"aws:principalisawsservice": "true", "aws:principalservicename": service, **keys},
    )


def created(role: Row) -> float:
    """When the role was made."""
    return datetime.fromisoformat(role["CreateDate"]).timestamp() if "CreateDate" in role else 0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
