"""Small wrongs that can be put into a module: each mutant is the module with one of them."""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Edit = Callable[[ast.AST], object]

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
BLOCKS = ("body", "orelse", "finalbody")
"""Where statements stand."""

SAID_ONLY = ("log", "logging", "warn")
"""Calls whose arguments nobody's behaviour depends on."""


@dataclass(frozen=True)
class Mutant:
    """The module with one wrong in it."""

    line: int
    wrong: str
    tree: ast.Module


def mutants(source: str) -> Iterator[Mutant]:
    """Every one, in the order of the lines."""
    tree = ast.parse(source)
    passed_over = set(_passed_over(tree))
    nodes, lines = list(ast.walk(tree)), _lines(tree)
    found = [
        (lines[id(node)], index, wrong, edit)
        for index, node in enumerate(nodes)
        if id(node) not in passed_over
        for wrong, edit in _edits(node)
    ]
    for line, index, wrong, edit in sorted(found, key=lambda each: each[:2]):
        changed = copy.deepcopy(tree)
        edit(list(ast.walk(changed))[index])
        yield Mutant(line, wrong, ast.fix_missing_locations(changed))


def _lines(tree: ast.AST) -> dict[int, int]:
    """The line of each node; of one that has none, as a comprehension's ``for``, that of what it stands in."""
    lines = {id(tree): 1}
    for node in ast.walk(tree):
        for below in ast.iter_child_nodes(node):
            lines[id(below)] = getattr(below, "lineno", lines[id(node)])
    return lines


def _passed_over(tree: ast.AST) -> Iterator[int]:
    """What changes nothing: types, docstrings, what is logged, the words of a message, whether a class is frozen."""
    for node in ast.walk(tree):
        silent: list[ast.AST | None] = []
        if isinstance(node, ast.AnnAssign | ast.arg):
            silent = [node.annotation]
        elif isinstance(node, ast.FunctionDef):
            silent = [node.returns]
        elif isinstance(node, ast.ClassDef):
            silent = [*node.decorator_list]
        elif isinstance(node, ast.JoinedStr):
            silent = [each for each in node.values if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] in SAID_ONLY:
            silent = [node]
        for each in silent:
            yield from (id(below) for below in ast.walk(each)) if each else ()


def _edits(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            yield from _swap(operator, lambda at, new, place=place: at.ops.__setitem__(place, new))  # type: ignore[misc]
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign):
        yield from _swap(node.op, lambda at, new: setattr(at, "op", new))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "without not", lambda at: setattr(at, "operand", _negated(at.operand))  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "condition negated", lambda at: setattr(at, "test", _negated(at.test))  # type: ignore[attr-defined]
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "without if", lambda at: setattr(at, "ifs", [])
    elif isinstance(node, ast.Return) and node.value is not None and not _is_empty(node.value):
        yield "returns None", lambda at: setattr(at, "value", ast.Constant(None))
    yield from _without_statements(node)


def _swap(operator: ast.AST, put: Callable[[ast.AST, ast.AST], object]) -> Iterator[tuple[str, Edit]]:
    other = SWAPPED.get(type(operator))
    if other:
        yield f"{type(operator).__name__} -> {other.__name__}", lambda at: put(at, other())


def _constants(node: ast.Constant) -> Iterator[tuple[str, Edit]]:
    value = node.value
    changed: object = None
    if isinstance(value, bool):
        changed = not value
    elif isinstance(value, int | float):
        changed = value + 1
    elif isinstance(value, str) and " " not in value and "\n" not in value:
        changed = value + "X"
    if changed is not None:
        yield f"{value!r} -> {changed!r}", lambda at: setattr(at, "value", changed)


def _without_statements(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    """A call whose value nobody takes, a raise, a break, what a loop goes on past: each left out."""
    for block in BLOCKS:
        statements = getattr(node, block, None)
        for place, each in enumerate(statements if isinstance(statements, list) else ()):
            is_call = isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)
            said = is_call and ast.unparse(each).partition(".")[0] in SAID_ONLY
            if (is_call and not said) or isinstance(each, ast.Raise | ast.Break | ast.Continue | ast.AugAssign):
                yield f"left out: {ast.unparse(each).splitlines()[0]}", _leaving_out(block, place)


def _leaving_out(block: str, place: int) -> Edit:
    return lambda at: getattr(at, block).__setitem__(place, ast.Pass())


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _is_empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value
