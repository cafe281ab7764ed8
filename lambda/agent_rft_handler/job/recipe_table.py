"""A recipe's table of hyperparameters, and what is wrong with values by it: names, types, ranges, choices, lengths.

Standard library only: the constructs judge by AWS's published tables what the handler judges by the hub's.
"""

import ast
import difflib
import json
import logging
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from agent_rft_handler import facts

log = logging.getLogger(__name__)

INTEGER, NUMBER = r"-?[0-9]{1,300}", r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE]-?[0-9]+)?"
"""Narrower than Python's ``int`` and ``float``, which take nan, 1_000 and spaces around too."""

SEQUENCE = ("max_prompt_length", "max_response_length")
"""What a rollout's sequence is made of [sagemaker-train 1.27.0: FineTuningOptions.validate_length_constraints]."""

SHORTEST_SEQUENCE = 1024
"""Tokens in the shortest ``SequenceLength``, 1K [sagemaker-hyperpod-recipes: format_sequence_length]."""

KINDS = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list such as [1, 4], without None in it",
}
ALIASES = {"int": "integer", "float": "number", "double": "number", "bool": "boolean", "list": "array"}
"""The table's words for one type [sagemaker-train 1.27.0: recipe_resolver; launcher/recipe_templatization]."""

MEMBERS = frozenset({"type", "default", "min", "max", "enum", "required"})
"""What tells an entry of the table from anything else [sagemaker-train 1.27.0: FineTuningOptions]."""


@dataclass(frozen=True)
class Parameter:
    """One entry of the table; what it does not say is not judged."""

    kind: str = ""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: str = ""

    @classmethod
    def of(cls, entry: object) -> "Parameter":
        """The entry as far as it can be read."""
        if not isinstance(entry, Mapping):
            return cls()
        kind, choices = str(entry.get("type", "")), entry.get("enum")
        return cls(
            kind=ALIASES.get(kind, kind),
            choices=tuple(map(str, choices)) if isinstance(choices, list) else (),
            low=_bound(entry.get("min")),
            high=_bound(entry.get("max")),
            default=str(entry.get("default", "")),
        )


Spec = Mapping[str, Parameter]


def read(content: object) -> Spec:
    """The table in a recipe's override parameters; of an entry that cannot be read, the name alone counts.

    Raises:
        ValueError: for what is no such table: a list, entries one level too deep, nothing at all.
    """
    if not isinstance(content, Mapping) or not any(map(_is_entry, content.values())):
        raise ValueError("it is not a table of names with a type, a default, a range or choices")
    if odd := ", ".join(str(name) for name, entry in content.items() if not _is_entry(entry)):
        log.warning("the recipe's table says nothing readable of %s: the service judges them", odd)
    return {str(name): Parameter.of(entry) for name, entry in content.items()}


def sequence_length(written: object) -> int:
    """The recipe's ``32K`` or 32768 as a number of tokens; zero where it says nothing that can be read."""
    text = str(written or "").strip().upper()
    digits = text.removesuffix("K")
    tokens = int(digits) * (1024 if text.endswith("K") else 1) if re.fullmatch("[0-9]{1,9}", digits) else 0
    return tokens if tokens >= SHORTEST_SEQUENCE else 0


def problems(
    hyperparameters: Mapping[str, str], spec: Spec | None, longest: int, unchecked: Collection[str] = ()
) -> list[str]:
    """What is wrong with the hyperparameters by the recipe's table; those in ``unchecked`` it does not judge.

    Args:
        hyperparameters: Values by name, as they cross the wire.
        spec: The table; without it, nothing is wrong.
        longest: Tokens that a sequence may have; any number for 0.
        unchecked: Names that are left to the service.
    """
    if spec is None:
        return []
    given = {name: value for name, value in hyperparameters.items() if name not in unchecked}
    found = [
        *_unknown(given, spec),
        *(value_problem(f"hyperparameters[{name!r}]", given[name], spec[name]) for name in given if name in spec),
        *_too_long(given, spec, longest, unchecked),
    ]
    wrong = [sentence for sentence in found if sentence]
    return [*wrong, "A name in HyperParameters(unchecked=...) is left to the service."] if wrong else []


