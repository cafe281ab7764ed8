"""The errors that docs/faq.md quotes are those that the code gives today."""

import ast
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("constructs", "lambda", "local", "cli")
FILLED_IN = "…"
TITLES = re.findall(r"\*\*(.+?)\*\*", (ROOT / "docs" / "faq.md").read_text(), re.DOTALL)
QUOTED = [quoted for title in TITLES for quoted in re.findall(r"`([^`]+)`", " ".join(title.split()))]
OF_PYTHON = f"{os.strerror(errno.ENOENT)}: 'node'"
"""What jsii's start of Node.js ends with."""


def texts() -> Iterator[str]:
    """Every text of the code; what is filled in stands as an ellipsis."""
    for path in (path for source in SOURCES for path in (ROOT / source).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(each.value) if isinstance(each, ast.Constant) else FILLED_IN for each in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.sub(r"\{\w+\}", FILLED_IN, node.value)


KNOWN = [OF_PYTHON, *texts()]


@pytest.mark.parametrize("quoted", QUOTED)
def test_a_quoted_error_is_one_that_the_code_gives(quoted: str) -> None:
    assert any(quoted in text for text in KNOWN)


def test_the_page_quotes_errors() -> None:
    assert len(QUOTED) > 15
