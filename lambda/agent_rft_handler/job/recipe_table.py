"""Hyperparameters against the recipe's own table: names, types, ranges, choices, and the sequence's length."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

INTEGER, NUMBER = r"-?[0-9]+", r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE]-?[0-9]+)?"
"""Narrower than Python's ``int`` and ``float``, which take nan, 1_000 and spaces around too."""

SEQUENCE = ("max_prompt_length", "max_response_length")
"""What a rollout's sequence is made of [sagemaker-train 1.27.0: FineTuningOptions.validate_length_constraints]."""

Spec = Mapping[str, Mapping[str, Any]]


def problems(
    hyperparameters: Mapping[str, str], spec: Spec | None, sequence_length: int, unchecked: Collection[str] = ()
) -> list[str]:
    """What is wrong with the hyperparameters by the recipe's table; those in ``unchecked`` it does not judge."""
    if spec is None:
        return []
    given = {name: value for name, value in hyperparameters.items() if name not in unchecked}
    return [
        *_unknown(given, spec),
        *(problem for name in given if name in spec for problem in _value_problems(name, given[name], spec[name])),
        *_too_long(given, spec, sequence_length),
    ]


def _unknown(given: Mapping[str, str], spec: Spec) -> Iterator[str]:
    names = ", ".join(name for name in given if name not in spec)
    if names:
        yield f"hyperparameters has {names}, which the recipe does not take. It takes {', '.join(sorted(spec))}."


def _too_long(given: Mapping[str, str], spec: Spec, sequence_length: int) -> Iterator[str]:
    """The SDK has this check and never calls it; a length that was not written counts with its default."""
    lengths = {name: given.get(name, str(spec.get(name, {}).get("default", ""))) for name in SEQUENCE}
    known = [int(text) for text in lengths.values() if re.fullmatch(INTEGER, text)]
    written = any(name in given for name in SEQUENCE)
    if sequence_length and written and len(known) == len(SEQUENCE) and sum(known) > sequence_length:
        parts = " + ".join(f"{name} ({text})" for name, text in lengths.items())
        yield f"{parts} is {sum(known)}, but the recipe takes sequences of {sequence_length} tokens. Lower one of them."


def _value_problems(name: str, text: str, entry: Mapping[str, Any]) -> Iterator[str]:
    kind = str(entry.get("type", "string"))
    choices = entry.get("enum")
    if choices and text not in [str(choice) for choice in choices]:
        yield f"hyperparameters[{name!r}] is {text!r}, but must be one of {', '.join(map(str, choices))}."
    if kind not in ("integer", "int", "float", "number"):
        return
    form, noun = (INTEGER, "an integer") if kind[0] == "i" else (NUMBER, "a number")
    if not re.fullmatch(form, text):
        yield f"hyperparameters[{name!r}] is {text!r}, but must be {noun}."
        return
    number = float(text)
    low, high = entry.get("min"), entry.get("max")
    if (low is not None and number < float(low)) or (high is not None and number > float(high)):
        yield f"hyperparameters[{name!r}] is {text}, but must be from {low} to {high}."
