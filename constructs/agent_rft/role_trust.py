"""Whether a role that the app made lets jobs assume it: known when all of the app is declared."""

import json
from collections.abc import Mapping

import jsii
from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IValidation

from agent_rft import warnings
from agent_rft_handler.facts import JOB_PRINCIPAL


@jsii.implements(IValidation)
class RoleTrust:
    """Looks at the trust policy when the app is synthesized: it may be widened after the job is declared."""

    def __init__(self, scope: Construct, role: iam.Role) -> None:
        """Use it with ``node.add_validation``."""
        self._scope, self._role = scope, role

    def validate(self) -> list[str]:
        """Finds nothing wrong, but warns of a role that no job can assume."""
        if not _trusts_jobs(self._role):
            warnings.ROLE_TRUST.add_to(self._scope, role=self._role.node.path, principal=JOB_PRINCIPAL)
        return []


def _trusts_jobs(role: iam.Role) -> bool:
    """Whether its trust policy lets the service in, or says what is only known at deploy."""
    document = Stack.of(role).resolve(role.assume_role_policy) or {}
    named = [each.get("Principal") for each in document.get("Statement", [])]
    services = json.dumps([each.get("Service") if isinstance(each, Mapping) else each for each in named])
    return any(each in services for each in (JOB_PRINCIPAL, '"*"', '"Fn::', '"Ref"'))
