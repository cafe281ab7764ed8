"""Every file of Python in the repository stays readable: at most 250 lines, a function 25, an ``__init__`` 60.

A function's lines are those of code: without its decorators, signature and docstring, and without comments and empty
lines; what is nested in it counts, and so do statements that share a line. A lambda counts as a function. Only the
``__init__`` of a class may have 60. Nothing is excepted.
"""

import ast
import io
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE_LINES, FUNCTION_LINES, INIT_LINES = 250, 25, 60
NO_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def files() -> list[str]:
    """Every file of Python that git knows or is about to."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return sorted({name for name in listed if (ROOT / name).exists()})


def too_long(text: str) -> Iterator[str]:
    """What of a file is too long, with how long it is."""
    if (lines := len(text.splitlines())) > FILE_LINES:
        yield f"{lines} lines"
    with_code = lines_of_code(text)
    for function, limit in functions(ast.parse(text)):
        length = length_of(function, with_code)
        if length > limit:
            yield f"line {function.lineno}: {length} lines of code, more than {limit}"


def functions(tree: ast.AST) -> Iterator[tuple[Function, int]]:
    """Every function, method and lambda at whatever depth, with its limit."""
    inits = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.FunctionDef) and each.name == "__init__"
    }
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node, INIT_LINES if id(node) in inits else FUNCTION_LINES


def length_of(function: Function, with_code: set[int]) -> int:
    """The lines of code below the signature; the statements, where they are more."""
    if isinstance(function, ast.Lambda):
        return len(with_code & set(range(function.lineno, (function.end_lineno or 0) + 1)))
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if not body:
        return 0
    statements = sum(isinstance(node, ast.stmt) for each in body for node in ast.walk(each))
    return max(statements, len(with_code & set(range(body[0].lineno, (function.end_lineno or 0) + 1))))


def lines_of_code(text: str) -> set[int]:
    """The numbers of the lines that hold more than a comment; all lines of a text over many."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {line for each in tokens if each.type not in NO_CODE for line in range(each.start[0], each.end[0] + 1)}


@pytest.mark.parametrize("name", files())
def test_a_file_and_its_functions_are_short_enough_to_be_read(name: str) -> None:
    assert list(too_long((ROOT / name).read_text())) == []


def test_the_docstring_says_the_numbers() -> None:
    assert f"at most {FILE_LINES} lines, a function {FUNCTION_LINES}, an ``__init__`` {INIT_LINES}." in str(__doc__)


STATEMENT = "    a = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n" * (FILE_LINES + 1), id="a file of empty lines"),
        pytest.param("def f():\n" + STATEMENT * 26, id="a function"),
        pytest.param("async def f():\n" + STATEMENT * 26, id="an asynchronous one"),
        pytest.param("class A:\n def f(self):\n" + STATEMENT * 26, id="a method"),
        pytest.param("def f():\n def g():\n" + STATEMENT * 25, id="one nested in another counts"),
        pytest.param("if True:\n def f():\n" + STATEMENT * 26, id="one under a condition"),
        pytest.param("def f():\n    " + "; ".join(["a = 1"] * 26) + "\n", id="statements that share a line"),
        pytest.param("def f(): " + "; ".join(["a = 1"] * 26) + "\n", id="all on the signature's line"),
        pytest.param("def f():\n return '''\n" + "# no comment\n" * 25 + "'''\n", id="a text that looks like comments"),
        pytest.param("def f():\n '''One.'''\n '''\n" + "two\n" * 25 + "'''\n", id="a second text is no docstring"),
        pytest.param("class A:\n f = lambda: [\n" + "  1,\n" * 25 + " ]\n", id="a lambda in a class"),
        pytest.param("def f(a=lambda: [\n" + "  1,\n" * 25 + " ]):\n pass\n", id="a lambda in a signature"),
        pytest.param("@d(lambda: [\n" + "  1,\n" * 25 + " ])\ndef f():\n pass\n", id="a lambda in a decorator"),
        pytest.param("def __init__(self):\n" + STATEMENT * 26, id="an init of no class"),
        pytest.param("class A:\n def __init__(self):\n" + STATEMENT * 61, id="an init"),
        pytest.param("class A:\n def __init__(self):\n  def f():\n" + STATEMENT * 26, id="one nested in an init"),
        pytest.param("match 1:\n case 1:\n  def f():\n" + STATEMENT * 26, id="one in a match"),
    ],
)
def test_what_is_too_long_is_seen(text: str) -> None:
    assert len(list(too_long(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n" * FILE_LINES, id="a file"),
        pytest.param("def f():\n" + STATEMENT * 25, id="a function"),
        pytest.param("class A:\n def __init__(self):\n" + STATEMENT * 60, id="an init"),
        pytest.param("def f(\n" + "".join(f" a{n},\n" for n in range(90)) + "):\n    pass\n", id="a long signature"),
        pytest.param(
            'def f():\n    """One.\n' + "\n    two\n" * 40 + '    """\n' + STATEMENT * 25, id="a long docstring"
        ),
        pytest.param("def f():\n" + "    # why\n\n    a = 1\n" * 25, id="comments and empty lines"),
        pytest.param("class A:\n" + "".join(f"    a{n} = 1\n" for n in range(99)), id="a class of many members"),
    ],
)
def test_what_is_short_enough_passes(text: str) -> None:
    assert list(too_long(text)) == []
