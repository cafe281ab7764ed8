"""What a command found: lines for people, JSON for programs."""

import datetime
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent_rft_cli.text import number, printable, utc

Row = Mapping[str, Any]


class Answer(Protocol):
    """What a command hands back to be printed."""

    def json(self) -> str: ...

    def text(self) -> str: ...


@dataclass(frozen=True)
class Listing:
    """The rows of an answer.

    Args:
        rows: What JSON holds.
        columns: Which of a row's keys the table shows, in this order.
        empty: The sentence that stands for no rows.
        lines: The table's rows, where they are not ``rows``.
    """

    rows: Sequence[Row]
    columns: Sequence[str]
    empty: str
    lines: Sequence[Row] | None = None

    def json(self) -> str:
        """The rows as a JSON list, times in UTC."""
        return as_json(self.rows)

    def text(self) -> str:
        """The rows under their headings, or the sentence that there are none."""
        if not self.rows:
            return self.empty
        return table(self.rows if self.lines is None else self.lines, self.columns)


@dataclass(frozen=True)
class Record:
    """An answer about one thing.

    Args:
        row: What JSON holds.
        lines: What a person reads.
    """

    row: Row
    lines: Sequence[str]

    def json(self) -> str:
        """The row as a JSON object, times in UTC."""
        return as_json(self.row)

    def text(self) -> str:
        """The lines."""
        return "\n".join(self.lines)


def as_json(value: object, *, indent: int | None = 2) -> str:
    """JSON, times in UTC."""
    return json.dumps(_finite(value), indent=indent, default=lambda time: utc(time).isoformat())


def _finite(value: object) -> object:
    """The value with null for the figures that JSON does not have: NaN and the infinities."""
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def table(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """The rows under the columns' headings; figures end at the right."""
    headings = [column.replace("_", " ").upper() for column in columns]
    cells = [headings, *([_cell(row.get(column)) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [any(_is_figure(row.get(column)) for row in rows) for column in columns]
    return "\n".join(_line(row, widths, right) for row in cells)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    aligned = zip(cells, widths, right, strict=True)
    return "  ".join(f"{cell:>{width}}" if end else f"{cell:<{width}}" for cell, width, end in aligned).rstrip()


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime):
        return utc(value).strftime("%Y-%m-%d %H:%M UTC")
    return number(value) if _is_figure(value) else printable(value)
