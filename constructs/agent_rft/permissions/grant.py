"""What a user grants to someone of theirs: the ``grant_*`` methods end here."""

from collections.abc import Mapping

from aws_cdk import aws_iam as iam

from agent_rft.nag_suppressions import acknowledge_wildcards
from agent_rft.permissions.permission import Permission

__all__ = ["granted"]


def granted(
    grantee: iam.IGrantable,
    permission: Permission,
    *resources: str,
    conditions: Mapping[str, Mapping[str, object]] | None = None,
) -> iam.Grant:
    """Gives the permission on exactly these resources to whoever it is."""
    role = grantee.grant_principal
    if isinstance(role, iam.Role):
        acknowledge_wildcards(role, resources)
    return iam.Grant.add_to_principal(
        grantee=grantee, actions=list(permission.actions), resource_arns=list(resources), conditions=conditions
    )
