"""The table of permissions: every action that is granted is in it, and every row of it is granted somewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import agent_rft
from agent_rft import permissions
from agent_rft.permissions import Permission

ROWS = {name: value for name, value in vars(permissions).items() if isinstance(value, Permission)}


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(Path(agent_rft.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            yield path, node


def test_no_actions_are_granted_but_those_of_a_permission() -> None:
    for path, node in nodes():
        if isinstance(node, ast.keyword) and node.arg == "actions":
            assert ast.unparse(node.value) == "list(permission.actions)", path


def test_every_permission_is_granted_somewhere() -> None:
    granted = {node.attr for _, node in nodes() if isinstance(node, ast.Attribute)}
    assert set(ROWS) <= granted


def test_a_row_says_who_what_on_what_why_and_who_says_so() -> None:
    for name, row in ROWS.items():
        assert all((row.role.title, row.on, row.reason, row.source)), name
        assert all(re.fullmatch(r"[a-z0-9-]+:[A-Z]\w+", action) for action in row.actions), name


def test_no_role_is_granted_the_same_twice_for_the_same() -> None:
    rows = [(row.role, row.actions, row.on) for row in ROWS.values()]
    assert len(set(rows)) == len(rows)
