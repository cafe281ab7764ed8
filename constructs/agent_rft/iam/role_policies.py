"""What a stack grants to a role: in policies of that stack, however many constructs of it grant something.

A role may belong to another stack, or to nobody in the app, and its policies are known to the whole account by their
names. So the role's own policy is left alone: what the role's function or bucket needs must not wait for the job.
"""

import json
from collections.abc import Iterable
from itertools import chain
from typing import cast

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, DependencyGroup, IDependable

from agent_rft import warnings
from agent_rft.arguments.validation import unresolved
from agent_rft.iam.granted import Granted, path_below
from agent_rft.iam.nag_suppressions import POLICIES, acknowledge, acknowledge_found_wildcards
from agent_rft.iam.policy_size import EMPTY, Resolved, Sized, merged, packed, sized
from agent_rft.iam.role_limits import Taken, role_limit_problems
from agent_rft.naming import generated_name
from agent_rft.permissions import Statement
from agent_rft.place import Place
from agent_rft.synthesis import when_declared, when_synthesized
from agent_rft_handler.facts import MANAGED_POLICY_MAX_SIZE

ID = "AgentRFTRolePolicies"
"""Its id in the stack: part of every logical id below it, so a contract."""

SHARED, INLINE = "Shared", "Inline"
"""The ids of the policy that all share, and of each policy in its place."""

INLINE_ROOM = 5_000
"""Characters of inline policies that a stack takes of a role: two stacks that fill it still fit beside each other."""

POLICY_NAME_MAX_LENGTH = 128
"""[botocore: iam policyNameType]"""


class RolePolicies(Construct):
    """The policies of one stack on one role, laid out when all of the app is declared.

    One inline policy holds what all grant, merged; managed policies hold what it has no room for. What is granted for
    a construct that waits for another has a policy of its own: the other one would else wait for it.
    """

    def __init__(self, scope: Construct, id: str, role: iam.IRole, room: int) -> None:
        """Use ``of`` instead."""
        super().__init__(scope, id)
        self.role = role
        self._room = room
        self._taken = Taken.of(role)
        self._granted: dict[tuple[Statement, ...], Granted] = {}
        shared = _inline(self, SHARED)
        role.attach_inline_policy(shared)
        self.can_change = _is_attached(shared)
        self._is_laid_out = False
        when_synthesized(self, lambda: role_limit_problems(self, role, self._taken))
        acknowledge(self, POLICIES)
        when_declared(self, self._lay_out)

    @classmethod
    def of(cls, scope: Construct, role: iam.IRole, part: str = "", room: int = INLINE_ROOM) -> "RolePolicies":
        """The policies on the role in the scope's stack, made when they are first asked for.

        Args:
            scope: A construct of the stack.
            role: The role.
            part: A part that is kept apart, as it outlives the others or waits for more than they.
            room: Characters of inline policies that it takes.
        """
        once = Place.of(scope).once
        found = once.get((cls, role, part)) or cls._found_or_made(scope, role, part, room)
        once[cls, role, part] = found
        return cast("RolePolicies", found)

    @classmethod
    def _found_or_made(cls, scope: Construct, role: iam.IRole, part: str, room: int) -> "RolePolicies":
        """By the role's id, as one role may come as several objects."""
        stack = Place.of(scope).stack
        known = stack.node.try_find_child(ID)
        all_roles = known if isinstance(known, Construct) else Construct(stack, ID)
        id = _id_of(role, stack) + (f":{part}" if part else "")  # a sign that no role's name has
        found = all_roles.node.try_find_child(id)
        return found if isinstance(found, cls) else cls(all_roles, id, role, room)

    def allow(self, scope: Construct, *statements: Statement) -> IDependable:
        """Grants the statements for the scope's sake; what needs them depends on what is returned."""
        if not self.can_change:
            self._report(scope, statements)
        if statements not in self._granted:
            self._granted[statements] = Granted(DependencyGroup())
        self._granted[statements].scopes.append(scope)
        return self._granted[statements].needs

    def _report(self, scope: Construct, statements: Iterable[Statement]) -> None:
        """Warns, once for each scope; CDK's report on roles that are made beforehand lists what they need."""
        for each in statements:
            self.role.add_to_principal_policy(each.to_policy_statement())
        if not any(scope in each.scopes for each in self._granted.values()):
            warnings.IMMUTABLE_ROLE.add_to(scope, role=self.role.role_name)

    def _lay_out(self) -> None:
        if self._is_laid_out:
            return
        if not (
            self._granted and self.can_change
        ):  # CDK would ask for a statement, once the role compares its policies' names
            self.node.try_remove_child(SHARED)
            return
        self._is_laid_out = True
        stack = Place.of(self).stack
        self._resolve(stack)
        resolved = chain.from_iterable(each.resolved for each in self._granted.values())
        found = [each for each in resolved if not each.statement.given]  # the user's are the user's
        resources = chain.from_iterable(each.statement.resources for each in found)
        acknowledge_found_wildcards(self, resources, chain.from_iterable(each.values for each in found))
        together: list[Granted] = []
        apart: dict[Construct, list[Granted]] = {}
        for each in self._granted.values():
            (apart.setdefault(each.scopes[0], []) if each.stands_apart(stack) else together).append(each)
        left = min(self._room, self._taken.left)
        left = self._fill(self._shared(), together or apart.pop(next(iter(apart))), left)
        for scope, granted in apart.items():
            left = self._fill(_inline(self, path_below(stack, scope)), granted, left)

    def _shared(self) -> iam.Policy:
        place = self.node.try_find_child(SHARED)
        found = place.node.try_find_child(INLINE) if place else None
        return found if isinstance(found, iam.Policy) else _inline(self, SHARED)

    def _fill(self, inline: iam.Policy, granted: list[Granted], room: int) -> int:
        """Puts what is granted into policies; the room that is then left for further inline ones."""
        statements = merged(chain.from_iterable(each.resolved for each in granted))
        first, *further = packed(chain.from_iterable(map(sized, statements)), room, MANAGED_POLICY_MAX_SIZE)
        policies: list[IDependable] = [_managed(inline, i, self.role, each) for i, each in enumerate(further, 1)]
        if first:
            inline.add_statements(*(each.statement.to_policy_statement() for each in first))
            self.role.attach_inline_policy(inline)
            policies.append(inline)
        for one in granted:
            one.needs.add(*policies)
        size = sum(each.size + 1 for each in first) + (EMPTY if first else 0)
        self._taken.inline += size
        self._taken.managed += len(further)
        return room - size

    def _resolve(self, stack: Stack) -> None:
        """Resolves what is granted: each text once, all in one call of the CDK."""
        statements = list(chain.from_iterable(self._granted))
        texts = list(dict.fromkeys(chain.from_iterable(each.resources for each in statements)))
        conditions = list(dict.fromkeys(each.conditions_text for each in statements))
        resources, conditions_there = stack.resolve([texts, list(map(json.loads, conditions))])
        of, when = dict(zip(texts, resources, strict=True)), dict(zip(conditions, conditions_there, strict=True))
        for needed, granted in self._granted.items():
            granted.resolved = [
                Resolved(each, [of[text] for text in each.resources], when[each.conditions_text]) for each in needed
            ]


