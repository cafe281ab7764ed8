"""A curve in characters."""

from collections.abc import Sequence

from agent_rft_cli.text import number
from agent_rft_handler.mlflow import Point

BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille character, by row and column [Unicode: Braille Patterns]."""

Cells = set[tuple[int, int]]
"""Which dots are set: column from the left, row from the top."""


def curve(points: Sequence[Point], width: int, height: int, *, is_unicode: bool) -> list[str]:
    """The values over the steps, with the least and the greatest of both at the axes.

    Args:
        points: At least one, by step.
        width: How many characters a line may have.
        height: How many lines the curve has; one more below says the steps.
        is_unicode: Whether braille dots can be shown, eight to a character; else there is one star to a character.
    """
    low, high = min(point.value for point in points), max(point.value for point in points)
    labels = [number(high), *[""] * (height - 2), number(low)]
    margin = max(map(len, labels))
    across = max(2, width - margin - 2)
    lines = (_braille if is_unicode else _stars)(points, across, height)
    axis = "│" if is_unicode else "|"
    rows = [f"{label:>{margin}} {axis}{line}".rstrip() for label, line in zip(labels, lines, strict=True)]
    first, last = f"step {points[0].step}", str(points[-1].step)
    return [*rows, f"{'':>{margin + 2}}{first}{last:>{max(0, across - len(first))}}"]


def _braille(points: Sequence[Point], width: int, height: int) -> list[str]:
    cells = _drawn(points, 2 * width, 4 * height)
    return ["".join(_character(cells, column, row) for column in range(width)) for row in range(height)]


def _character(cells: Cells, column: int, row: int) -> str:
    bits = sum(
        bit for y, pair in enumerate(DOTS) for x, bit in enumerate(pair) if (2 * column + x, 4 * row + y) in cells
    )
    return chr(BRAILLE + bits) if bits else " "


def _stars(points: Sequence[Point], width: int, height: int) -> list[str]:
    cells = _drawn(points, width, height)
    return ["".join("*" if (column, row) in cells else " " for column in range(width)) for row in range(height)]


def _drawn(points: Sequence[Point], width: int, height: int) -> Cells:
    """The dots of a line through the points, without a gap from one column to the next."""
    rows = [_row(_value_at(points, column / (width - 1)), points, height) for column in range(width)]
    cells: Cells = set()
    for column, row in enumerate(rows):
        before = rows[max(0, column - 1)]
        start = before + (row > before) - (row < before)
        cells |= {(column, each) for each in range(min(start, row), max(start, row) + 1)}
    return cells


def _value_at(points: Sequence[Point], share: float) -> float:
    """The value at a share of the way from the first step to the last, between two points on the line."""
    step = points[0].step + share * (points[-1].step - points[0].step)
    after = next((i for i, point in enumerate(points) if point.step >= step), len(points) - 1)
    left, right = points[max(0, after - 1)], points[after]
    span = right.step - left.step
    return right.value if not span else left.value + (right.value - left.value) * (step - left.step) / span


def _row(value: float, points: Sequence[Point], height: int) -> int:
    low, high = min(point.value for point in points), max(point.value for point in points)
    return height // 2 if high == low else round((high - value) / (high - low) * (height - 1))
