"""One hyperparameter as it was given: where it stands, and the text that is sent for it.

All of it is Python's: jsii would turn 1.0 into 1, round what is over 2**53, and end with the process at nan.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from numbers import Integral
from typing import Any

from aws_cdk import CfnParameter, Fn, Token
from constructs import Construct

from agent_rft.arguments.validation import text_problem, unknown, unresolved
from agent_rft_handler.contract import hyperparameter_text
from agent_rft_handler.facts import HYPERPARAMETER_VALUE


@dataclass(frozen=True)
class Setting:
    """A hyperparameter, its value, and the place that a message names: ``recipe.yaml: schedule.epochs``."""

    name: str
    value: object
    place: str

    @property
    def is_absent(self) -> bool:
        """None and "" say nothing [the SDK's rule]."""
        return self.value is None or (isinstance(self.value, str) and self.value == "")

    @property
    def is_literal(self) -> bool:
        """Whether the whole value is known at synth."""
        return not unknown(self.text())

    def problem(self) -> str:
        """The sentence for a value that cannot be sent; empty for one that can."""
        if reason := next(_unsendable(self.value), ""):
            return f"{self.place} {reason}"
        return text_problem(self.place, self.text(), (HYPERPARAMETER_VALUE,))

    def text(self) -> str:
        """The value as the SDK sends it (1e-05, True, [1, 4]); tokens stay tokens."""
        return _text(self.value)


def name_problems(source: str, values: Mapping[Any, object], above: str = "") -> Iterator[str]:
    """What is wrong with the names of a source: YAML takes ``on`` and 2026 for no text, and a token is no name."""
    for name, value in values.items():
        if not isinstance(name, str):
            yield f"{source}: {above}{name} is a name of type {type(name).__name__}, but must be text. Quote it."
        elif unresolved(name):
            yield f"{source} has a name that is only known at deploy. Write the name, and give the value as a token."
        elif isinstance(value, Mapping):
            yield from name_problems(source, value, f"{above}{name}.")


def _unsendable(value: object) -> Iterator[str]:
    """What a value, or a part of it, is that no text stands for."""
    if isinstance(value, Enum):
        yield from _unsendable(value.value)
    elif isinstance(value, list | tuple):
        if any(item is None for item in value):
            yield "has None in its list. Take it out."
        for item in value:
            yield from _unsendable(item)
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"is {value}, but must be a finite number. Write another."
    elif not isinstance(value, str | float | Integral) and not _is_token(value):
        kind = type(value).__name__
        yield f"is of type {kind}, but must be text, a number, a boolean or a list of them. {_advice(value)}"


def _advice(value: object) -> str:
    if isinstance(value, CfnParameter):
        return "Give its value_as_string, or value_as_number."
    if isinstance(value, date):
        return f"Write it as text: {str(value)!r}."
    return "Give one value." if isinstance(value, Mapping) else f"Give {_convertible(value)}."


def _convertible(value: object) -> str:
    return "float(...) of it" if hasattr(value, "__float__") else "its text"


def _is_token(value: object) -> bool:
    """Whether it is CDK's own object for a value known at deploy; jsii is asked about no other object."""
    if isinstance(value, Construct) or not hasattr(value, "resolve"):
        return False
    try:
        return unresolved(value)
    except AttributeError:  # jsii carries no such object, a Path for one
        return False


def _text(value: object) -> str:
    plain = value.value if isinstance(value, Enum) else value
    if isinstance(plain, list | tuple):
        return _list_text(list(plain))
    if isinstance(plain, bool | str) or not (isinstance(plain, float) or _is_token(plain)):
        return hyperparameter_text(plain)
    return Token.as_string(plain) if unresolved(plain) else hyperparameter_text(plain)


def _list_text(values: list[object]) -> str:
    """Python's text for the list, with tokens in their places."""
    if unresolved(values):
        return f"[{Fn.join(', ', [str(values[0])])}]"
    plain = [item.value if isinstance(item, Enum) else item for item in values]
    return f"[{', '.join(repr(item) if isinstance(item, str) else _text(item) for item in plain)}]"
