"""The role that the job assumes: made, or given."""

from collections.abc import Mapping

from aws_cdk import Aws
from aws_cdk import aws_iam as iam
from constructs import Construct, IDependable

from agent_rft import permissions, warnings
from agent_rft.arguments.arn import is_arn, splittable
from agent_rft.arguments.attribute import attribute_at_start, owner_of
from agent_rft.arguments.validation import is_text_token, refuse
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.iam.role_trust import look_at_trust
from agent_rft.permissions import Statement, given, statement
from agent_rft.place import Place
from agent_rft_handler.facts import JOB_PRINCIPAL, ROLE_PATHS


class ExecutionRole:
    """A role that gets the permissions of a job; where it cannot be changed, there is a warning instead."""

    def __init__(self, scope: Construct, role: iam.IRole, *, is_made: bool = False) -> None:
        """Use ``of`` instead."""
        self.role = role
        self._scope = scope
        self._is_made = is_made
        self._needed: list[Statement] = []

    @classmethod
    def of(cls, scope: Construct, role: iam.IRole | str | None) -> "ExecutionRole":
        """The role made, given, or imported by its ARN or name.

        Raises:
            ValueError: for the name of a role that is known to have a path.
        """
        if role is None:
            return cls(scope, _made(scope), is_made=True)
        if not isinstance(role, str):
            return cls(scope, role)
        if own := owner_of(role, iam.Role):
            return cls(scope, own)
        refuse(scope, [_path_problem(role)])
        if _is_arn(scope, role):
            return cls(scope, iam.Role.from_role_arn(scope, "ExecutionRole", splittable(role)))
        return cls(scope, iam.Role.from_role_name(scope, "ExecutionRole", role))

    @property
    def declared(self) -> Mapping[str, object]:
        """Its ARN."""
        return {"role_arn": Place.of(self._scope).kept((ExecutionRole, self.role), lambda: self.role.role_arn)}

    def bind(self, scope: Construct, role: "ExecutionRole") -> None:
        """Grants the job to write its logs; warns of a role that it cannot assume."""
        if not self._is_made:
            look_at_trust(scope, self.role)
        groups = Place.of(scope).arn("logs", "log-group", "/aws/sagemaker/Job/*", separator=":")
        role.allow(statement(permissions.LOG, groups))

    def allow(self, *needed: Statement) -> None:
        """Has the role granted what the job needs, when all of it is known: many jobs need the same."""
        self._needed += needed

    def granted(self) -> tuple[IDependable, IDependable]:
        """Grants all of that; the job waits for what is returned."""
        return self.role, self._grant(*self._needed)

    def add(self, needed: iam.PolicyStatement) -> IDependable:
        """Grants what the user states, for which the job waits, too."""
        return self._grant(given(needed))

    def _grant(self, *needed: Statement) -> IDependable:
        return RolePolicies.of(self._scope, self.role).allow(self._scope, *needed)


def _is_arn(scope: Construct, role: str) -> bool:
    """By how it begins; a token of the app's own by what it is an attribute of; any other is taken for an ARN."""
    if not is_text_token(role):
        return is_arn(role)
    attribute = attribute_at_start(role)
    if attribute and attribute.kind == "AWS::IAM::Role":
        return attribute.name == "Arn"
    warnings.UNKNOWN_KIND.add_to(scope, what="role", taken="an ARN", instead="iam.Role.from_role_arn or from_role_name")
    return True


def _path_problem(role: str) -> str:
    path = next((path for start, path in ROLE_PATHS.items() if role.startswith(start)), "")
    if not path:
        return ""
    return (
        f"role is {role!r}, but roles of that name have the path {path}, so the name alone is another's. Give its ARN."
    )


def _made(scope: Construct) -> iam.Role:
    # AWS's page on this role shows no condition: a service that does not say its account must still get in
    own_account = {"StringEqualsIfExists": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
    principal = iam.ServicePrincipal(JOB_PRINCIPAL, conditions=own_account)
    return iam.Role(
        scope,
        "ExecutionRole",
        assumed_by=principal.with_session_tags(),
        description="Assumed by SageMaker AgentRFT jobs",
    )
