"""What a stack grants to a role: in policies of that stack, however many constructs of it grant something.

A role may belong to another stack, or to nobody in the app, and its policies are known to the whole account by their
names. So the role's own policy is left alone: what the role's function or bucket needs must not wait for the job.
"""

from collections.abc import Callable, Iterable
from typing import Any

import jsii
from aws_cdk import Aspects, IAspect, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, DependencyGroup, IConstruct, IDependable

from agent_rft import warnings
from agent_rft.nag_suppressions import POLICIES, acknowledge, acknowledge_wildcards
from agent_rft.naming import generated_name
from agent_rft.permissions import Statement
from agent_rft.policy_size import EMPTY, Sized, merged, packed, sized
from agent_rft.validation import unresolved
from agent_rft_handler.facts import MANAGED_POLICY_MAX_SIZE

ID = "AgentRFTRolePolicies"
"""Its id in the stack: part of every logical id below it, so a contract."""

INLINE_ROOM = 5_000
"""Characters of inline policies that a stack takes of a role: two stacks that fill it still fit beside each other."""

POLICY_NAME_MAX_LENGTH = 128
"""[botocore: iam policyNameType]"""

JOB_ATTRIBUTES = {"JobName", "JobArn", "BaseModelArn"}
"""What only the deploy of a job knows, so that what refers to it waits for that job."""


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
        self._granted: dict[Construct, list[Statement]] = {}
        self._needs: dict[Construct, DependencyGroup] = {}
        self._shared = _inline(self, "Shared")
        role.attach_inline_policy(self._shared)
        self.can_change = _is_attached(self._shared)
        self._is_laid_out = False
        acknowledge(self, POLICIES)
        Aspects.of(self).add(_WhenDeclared(self._lay_out))

    @classmethod
    def of(cls, scope: Construct, role: iam.IRole, part: str = "", room: int = INLINE_ROOM) -> "RolePolicies":
        """The policies on the role in the scope's stack, made when they are first asked for.

        Args:
            scope: A construct of the stack.
            role: The role.
            part: A part that is kept apart, as it outlives the others or waits for more than they.
            room: Characters of inline policies that it takes.
        """
        stack = Stack.of(scope)
        known = stack.node.try_find_child(ID)
        all_roles = known if isinstance(known, Construct) else Construct(stack, ID)
        id = _id_of(role, stack) + (f":{part}" if part else "")  # a sign that no role's name has
        found = all_roles.node.try_find_child(id)
        return found if isinstance(found, cls) else cls(all_roles, id, role, room)

    def allow(self, scope: Construct, *statements: Statement) -> IDependable:
        """Grants the statements for the scope's sake; what needs them depends on what is returned."""
        acknowledge_wildcards(self, (resource for each in statements for resource in each.resources))
        if self.can_change:
            self._granted.setdefault(scope, []).extend(statements)
        else:
            self._report(scope, statements)
        return self._needs.setdefault(scope, DependencyGroup())

    def _report(self, scope: Construct, statements: Iterable[Statement]) -> None:
        """Warns, once for each scope; CDK's report on roles that are made beforehand lists what they need."""
        for each in statements:
            self.role.add_to_principal_policy(each.to_policy_statement())
        if scope not in self._needs:
            warnings.IMMUTABLE_ROLE.add_to(scope, role=self.role.role_name)

    def _lay_out(self) -> None:
        if self._is_laid_out:
            return
        self._is_laid_out = True
        stack = Stack.of(self)
        together = [scope for scope in self._granted if not (_waits(scope, stack) or self._refers_to_a_job(scope))]
        apart = [scope for scope in self._granted if scope not in together]
        left = self._fill(self._shared, together or [apart.pop(0)], self._room) if self._granted else 0
        for scope in apart:
            left = self._fill(_inline(self, _path(scope, stack)), [scope], left)

    def _fill(self, inline: iam.Policy, scopes: list[Construct], room: int) -> int:
        """Puts what is granted for the scopes into policies; the room that is then left for further inline ones."""
        statements = [each for scope in scopes for each in self._granted[scope]]
        first, *further = packed(self._sized(merged(statements)), room, MANAGED_POLICY_MAX_SIZE)
        policies: list[IDependable] = [_managed(inline, i, self.role, each) for i, each in enumerate(further, 1)]
        if first:
            inline.add_statements(*(each.statement.to_policy_statement() for each in first))
            self.role.attach_inline_policy(inline)
            policies.append(inline)
        for scope in scopes:
            self._needs[scope].add(*policies)
        return room - sum(each.size + 1 for each in first) - (EMPTY if first else 0)

    def _sized(self, statements: list[Statement]) -> list[Sized]:
        resolved = Stack.of(self).resolve([[list(each.resources), dict(each.conditions)] for each in statements])
        return [one for each, known in zip(statements, resolved, strict=True) for one in sized(each, *known)]

    def _refers_to_a_job(self, scope: Construct) -> bool:
        texts = [resource for each in self._granted[scope] for resource in each.resources if unresolved(resource)]
        return _has_attribute_of_a_job(Stack.of(self).resolve(texts))


@jsii.implements(IAspect)
class _WhenDeclared:
    """Does something when all of the app is declared."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act

    def visit(self, node: IConstruct) -> None:
        """Is called by CDK."""
        self._act()


def _inline(scope: Construct, id: str) -> iam.Policy:
    """A policy by a name that no other stack gives the same role."""
    place = Construct(scope, id)
    return iam.Policy(place, "Inline", policy_name=generated_name(place, POLICY_NAME_MAX_LENGTH))


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
    return isinstance(resource, iam.CfnPolicy) and bool(Stack.of(policy).resolve(resource.roles))


def _waits(scope: Construct, stack: Stack) -> bool:
    """Whether the user has it, or what it is a part of, depend on something."""
    return any(each.node.dependencies for each in _below(scope, stack))


def _has_attribute_of_a_job(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_attribute_of_a_job, value))
    if not isinstance(value, dict):
        return False
    attribute = value.get("Fn::GetAtt")
    return (isinstance(attribute, list) and attribute[-1] in JOB_ATTRIBUTES) or any(
        map(_has_attribute_of_a_job, value.values())
    )


def _id_of(role: iam.IRole, stack: Stack) -> str:
    """The role's name, with its account where that is another one; its path where the deploy gives the name."""
    if unresolved(role.role_name):
        return _path(role, stack)
    account = role.env.account
    is_foreign = not unresolved(account) and account != stack.account
    return f"{role.role_name}-{account}" if is_foreign and not unresolved(stack.account) else role.role_name


def _path(construct: IConstruct, stack: Stack) -> str:
    """Below the stack; the whole path where it is not in it."""
    return "-".join(each.node.id for each in _below(construct, stack) if each.node.id)


def _below(construct: IConstruct, stack: Stack) -> list[IConstruct]:
    scopes = construct.node.scopes
    return scopes[scopes.index(stack) + 1 :] if stack in scopes else scopes


def _scope_of(construct: Construct) -> Construct:
    return construct.node.scope  # type: ignore[return-value]
