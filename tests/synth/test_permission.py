"""The table of permissions: every action that is granted is in it, and every row of it is granted somewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from synth.app import synth

import agent_rft
from agent_rft import permissions
from agent_rft.permissions import Permission, literal

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


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("prompts/train.jsonl", "prompts/train.jsonl"),
        ("a*b?c", "a${*}b${?}c"),
        ("${aws:username}/x", "${$}{aws:username}/x"),
        ("5$ and more", "5$ and more"),
        ("${Token[Bucket.Name.12]}/*", "${Token[Bucket.Name.12]}/${*}"),
    ],
)
def test_what_a_user_writes_is_no_pattern_in_a_policy(given: str, written: str) -> None:
    assert literal(given) == written


def test_a_key_with_wildcards_grants_that_key_and_no_other() -> None:
    made = synth(training_dataset="s3://data-bkt/a*/x?.jsonl", s3_output_path="s3://out-bkt/${aws:username}*")
    assert '/a${*}/x${?}.jsonl*"' in made.text
    assert '/${$}{aws:username}${*}/*"' in made.text
