"""A construct's stack with its partition, region and account: where it is declared.

Asked for once, and kept: each question to the CDK is a round trip to its process, and a trainer has dozens of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar, cast

from aws_cdk import Fn, Stack
from constructs import IConstruct

_KEPT = "_agent_rft_place"

Kept = TypeVar("Kept")


@dataclass(frozen=True, eq=False)
class Place:
    """What is known of a stack at synth; tokens where only the deploy knows it."""

    stack: Stack
    partition: str
    region: str
    account: str
    once: dict[object, object] = field(default_factory=dict)
    """What the stack has once, by its kind."""

    @classmethod
    def of(cls, scope: IConstruct) -> "Place":
        """The place of the scope's stack."""
        kept: Place | None = vars(scope).get(_KEPT)
        if kept is None:
            stack = scope if isinstance(scope, Stack) else Stack.of(scope)
            kept = vars(stack).get(_KEPT) or cls(stack, stack.partition, stack.region, stack.account)
            vars(stack)[_KEPT] = vars(scope)[_KEPT] = kept
        return kept

    def kept(self, key: object, make: Callable[[], Kept]) -> Kept:
        """What the stack has once by that key, made when it is first asked for."""
        if key not in self.once:
            self.once[key] = make()
        return cast("Kept", self.once[key])

    def holds(self, construct: IConstruct) -> None:
        """Says of a construct that is just made in the stack that it is there."""
        vars(construct)[_KEPT] = self

    def arn(
        self,
        service: str,
        resource: str,
        name: str = "",
        *,
        separator: str = "/",
        region: str | None = None,
        account: str | None = None,
    ) -> str:
        """An ARN of the place, as ``Stack.format_arn`` makes it."""
        where = f"{self.region if region is None else region}:{self.account if account is None else account}"
        return f"arn:{self.partition}:{service}:{where}:{resource}{separator if name else ''}{name}"


@cache
def name_in(arn: str) -> str:
    """What follows the first slash of an ARN, which may be a token."""
    return Fn.select(1, Fn.split("/", arn))
