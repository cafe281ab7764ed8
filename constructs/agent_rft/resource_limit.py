"""CloudFormation's limit of resources in one stack, which many trainers meet: said at synth, with the ways out."""

from collections.abc import Callable

import jsii
from aws_cdk import CfnResource, Stack
from constructs import IValidation

LIMIT = 500
"""Resources in one stack [AWS docs: cloudformation-limits]."""

CONTEXT = "@aws-cdk/core:stackResourceLimit"
"""The context with which the CDK's own check of the same is changed; 0 switches it off."""

FEW = 10
"""Below a tenth of the limit, trainers are not what fills the stack, and nothing is counted: that takes time."""


@jsii.implements(IValidation)
class ResourceLimit:
    """Counts a stack's resources when the app is synthesized, before the CDK does and names no way out."""

    def __init__(self, stack: Stack, jobs: Callable[[], int]) -> None:
        """Use it with ``node.add_validation``."""
        self._stack = stack
        self._jobs = jobs

    def validate(self) -> list[str]:
        """The sentence for a stack that has too many."""
        given = self._stack.node.try_get_context(CONTEXT)
        limit = LIMIT if given is None else int(given)
        jobs = self._jobs()
        if not limit or jobs < limit / FEW:
            return []
        found = [each for each in self._stack.node.find_all() if isinstance(each, CfnResource)]
        count = sum(each.stack.node.path == self._stack.node.path for each in found)
        if count <= limit:
            return []
        return [
            f"The stack has {count} resources, but CloudFormation takes {limit}, and {jobs} jobs are declared in it. A "
            "trainer that shares role, output_bucket and both model package groups with another adds one: share them, "
            "or declare the trainers in several stacks (each has a handler of its own)."
        ]