def _inline(scope: Construct, id: str) -> iam.Policy:
    """A policy by a name that no other stack gives the same role."""
    place = Construct(scope, id)
    return iam.Policy(place, INLINE, policy_name=generated_name(place, POLICY_NAME_MAX_LENGTH))


def _managed(inline: iam.Policy, number: int, role: iam.IRole, statements: list[Sized]) -> iam.ManagedPolicy:
    """Named by CloudFormation, and attached from here: the role's stack must not wait for this one."""
    return iam.ManagedPolicy(
        _scope_of(inline),
        f"Managed{number}",
        statements=[each.statement.to_policy_statement() for each in statements],
        roles=[role],
    )


def _is_attached(policy: iam.Policy) -> bool:
    """Whether the role took it: one that is not to be changed takes none, and says nothing.

    https://github.com/aws/aws-cdk/blob/main/packages/aws-cdk-lib/aws-iam/lib/private/immutable-role.ts
    """
    resource = policy.node.default_child
    return isinstance(resource, iam.CfnPolicy) and bool(Place.of(policy).stack.resolve(resource.roles))


def _id_of(role: iam.IRole, stack: Stack) -> str:
    """The role's name, with its account where that is another one; its path where the deploy gives the name."""
    if unresolved(role.role_name):
        return path_below(stack, role)
    account = role.env.account
    is_foreign = not unresolved(account) and account != stack.account
    return f"{role.role_name}-{account}" if is_foreign and not unresolved(stack.account) else role.role_name


def _scope_of(construct: Construct) -> Construct:
    return construct.node.scope  # type: ignore[return-value]