def value_problem(place: str, text: str, parameter: Parameter) -> str:
    """The sentence for a value that the table does not allow; empty for one that it does."""
    value = _value(text, parameter.kind)
    if value is None:
        return f"{place} is {text!r}, but must be {KINDS[parameter.kind]}."
    if parameter.choices and value not in [_value(choice, parameter.kind) for choice in parameter.choices]:
        return f"{place} is {text!r}, but must be one of {', '.join(parameter.choices)}."
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    low, high = parameter.low, parameter.high
    if (low is not None and value < low) or (high is not None and value > high):
        return f"{place} is {text}, but must be {range_of(parameter)}."
    return ""


def range_of(parameter: Parameter) -> str:
    """``from 1 to 30``, ``1 or more``, ``30 or less``; empty where the table has no bounds."""
    low, high = (None if bound is None else f"{bound:.15g}" for bound in (parameter.low, parameter.high))
    if low and high:
        return f"from {low} to {high}"
    return f"{low} or more" if low else f"{high} or less" if high else ""


def close_to(name: str, spec: Spec) -> str:
    """The table's name that was perhaps meant."""
    return next(iter(difflib.get_close_matches(name, spec, n=1)), "")


def as_sent(hyperparameters: Mapping[str, str], spec: Spec | None, unchecked: Collection[str] = ()) -> dict[str, str]:
    """The values as the SDK writes them: 0.00001 as 1e-05, true as True; what the table does not type, as it is."""
    kinds = {name: entry.kind for name, entry in (spec or {}).items() if name not in unchecked}
    return {name: _written(text, kinds.get(name, "")) for name, text in hyperparameters.items()}


def _written(text: str, kind: str) -> str:
    value = _value(text, kind) if kind in ("integer", "number", "boolean") else None
    written = text if value is None else str(value)
    return written if facts.HYPERPARAMETER_VALUE.accepts(written) else text  # 1e20 would become 1e+20


def _value(text: str, kind: str) -> object:
    """The text as a value of that type; None when it is none. Without a type, a number where it looks like one."""
    if kind == "array":
        return _list(text)
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower())
    if kind == "integer" or (kind == "number" and re.fullmatch(INTEGER, text)):
        return int(text) if re.fullmatch(INTEGER, text) else None
    if kind == "number":
        return float(text) if re.fullmatch(NUMBER, text) and math.isfinite(float(text)) else None
    return float(text) if not kind and re.fullmatch(NUMBER, text) else text


def _list(text: str) -> list[object] | None:
    """The list that the text spells, in Python's words or in JSON's."""
    for parse in (ast.literal_eval, json.loads):
        try:
            value = parse(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, list) and not _holds_none(value) else None
    return None


def _holds_none(value: object) -> bool:
    return any(map(_holds_none, value)) if isinstance(value, list) else value is None


def _bound(value: object) -> float | None:
    text = "" if isinstance(value, bool) else str(value)
    return float(text) if re.fullmatch(NUMBER, text) else None


def _is_entry(entry: object) -> bool:
    return isinstance(entry, Mapping) and bool(MEMBERS & entry.keys())


def _unknown(given: Mapping[str, str], spec: Spec) -> Iterator[str]:
    unknown = [name for name in given if name not in spec]
    if unknown:
        close = "; ".join(f"{name}: {meant}" for name in unknown if (meant := close_to(name, spec)))
        yield (
            f"hyperparameters has {', '.join(unknown)}, which the recipe does not take. "
            f"It takes {', '.join(sorted(spec))}.{f' Close to {close}.' if close else ''}"
        )


def _too_long(given: Mapping[str, str], spec: Spec, longest: int, unchecked: Collection[str]) -> Iterator[str]:
    """The SDK has this check and never calls it; a length that was not written counts with its default."""
    if not longest or not set(SEQUENCE) & given.keys() or set(SEQUENCE) & set(unchecked):
        return
    lengths = {name: given.get(name, spec.get(name, Parameter()).default) for name in SEQUENCE}
    known = [int(text) for text in lengths.values() if re.fullmatch(INTEGER, text)]
    if len(known) == len(SEQUENCE) and sum(known) > longest:
        parts = " + ".join(f"{name} ({text})" for name, text in lengths.items())
        yield (
            f"{parts} is {sum(known)}, but the recipe takes sequences of {longest} tokens. Lower one of them, "
            "or give both in unchecked."
        )
