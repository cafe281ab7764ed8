"""Whether a role that the app made lets jobs assume it: known when all of the app is declared."""

import json
from collections.abc import Iterable, Mapping

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import warnings
from agent_rft.place import Place
from agent_rft.synthesis import when_synthesized
from agent_rft_handler.facts import JOB_PRINCIPAL


def look_at_trust(scope: Construct, role: iam.IRole) -> None:
    """Has each job warned whose role it cannot assume; looked at once, however many jobs of the stack have the role."""
    if isinstance(role, iam.Role):
        scopes = Place.of(scope).kept((look_at_trust, role), list[Construct])
        scopes.append(scope)
        if len(scopes) == 1:
            when_synthesized(scope, lambda: _warn_of_trust(scopes, role))


def _warn_of_trust(scopes: Iterable[Construct], role: iam.Role) -> None:
    """When the app is synthesized, as its trust policy may be widened after the job is declared."""
    if not _trusts_jobs(role):
        for scope in scopes:
            warnings.ROLE_TRUST.add_to(scope, role=role.node.path, principal=JOB_PRINCIPAL)


def _trusts_jobs(role: iam.Role) -> bool:
    """Whether its trust policy lets the service in, or says what is only known at deploy."""
    document = Stack.of(role).resolve(role.assume_role_policy) or {}
    named = [each.get("Principal") for each in document.get("Statement", [])]
    services = json.dumps([each.get("Service") if isinstance(each, Mapping) else each for each in named])
    return any(each in services for each in (JOB_PRINCIPAL, '"*"', '"Fn::', '"Ref"'))
