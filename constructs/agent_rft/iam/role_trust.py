"""Whether a role that the app made lets jobs assume it: known when all of the app is declared."""

import json
from collections.abc import Mapping

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import warnings
from agent_rft_handler.facts import JOB_PRINCIPAL


def warn_of_trust(scope: Construct, role: iam.Role) -> None:
    """Warns of a role that no job can assume; its trust policy may be widened after the job is declared."""
    if not _trusts_jobs(role):
        warnings.ROLE_TRUST.add_to(scope, role=role.node.path, principal=JOB_PRINCIPAL)


def _trusts_jobs(role: iam.Role) -> bool:
    """Whether its trust policy lets the service in, or says what is only known at deploy."""
    document = Stack.of(role).resolve(role.assume_role_policy) or {}
    named = [each.get("Principal") for each in document.get("Statement", [])]
    services = json.dumps([each.get("Service") if isinstance(each, Mapping) else each for each in named])
    return any(each in services for each in (JOB_PRINCIPAL, '"*"', '"Fn::', '"Ref"'))
