"""IAM's limits on a role's policies, counted over all stacks of an app: said at synth, with the ways out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import warnings
from agent_rft.arguments.validation import unresolved
from agent_rft.iam.policy_size import EMPTY, STATEMENT_ROOM
from agent_rft.warnings import FEWER_POLICIES
from agent_rft_handler.facts import INLINE_POLICIES_MAX_SIZE, MANAGED_POLICIES_DEFAULT, MANAGED_POLICIES_MAX

_KEPT = "_agent_rft_roles"


@dataclass
class Taken:
    """What the app's stacks take of one role, by whatever objects they know it."""

    inline: int = 0
    """Characters of inline policies."""

    managed: int = 0
    """Managed policies."""

    is_said: bool = False
    """Whether it was said already that this is too much."""

    @property
    def left(self) -> int:
        """Characters that are left for inline policies; none where one statement alone might find no room."""
        left = INLINE_POLICIES_MAX_SIZE - self.inline
        return left if left >= EMPTY + STATEMENT_ROOM else 0

    @classmethod
    def of(cls, role: iam.IRole) -> "Taken":
        """The role's, known by its name and account; by its path where the deploy gives the name."""
        name = role.role_name
        known_by = role.node.path if unresolved(name) else f"{role.env.account}/{name}"
        by_role = cast("dict[str, Taken]", vars(role.node.root).setdefault(_KEPT, {}))
        return by_role.setdefault(known_by, cls())


def role_limit_problems(scope: Construct, role: iam.IRole, taken: Taken) -> Iterator[str]:
    """The sentence for a role with more policies than IAM attaches; a warning for more than its usual quota."""
    if taken.is_said or taken.managed <= MANAGED_POLICIES_DEFAULT:
        return
    taken.is_said = True
    if taken.managed > MANAGED_POLICIES_MAX:
        yield _too_many(role, taken.managed)
    else:
        warnings.MANAGED_POLICIES.add_to(scope, role=role.role_name, number=taken.managed)


def _too_many(role: iam.IRole, number: int) -> str:
    return (
        f"The role {role.node.path} needs {number} managed policies beside its inline ones, but IAM attaches at most "
        f"{MANAGED_POLICIES_MAX} to a role: {FEWER_POLICIES}"
    )
