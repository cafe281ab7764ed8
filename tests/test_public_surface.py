"""What a user meets: each public name says what it is, and speaks of nothing that a user cannot import."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import agent_rft
from agent_rft.arguments.checked import _hints

CLASSES = {name: each for name in agent_rft.__all__ if isinstance(each := getattr(agent_rft, name), type)}
CALLED_BY_THE_TRAINER = ("of", "bind")
"""The extension point: docs/architecture.md, Choices of your own."""


def ours(kind: type) -> list[type]:
    """The class and what it extends, as far as it is of this project."""
    return [each for each in kind.__mro__ if each.__module__.startswith("agent_rft")]


def assigned_in(kind: type) -> Iterator[tuple[str, bool]]:
    """The public attributes of a class, and whether a docstring follows each."""
    tree = ast.parse(Path(inspect.getfile(kind)).read_text())
    (body,) = (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == kind.__name__)
    for statement, following in zip(body, [*body[1:], None], strict=True):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            yield target.id, isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)


def set_in(kind: type) -> set[str]:
    """What a constructor sets on the object."""
    return set(
        re.findall(r"^\s+(?:\w[\w., ]* = )?self\.([a-z]\w*)(?:: [^=]+)? = ", inspect.getsource(kind), re.MULTILINE)
    )


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties."""
    for each in ours(kind):
        for name, value in vars(each).items():
            if not name.startswith("_") and isinstance(value, property | classmethod | staticmethod | type(ours)):
                yield name, value


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_name_says_what_it_is(name: str) -> None:
    kind = CLASSES[name]
    assert kind.__doc__
    told = {attribute for each in ours(kind) for attribute, is_told in assigned_in(each) if is_told}
    told |= {member for member, value in members(kind) if inspect.getdoc(value)}
    public = {attribute for each in ours(kind) for attribute, _ in assigned_in(each)}
    public |= {member for member, _ in members(kind)} | {attribute for each in ours(kind) for attribute in set_in(each)}
    assert public - told == set()


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_signature_speaks_of_nothing_internal(name: str) -> None:
    known = {each for kind in CLASSES.values() for each in ours(kind)}
    for member, value in members(CLASSES[name]):
        function = getattr(value, "fget", None) or getattr(value, "__func__", value)
        for argument, hint in _hints(inspect.unwrap(function)).items() if member not in CALLED_BY_THE_TRAINER else ():
            foreign = [each for each in types_in(hint) if each.__module__.startswith("agent_rft") and each not in known]
            assert [each for each in foreign if not getattr(each, "_is_protocol", False)] == [], f"{member}: {argument}"


def types_in(hint: Any) -> Iterator[type]:
    """The classes that an annotation names."""
    if isinstance(hint, type):
        yield hint
    for part in get_args(hint):
        yield from types_in(part)
