"""What is done when the app is synthesized: only then is all of it declared. CDK's aspects, producers, validations."""

from collections.abc import Callable, Iterable

import jsii
from aws_cdk import Aspects, IAnyProducer, IAspect, IResolvable, IResolveContext, Lazy
from constructs import IConstruct, IValidation


def when_declared(scope: IConstruct, act: Callable[[], None]) -> None:
    """Has something done once all of the app is declared; it may still declare more below the scope.

    Args:
        scope: What it is about.
        act: Does it.
    """
    Aspects.of(scope).add(_Aspect(scope, act))


def said_later(say: Callable[[], object]) -> IResolvable:
    """A value that is asked for whenever a template is made; nothing stands in its place where it is None.

    Not kept by CDK: who resolves it before all is declared would have it so for good.

    Args:
        say: Hands it back.
    """
    return Lazy.uncached_any(_Producer(say))


def when_synthesized(scope: IConstruct, look: Callable[[], Iterable[str] | None]) -> None:
    """Has something looked at when CDK has chosen its exports, too.

    Args:
        scope: What it is about: in what CDK reports, its path stands before a problem.
        look: Hands back a sentence for each problem, with which the app is refused; it may add warnings, too.
    """
    scope.node.add_validation(_Validation(look))


@jsii.implements(IAspect)
class _Aspect:
    def __init__(self, scope: IConstruct, act: Callable[[], None]) -> None:
        self._scope, self._act = scope, act

    def visit(self, node: IConstruct) -> None:
        """Is called by CDK, for everything below the scope, too."""
        if node is self._scope:
            self._act()


@jsii.implements(IAnyProducer)
class _Producer:
    def __init__(self, say: Callable[[], object]) -> None:
        self._say = say

    def produce(self, context: IResolveContext) -> object:
        """Is called by CDK."""
        return self._say()


@jsii.implements(IValidation)
class _Validation:
    def __init__(self, look: Callable[[], Iterable[str] | None]) -> None:
        self._look = look

    def validate(self) -> list[str]:
        """Is called by CDK."""
        return list(self._look() or ())
