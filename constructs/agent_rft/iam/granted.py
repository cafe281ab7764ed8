"""What a stack grants to a role, and whether it may stand in the policy that all share."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from aws_cdk import Stack
from constructs import Construct, DependencyGroup, IConstruct

from agent_rft.iam.policy_size import Resolved
from agent_rft.place import Place

JOB_ATTRIBUTES = {"JobName", "JobArn", "BaseModelArn"}
"""What only the deploy of a job knows, so that what refers to it waits for that job."""


@dataclass
class Granted:
    """What one construct needs, or several: the same statements are laid out once, however many need them.

    Args:
        needs: What they wait for: one group for all of them, as each group takes CDK its time.
        scopes: For whose sake it is granted.
        resolved: The statements, once they are resolved.
    """

    needs: DependencyGroup
    scopes: list[Construct] = field(default_factory=list)
    resolved: list[Resolved] = field(default_factory=list)

    def stands_apart(self, stack: Stack) -> bool:
        """Whether a policy of it would wait for a job, or all for whom it is granted wait for something themselves."""
        return _refer_to_a_job(self.resolved) or all(_waits(scope, stack) for scope in self.scopes)


def path_below(stack: Stack, construct: IConstruct) -> str:
    """Below the stack; the whole path where it is not in it. With a slash at its start, which no role's name has."""
    return f"/{construct.node.path.removeprefix(f'{stack.node.path}/')}"


def _waits(scope: Construct, stack: Stack) -> bool:
    """Whether the user has it, or what it is a part of, depend on something: the same for every role."""
    return Place.of(stack).kept((_waits, scope), lambda: any(each.node.dependencies for each in _below(stack, scope)))


def _below(stack: Stack, construct: IConstruct) -> list[IConstruct]:
    scopes = construct.node.scopes
    return scopes[scopes.index(stack) + 1 :] if stack in scopes else scopes


def _refer_to_a_job(granted: Iterable[Resolved]) -> bool:
    return any(_has_attribute_of_a_job(each.values) for each in granted)


def _has_attribute_of_a_job(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_attribute_of_a_job, value))
    if not isinstance(value, dict):
        return False
    attribute = value.get("Fn::GetAtt")
    return (isinstance(attribute, list) and attribute[-1] in JOB_ATTRIBUTES) or any(
        map(_has_attribute_of_a_job, value.values())
    )
