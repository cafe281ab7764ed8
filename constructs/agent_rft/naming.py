"""Names for what a stack makes and may leave behind."""

from aws_cdk import Fn, Names, Stack
from constructs import Construct

from agent_rft.place import Place

_SUFFIX = len("-0123abcd")


def generated_name(scope: Construct, max_length: int) -> str:
    """The construct's path and eight digits of the stack's own id.

    A retained resource keeps its name when the stack is destroyed; a stack that is deployed again has another id,
    and so another name.
    """
    path = Names.unique_resource_name(scope, max_length=max_length - _SUFFIX, separator="-")
    place = Place.of(scope)
    return f"{path}-{place.kept(_digits, lambda: _digits(place.stack))}"


def _digits(stack: Stack) -> str:
    stack_uuid = Fn.select(2, Fn.split("/", stack.stack_id))
    return Fn.select(0, Fn.split("-", stack_uuid))
