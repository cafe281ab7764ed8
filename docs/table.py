"""Markdown's tables."""

from collections.abc import Iterable


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table with a head."""
    lines = [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |\n" for row in (head, *rows)]
    return "".join([lines[0], f"|{'---|' * len(head)}\n", *lines[1:]])


def code(words: Iterable[str]) -> str:
    """Words in code, one below the other."""
    return "<br>".join(f"`{word}`" for word in words)
