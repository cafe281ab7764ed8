"""Whether a value is of the type that an annotation declares, and what that type is called.

typeguard, which jsii brings along, takes anything for a Protocol, so for ``IBucket`` too, and refuses tokens.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, Literal, Protocol, Union, get_args, get_origin

from aws_cdk import IResolvable

from agent_rft.arguments.validation import is_text_token, unresolved

WORDS = {str: "text", bool: "True or False", int: "an integer", float: "a number", Path: "a pathlib.Path"}
ARTICLE = r"\ban? "


def misfits(place: str, value: object, hint: Any) -> Iterator[tuple[str, object, Any]]:
    """The value with its place and type where it does not fit; of a list or mapping, the entries that do not."""
    if fits(value, hint):
        return
    container = next((part for part in options(hint) if _is_container(value, part)), None)
    if container is None:
        yield place, value, hint
        return
    for below, entry, part in _entries(place, value, container):
        yield from misfits(below, entry, part)


def fits(value: object, hint: Any) -> bool:
    """Whether the value is of the type; a number, a truth or a list that is only known at deploy is one, too."""
    if hint in (Any, object):
        return True
    parts = options(hint)
    if len(parts) > 1:
        return any(fits(value, part) for part in parts)
    if get_origin(hint) is Literal:
        return isinstance(value, str) and (value in get_args(hint) or is_text_token(value))
    if get_origin(hint) is not None:
        return _is_container(value, hint) and all(fits(entry, part) for _, entry, part in _entries("", value, hint))
    if hint in WORDS:
        return _is_plain(value, hint)
    return implements(value, hint) if getattr(hint, "_is_protocol", False) else isinstance(value, hint)


def options(hint: Any) -> tuple[Any, ...]:
    """The types of a union, or the one type."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def implements(value: object, protocol: type) -> bool:
    """Whether the value has every member of the interface; jsii's interfaces cannot be asked for by isinstance.

    The classes are asked, as reading an attribute would call jsii.
    """
    kinds = kinds_of(value)
    if hasattr(protocol, "__jsii_type__") and not any(map(_is_of_jsii, kinds)):
        return False
    return _has_members(kinds, frozenset(getattr(value, "__dict__", {})), protocol)


def kinds_of(value: object) -> tuple[type, ...]:
    """Its class; of jsii's proxy of several interfaces, their classes."""
    parts = vars(value)["_delegates"] if type(value).__name__ == "InterfaceDynamicProxy" else [value]
    return tuple(map(type, parts))


def words(hint: Any) -> str:
    """What the type is called in a message: ``a Dataset or text``."""
    named = [_word(part) for part in options(hint) if part not in (NoneType, None, IResolvable)]
    return f"{', '.join(named[:-1])} or {named[-1]}" if named[1:] else named[0]


def name_of(kind: type) -> str:
    """``s3.IBucket``, as an app writes it; the bare name for what is not CDK's."""
    module, name = kind.__module__.rpartition(".")[2], kind.__name__.removeprefix("_").removesuffix("Proxy")
    return f"{module.removeprefix('aws_')}.{name}" if module.startswith("aws_") and module != "aws_cdk" else name


def with_article(name: str) -> str:
    """``a Stack``, ``an s3.IBucket``."""
    return f"{'an' if name.startswith(('s3', *'AEIOaeio')) else 'a'} {name}"


def _word(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(map(str, parts))}"
    if origin is not None:
        return (
            f"a mapping of names to {words(parts[1])}"
            if issubclass(origin, Mapping)
            else f"a list of {re.sub(ARTICLE, '', words(parts[0]))}"
        )
    if hint in (Any, object):
        return "values"
    return WORDS.get(hint) or getattr(hint, "_in_words", "") or with_article(name_of(hint))


def _is_plain(value: object, kind: type) -> bool:
    if kind is bool:
        return isinstance(value, bool) or is_text_token(value)
    if kind is str:  # what is text and an enum's member at once turns into "Colour.RED" in an f-string
        return isinstance(value, str) and (isinstance(value, StrEnum) or not isinstance(value, Enum))
    if isinstance(value, bool):
        return False
    if kind is int:
        is_finite = isinstance(value, float) and math.isfinite(value)  # jsii ends with its process at nan
        return isinstance(value, int) or (is_finite and unresolved(value))
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def _is_container(value: object, hint: Any) -> bool:
    origin = get_origin(hint)
    if not isinstance(origin, type):
        return False
    if issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    return isinstance(value, list | tuple) if issubclass(origin, Iterable) else isinstance(value, origin)


def _entries(place: str, value: Any, hint: Any) -> Iterator[tuple[str, object, Any]]:
    """Every entry of a list or mapping, and every name, with its place and its type."""
    parts = get_args(hint)
    if isinstance(value, Mapping):
        yield from ((f"a name in {place}", name, parts[0]) for name in value)
        yield from ((f"{place}[{name!r}]", entry, parts[1]) for name, entry in value.items() if fits(name, parts[0]))
    elif isinstance(value, Sequence):  # of one that the deploy knows, CDK has one text
        yield from ((f"{place}[{index}]", entry, parts[0]) for index, entry in enumerate(value))


def _is_of_jsii(kind: type) -> bool:
    return hasattr(kind, "__jsii_type__") or hasattr(kind, "__jsii_ifaces__")


@cache
def _has_members(kinds: tuple[type, ...], own: frozenset[str], protocol: type) -> bool:
    bases = [base for base in protocol.__mro__ if base not in (object, Generic, Protocol)]
    members = {name for base in bases for name in [*vars(base), *_annotated(base)] if not name.startswith("_")}
    return members <= own.union(*map(dir, kinds))


def _annotated(base: type) -> list[str]:
    return list(vars(base).get("__annotations__", {}))
