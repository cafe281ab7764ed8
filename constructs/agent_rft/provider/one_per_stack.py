"""A construct that a stack has once, however many others of it need it."""

from typing import TypeVar

from constructs import Construct, IConstruct

from agent_rft.place import Place

OnePerStack = TypeVar("OnePerStack", bound=Construct)


def one_per_stack(kind: type[OnePerStack], scope: IConstruct, id: str) -> OnePerStack:
    """The one of the scope's stack, made of the stack alone when it is first asked for."""
    place = Place.of(scope)
    found = place.once.get(kind) or place.stack.node.try_find_child(id)
    made = found if isinstance(found, kind) else kind(place.stack)  # type: ignore[call-arg]
    place.once[kind] = made
    return made
