"""CloudFormation's limit of resources in one stack, which many trainers meet: said at synth, with the ways out."""

from collections.abc import Iterator

from aws_cdk import CfnResource, Stack
from constructs import IConstruct

LIMIT = 500
"""Resources in one stack [AWS docs: cloudformation-limits]."""

CONTEXT = "@aws-cdk/core:stackResourceLimit"
"""The context with which the CDK's own check of the same is changed; 0 switches it off."""

FEW = 10
"""Below a tenth of the limit, trainers are not what fills the stack, and nothing is counted: that takes time."""


def resource_limit_problems(stack: Stack, jobs: int) -> Iterator[str]:
    """The sentence for a stack that has too many, before the CDK counts and names no way out.

    Args:
        stack: The stack, when all of it is declared.
        jobs: How many jobs are declared in it.
    """
    given = stack.node.try_get_context(CONTEXT)
    limit = LIMIT if given is None else int(given)
    if not limit or jobs < limit / FEW:
        return
    count = sum(isinstance(each, CfnResource) for each in _own(stack))
    if count > limit:
        yield (
            f"The stack has {count} resources, but CloudFormation takes {limit}, and {jobs} jobs are declared in it. A "
            "trainer that shares role, output_bucket and both model package groups with another adds one: share them, "
            "or declare the trainers in several stacks (each has a handler of its own)."
        )


def _own(stack: Stack) -> set[IConstruct]:
    """What is in the stack itself, in none nested in it: each asked for its stack would take a tenth of the synth."""
    found = set(stack.node.find_all())
    nested = [each for each in found if isinstance(each, Stack) and each is not stack]
    return found.difference(*(each.node.find_all() for each in nested))
