"""Hyperparameters as text, before jsii sees a number: it would turn 1.0 into 1 and round what is over 2**53."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aws_cdk import Token
from constructs import Construct

from agent_rft.recipe import override_values, recipe_values
from agent_rft.validation import refuse, unresolved
from agent_rft_handler.contract import hyperparameter_text


@dataclass(frozen=True)
class HyperParameters:
    """Values by the recipe's names, and values that are sent whatever the recipe's table says of them.

    AWS's own pages contradict each other on some names and ranges; a name in ``unchecked`` is left to the service.

    Example::

        hyperparameters=HyperParameters({"max_epochs": 2}, unchecked={"global_batch_size": 10})

    Args:
        values: Checked at deploy by the recipe's table.
        unchecked: Not checked by it; None and "" count as absent here too.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    unchecked: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Sent:
    """What is sent, as text, and which of it the recipe's table does not judge."""

    texts: Mapping[str, str]
    unchecked: tuple[str, ...] = ()


def sent(
    scope: Construct,
    hyperparameters: HyperParameters | Mapping[str, object] | None,
    overrides: Mapping[str, object] | None,
    recipe: str | Path | None,
) -> Sent:
    """Every source merged; of recipe file, overrides and hyperparameters, a later one wins [the SDK's precedence].

    Raises:
        ValueError: for a recipe that cannot be read, and for a name that stands twice.
    """
    given = hyperparameters if isinstance(hyperparameters, HyperParameters) else HyperParameters(hyperparameters or {})
    refuse(scope, [_twice(given)])
    unchecked = texts(given.unchecked)
    # None in overrides takes a recipe's value away, but among hyperparameters it says nothing [as with the SDK]
    lower = texts({**recipe_values(scope, recipe), **override_values(scope, overrides)})
    return Sent({**lower, **texts(given.values), **unchecked}, tuple(sorted(unchecked)))


def texts(hyperparameters: Mapping[str, object] | None) -> dict[str, str]:
    """The values as the SDK sends them (1e-05, True, [1, 4]); None and "" are absent, tokens stay tokens."""
    given = {name: value for name, value in (hyperparameters or {}).items() if value is not None and value != ""}
    return {name: _text(value) for name, value in given.items()}


def _text(value: object) -> str:
    return Token.as_string(value) if unresolved(value) else hyperparameter_text(value)


def _twice(given: HyperParameters) -> str:
    both = ", ".join(sorted(set(given.values) & set(given.unchecked)))
    return f"hyperparameters has {both} both in values and in unchecked. Keep it in one of them." if both else ""
