"""What a command found: a table for people, JSON for programs."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


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
        return json.dumps(self.rows, indent=2, default=lambda value: _utc(value).isoformat())

    def table(self) -> str:
        """The rows under their headings, or the sentence that there are none."""
        if not self.rows:
            return self.empty
        headings = [column.replace("_", " ").upper() for column in self.columns]
        shown = self.rows if self.lines is None else self.lines
        cells = [headings, *([_cell(row.get(column)) for column in self.columns] for row in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(_line(row, widths) for row in cells)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cell(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime):
        return _utc(value).strftime("%Y-%m-%d %H:%M UTC")
    return "".join(filter(str.isprintable, str(value)))


def _utc(time: datetime.datetime) -> datetime.datetime:
    return time.astimezone(datetime.UTC)
