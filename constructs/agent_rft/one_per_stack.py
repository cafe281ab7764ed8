"""A construct that a stack has once, however many others of it need it."""

from typing import TypeVar

from aws_cdk import Stack
from constructs import Construct, IConstruct

OnePerStack = TypeVar("OnePerStack", bound=Construct)


def one_per_stack(kind: type[OnePerStack], scope: IConstruct, id: str) -> OnePerStack:
    """The one of the scope's stack, made of the stack alone when it is first asked for."""
    stack = Stack.of(scope)
    found = stack.node.try_find_child(id)
    return found if isinstance(found, kind) else kind(stack)  # type: ignore[call-arg]
