"""The role that the job assumes: made, or given."""

from collections.abc import Mapping

from aws_cdk import ArnFormat, Aws, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.nag_suppressions import POLICIES, acknowledge, acknowledge_wildcards
from agent_rft.permissions import statement
from agent_rft.validation import unresolved
from agent_rft_handler.facts import JOB_PRINCIPAL


class ExecutionRole:
    """A role that gets the permissions of a job; where it cannot be changed, there is a warning instead."""

    def __init__(self, scope: Construct, role: iam.IRole) -> None:
        """Use ``of`` instead."""
        self.role = role
        self._scope = scope

    @classmethod
    def of(cls, scope: Construct, role: iam.IRole | str | None) -> "ExecutionRole":
        """The role made, given, or imported by its ARN or name."""
        if role is None:
            return cls(scope, _made(scope))
        if not isinstance(role, str):
            return cls(scope, role)
        if role.startswith("arn:") or unresolved(role):
            return cls(scope, iam.Role.from_role_arn(scope, "ExecutionRole", role))
        return cls(scope, iam.Role.from_role_name(scope, "ExecutionRole", role))

    @property
    def declared(self) -> Mapping[str, object]:
        """Its ARN."""
        return {"role_arn": self.role.role_arn}

    def bind(self, scope: Construct, role: "ExecutionRole") -> None:
        """Grants the job to write its logs."""
        logs = Stack.of(scope).format_arn(
            service="logs",
            resource="log-group",
            resource_name="/aws/sagemaker/Job/*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        role.allow(statement(permissions.LOG, logs))

    def allow(self, *needed: iam.PolicyStatement) -> None:
        """Adds statements to the role's policy."""
        added = [self.role.add_to_principal_policy(each).statement_added for each in needed]
        acknowledge_wildcards(self.role, (resource for each in needed for resource in each.resources))
        if not all(added) or not self._has_policy():
            warnings.IMMUTABLE_ROLE.add_to(self._scope, role=self.role.role_name)

    def _has_policy(self) -> bool:
        """An immutable role says that it added a statement, too; only, no policy of its own holds it.

        https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/aws-iam/lib/private/immutable-role.ts
        """
        return any(isinstance(child, iam.Policy) for child in self.role.node.children)


def _made(scope: Construct) -> iam.Role:
    # AWS's page on this role shows no condition: a service that does not say its account must still get in
    own_account = {"StringEqualsIfExists": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
    principal = iam.ServicePrincipal(JOB_PRINCIPAL, conditions=own_account)
    role = iam.Role(
        scope,
        "ExecutionRole",
        assumed_by=principal.with_session_tags(),
        description="Assumed by SageMaker AgentRFT jobs",
    )
    acknowledge(role, POLICIES)
    return role
