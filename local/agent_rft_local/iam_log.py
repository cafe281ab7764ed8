"""Records every authorization decision, so that a test can compare what a role used with what it was granted."""

from typing import Any

from agent_rft_local.ministack_names import get_account_id, iam_evaluator
from agent_rft_local.store import Row

decisions: list[Row] = []


def install() -> None:
    """Listens in on ministack's decisions."""
    inner = iam_evaluator.enforce

    def enforce(access_key: str, action: str, service: str, region: str, **rest: Any) -> Any:
        denied = inner(access_key, action, service, region, **rest)
        principal = iam_evaluator.resolve_principal(access_key or "", get_account_id())
        decisions.append(
            {
                "principal": getattr(principal, "arn", access_key),
                "action": action,
                "resource": rest.get("resource_arn", "*"),
                "allowed": denied is None,
            }
        )
        return denied

    iam_evaluator.enforce = enforce
