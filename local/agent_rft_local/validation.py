"""Checks a request against a botocore shape, and words what is wrong as the service's front end does.

The client checks types, required members and minimums only; this also checks maximums, patterns and enums.
"""

import functools
from collections.abc import Iterator
from typing import Any

import regex


class SerializationError(ValueError):
    """The body is not the JSON that the shape asks for."""


class ServiceError(Exception):
    """An error answer of the service."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.message, self.status = code, message, status


def require(shape: Any, value: object, *, closed: bool = False) -> None:
    """Raises the ValidationException that lists every violation; ``closed`` also refuses unknown members."""
    if found := list(violations(shape, value, "", closed)):
        noun = "error" if len(found) == 1 else "errors"
        raise ServiceError("ValidationException", f"{len(found)} validation {noun} detected: {'; '.join(found)}")


def violations(shape: Any, value: Any, path: str, closed: bool) -> Iterator[str]:
    """Each broken constraint of ``value``, in the service's words."""
    kind = shape.type_name
    _require_type(kind, value, path)
    if kind == "structure":
        yield from _members(shape, value, path, closed)
    elif kind == "list":
        yield from _bounds(shape, len(value), value, path, "length")
        for index, item in enumerate(value, 1):
            yield from violations(shape.member, item, f"{path}.{index}.member", closed)
    elif kind == "map":
        yield from _bounds(shape, len(value), value, path, "length")
        for key, item in value.items():
            yield from violations(shape.key, key, path, closed)
            yield from violations(shape.value, item, f"{path}.{key}.member", closed)
    elif kind == "string":
        yield from _text(shape, value, path)
    elif kind in ("integer", "long", "float", "double"):
        yield from _bounds(shape, value, value, path, "value")


def cut(shape: Any, value: Any) -> Any:
    """``value`` with only the members that the output shape has, so that no internal field leaks."""
    if shape is None:
        return {}
    if shape.type_name == "structure" and isinstance(value, dict):
        known = shape.members
        return {name: cut(known[name], item) for name, item in value.items() if name in known and item is not None}
    if shape.type_name == "list":
        return [cut(shape.member, item) for item in value]
    return value


@functools.cache
def compiled(pattern: str) -> "regex.Pattern[str]":
    """A pattern of the model; its ``\\p{L}`` is why this is not ``re``."""
    return regex.compile(pattern)


_JSON_TYPES: dict[str, Any] = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
}


def _require_type(kind: str, value: object, path: str) -> None:
    wanted = _JSON_TYPES.get(kind)
    if wanted and (not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)):
        raise SerializationError(f"{path or 'body'}: expected {kind}, got {type(value).__name__}")


def _members(shape: Any, value: dict[str, Any], path: str, closed: bool) -> Iterator[str]:
    def at(name: str) -> str:
        return f"{path}.{name}" if path else name[:1].lower() + name[1:]

    for name in shape.required_members:
        if value.get(name) is None:
            yield _failed(None, at(name), "Member must not be null")
    for name in value if closed else ():
        if name not in shape.members:
            yield _failed(name, path or "document", f"Member must be one of [{', '.join(shape.members)}]")
    for name, item in value.items():
        if item is not None and (member := shape.members.get(name)):
            yield from violations(member, item, at(name), closed)


def _text(shape: Any, value: str, path: str) -> Iterator[str]:
    if shape.enum and value not in shape.enum:
        yield _failed(value, path, f"Member must satisfy enum value set: [{', '.join(shape.enum)}]")
    yield from _bounds(shape, len(value), value, path, "length")
    pattern = shape.metadata.get("pattern")
    if pattern and not compiled(pattern).fullmatch(value):
        yield _failed(value, path, f"Member must satisfy regular expression pattern: {pattern}")


def _bounds(shape: Any, size: float, value: object, path: str, noun: str) -> Iterator[str]:
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    if low is not None and size < low:
        yield _failed(value, path, f"Member must have {noun} greater than or equal to {low}")
    if high is not None and size > high:
        yield _failed(value, path, f"Member must have {noun} less than or equal to {high}")


def _failed(value: object, path: str, constraint: str) -> str:
    text = "null" if value is None else f"'{str(value)[:1000]}'"
    return f"Value {text} at '{path}' failed to satisfy constraint: {constraint}"
