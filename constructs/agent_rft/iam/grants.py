"""What a user grants to someone of theirs: the ``grant_*`` methods end here. To a role, in a policy of this stack.

A role of our own takes what its function needs in its own policy: ``allow``.
"""

from collections.abc import Mapping
from itertools import chain
from typing import cast

import jsii
from aws_cdk import aws_iam as iam
from constructs import Construct, IDependable

from agent_rft import warnings
from agent_rft.iam.nag_suppressions import acknowledge_wildcards
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.permissions import Permission, Statement, statement

PART = "Grants"
"""Kept apart from what jobs wait for: what is granted here names a job, and a role may be that of the job's agent."""

ROOM = 2_100
"""Characters of inline policies for grants, beside what a job takes of the same role."""


def granted(
    scope: Construct,
    grantee: iam.IGrantable,
    permission: Permission,
    *resources: str,
    conditions: Mapping[str, Mapping[str, object]] | None = None,
) -> iam.Grant:
    """Gives the permission on exactly these resources; with a role that cannot be changed there is a warning."""
    policies = _policies_on(scope, grantee)
    if policies:
        principal = grantee.grant_principal
        needed = policies.allow(scope, statement(permission, *resources, conditions=conditions))
        grantee = _Granted(principal, needed, is_added=policies.can_change)
    return iam.Grant.add_to_principal(
        grantee=grantee, actions=list(permission.actions), resource_arns=list(resources), conditions=conditions
    )


def warn_of_immutable(scope: Construct, grantee: iam.IGrantable) -> None:
    """Warns of a role that takes nothing, before CDK's own grants, which say nothing of it."""
    policies = _policies_on(scope, grantee)
    if policies and not policies.can_change:
        warnings.IMMUTABLE_ROLE.add_to(scope, role=policies.role.role_name)


def _policies_on(scope: Construct, grantee: iam.IGrantable) -> RolePolicies | None:
    """This stack's policies on the grantee, where it is or has a role."""
    principal = grantee.grant_principal
    is_role = hasattr(principal, "attach_inline_policy") and hasattr(principal, "role_name")
    return RolePolicies.of(scope, cast("iam.IRole", principal), PART, ROOM) if is_role else None


def own_role(scope: Construct, id: str, service: str, *needed: Statement) -> iam.Role:
    """A role of our own with what its function needs: a part of the role itself, not one resource more."""
    document = iam.PolicyDocument(statements=[each.to_policy_statement() for each in needed])
    role = iam.Role(scope, id, assumed_by=iam.ServicePrincipal(service), inline_policies={"Own": document})
    acknowledge_wildcards(role, chain.from_iterable(each.resources for each in needed))
    return role


def allow(role: iam.Role, *needed: Statement) -> None:
    """Gives a role of our own what it needs beside that."""
    for each in needed:
        role.add_to_principal_policy(each.to_policy_statement())
        acknowledge_wildcards(role, each.resources)


@jsii.implements(iam.IPrincipal)
class _Granted:
    """A role that has been granted what CDK is about to grant it: CDK makes its ``Grant`` of what it answers."""

    def __init__(self, role: iam.IPrincipal, policy: IDependable, *, is_added: bool) -> None:
        self._role = role
        self._answer = iam.AddToPrincipalPolicyResult(statement_added=is_added, policy_dependable=policy)

    @property
    def grant_principal(self) -> iam.IPrincipal:
        """Itself."""
        return self

    @property
    def assume_role_action(self) -> str:
        """The role's."""
        return self._role.assume_role_action

    @property
    def policy_fragment(self) -> iam.PrincipalPolicyFragment:
        """The role's."""
        return self._role.policy_fragment

    @property
    def principal_account(self) -> str | None:
        """The role's."""
        return self._role.principal_account

    def add_to_principal_policy(self, statement: iam.PolicyStatement) -> iam.AddToPrincipalPolicyResult:
        """Has been done."""
        return self._answer
