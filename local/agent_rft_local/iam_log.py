"""Records every authorization decision, and has S3 ask KMS where a bucket is encrypted by a key.

So a test can compare what a role used with what it was granted, and a role without the key cannot reach the objects.
"""

from typing import Any

from agent_rft_local import buckets, ministack_names, roles, store
from agent_rft_local.ministack_names import get_account_id, iam_evaluator
from agent_rft_local.store import Row

decisions: list[Row] = []

_seen: dict[str, list[tuple[int, float]]] = {}
"""Each version of a role's policies that was asked for so far, and when it was new."""

NEEDS_KEY = {"s3:GetObject": "kms:Decrypt", "s3:PutObject": "kms:GenerateDataKey"}
"""What S3 does with a bucket's key on the caller's behalf [AWS docs: S3 UsingKMSEncryption]."""


def install() -> None:
    """Stands between ministack and its decisions."""
    inner = iam_evaluator.enforce

    def enforce(access_key: str, action: str, service: str, region: str, **rest: Any) -> Any:
        denied = inner(access_key, action, service, region, **rest) or _not_yet(access_key)
        resource = rest.get("resource_arn", "*")
        _record(access_key, action, resource, denied)
        key = buckets.bucket_key(resource) if denied is None and action in NEEDS_KEY else ""
        if key:
            context = {"kms:viaservice": f"s3.{region}.amazonaws.com"}
            return enforce(access_key, NEEDS_KEY[action], "kms", region, resource_arn=key, service_context=context)
        return denied

    iam_evaluator.enforce = enforce


def _not_yet(access_key: str) -> Any:
    """A denial for a role whose policies are newer than the policies' lag; nothing for any other caller."""
    principal = iam_evaluator.resolve_principal(access_key or "", get_account_id())
    role = _role(getattr(principal, "arn", ""))
    if role is None:
        return None
    version = hash(repr((role.get("InlinePolicies"), role.get("AttachedPolicies"))))
    versions = _seen.setdefault(role["Arn"], [])
    if not versions or versions[-1][0] != version:
        versions.append((version, store.now() if versions else roles.created(role)))
    if store.now() - versions[-1][1] >= store.behaviour.policy_lag:
        return None
    return iam_evaluator.EvalResult("ImplicitDeny", principal_arn=principal.arn)


def _role(principal_arn: str) -> Row | None:
    _, is_session, session = principal_arn.partition(":assumed-role/")
    return ministack_names.role(session.split("/")[0]) if is_session else None


def _record(access_key: str, action: str, resource: str, denied: Any) -> None:
    principal = iam_evaluator.resolve_principal(access_key or "", get_account_id())
    name = getattr(principal, "arn", access_key)
    decisions.append({"principal": name, "action": action, "resource": resource, "allowed": denied is None})
