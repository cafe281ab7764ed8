"""What is looked at when the app is synthesized: then all of it is declared, and CDK has chosen its exports."""

from collections.abc import Callable, Iterable

import jsii
from constructs import IConstruct, IValidation


def when_synthesized(scope: IConstruct, look: Callable[[], Iterable[str] | None]) -> None:
    """Has something looked at then.

    Args:
        scope: What it is about: in what CDK reports, its path stands before a problem.
        look: Hands back a sentence for each problem, with which the app is refused; it may add warnings, too.
    """
    scope.node.add_validation(_Validation(look))


@jsii.implements(IValidation)
class _Validation:
    def __init__(self, look: Callable[[], Iterable[str] | None]) -> None:
        self._look = look

    def validate(self) -> list[str]:
        """Is called by CDK."""
        return list(self._look() or ())
