"""The rows of a text file of prompts: JSON Lines, one JSON array, or CSV with a header."""

import codecs
import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

COLUMN = "prompt"
"""The column that is used, or the first one where it is absent [AWS docs: model-customize-mtrl-assets]."""

SHOWN = 60
"""Characters of a wrong line that a message quotes."""


class Unreadable(Exception):
    """Why a job could not read the file; a clause that begins ``which`` or ``whose``."""


@dataclass(frozen=True)
class Rows:
    """What was found: the columns, the number of rows where the whole file was read, and where a prompt is absent."""

    columns: tuple[str, ...] = ()
    number: int | None = None
    without: str = ""


def read(extension: str, head: bytes, tail: bytes) -> Rows:
    """The rows in the start of a file, and in its end where that is given.

    Raises:
        Unreadable: for what the format does not allow, with the number of the line.
    """
    reader = READERS.get(extension)
    return reader(_text(head, is_whole=not tail), tail) if reader else Rows()


def _text(head: bytes, *, is_whole: bool) -> str:
    """The start without a byte order mark, and without a character that its end cuts in two."""
    data = head.removeprefix(codecs.BOM_UTF8)
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=is_whole)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"whose line {line} is not UTF-8. Save it as UTF-8.") from error


def _whole_lines(text: str, *, is_whole: bool) -> str:
    return text if is_whole else text[: text.rfind("\n") + 1]


def _json_lines(text: str, tail: bytes) -> Rows:
    lines = [
        (number, line)
        for number, line in enumerate(_whole_lines(text, is_whole=not tail).split("\n"), 1)
        if line.strip()
    ]
    rows = {f"line {number}": _row(f"line {number}", line) for number, line in lines}
    if tail:
        _last_line(tail)
    return _found(rows, is_whole=not tail)


def _found(rows: Mapping[str, Mapping[str, Any]], *, is_whole: bool) -> Rows:
    """The first row's columns; the first place where a column ``prompt`` that it has is absent or empty."""
    columns = tuple(next(iter(rows.values()), ()))
    without = [place for place, row in rows.items() if COLUMN in columns and row.get(COLUMN) in (None, "")]
    return Rows(columns, len(rows) if is_whole else None, without[0] if without else "")


def _last_line(tail: bytes) -> None:
    """A download that was cut off ends in the middle of a row."""
    _, newline, last = tail.rstrip().rpartition(b"\n")
    if newline:
        _row("last line", last.decode("utf-8", errors="replace"))


def _row(where: str, line: str) -> dict[str, Any]:
    row = _parsed(
        line, lambda error: f"whose {where} is not JSON: {error.msg} at column {error.colno}: {_shown(line)}."
    )
    if not isinstance(row, dict):
        raise Unreadable(f'whose {where} is not a JSON object, but {_shown(line)}. Write one as {{"prompt": ...}}.')
    return row


def _json_array(text: str, tail: bytes) -> Rows:
    if tail:
        return _ends_of_array(text, tail)
    rows = _parsed(text, _array_error)
    if not isinstance(rows, list):
        raise Unreadable('which is not a JSON array of rows. Write one as [{"prompt": ...}], or name it .jsonl.')
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise Unreadable(f"whose row {number} is not a JSON object, but {_shown(json.dumps(row))}.")
    return _found({f"row {number}": row for number, row in enumerate(rows, 1)}, is_whole=True)


def _array_error(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return (
            f"which is not a JSON array: another value begins in line {error.lineno}. Name it .jsonl if lines are rows."
        )
    return f"whose line {error.lineno} is not JSON: {error.msg} at column {error.colno}."


def _ends_of_array(text: str, tail: bytes) -> Rows:
    """The first row of an array that is too long to be read, and whether the file has its end."""
    start = text.lstrip()
    if not start.startswith("[") or not tail.rstrip().endswith(b"]"):
        raise Unreadable(
            'which is an incomplete JSON array of rows. Write one as [{"prompt": ...}], or name it .jsonl.'
        )
    try:
        row, _ = json.JSONDecoder().raw_decode(start[1:].lstrip())
    except (ValueError, RecursionError):
        return Rows()  # longer than the start
    return Rows(tuple(row)) if isinstance(row, dict) else Rows()


def _csv(text: str, tail: bytes) -> Rows:
    reader = csv.reader(StringIO(_whole_lines(text, is_whole=not tail), newline=""), strict=True)
    columns: list[str] = []
    number = 0
    try:
        for row in reader:
            if columns and len(row) > len(columns):
                raise Unreadable(
                    f"whose line {reader.line_num} has {len(row)} fields, but the header has {len(columns)}. Put a "
                    "text with commas in quotes."
                )
            number += bool(columns and row)
            columns = columns or row
    except csv.Error as error:
        cut = "unexpected end" in str(error) and bool(tail)
        if not cut and "field limit" not in str(error):
            raise Unreadable(f"whose line {reader.line_num} is not CSV: {error}.") from error
        return Rows(tuple(columns))
    return Rows(tuple(columns), None if tail else number)


def _parsed(text: str, sentence: Callable[[json.JSONDecodeError], str]) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(sentence(error)) from error
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"which no JSON reader takes: {error}.") from error


def _shown(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


READERS: dict[str, Callable[[str, bytes], Rows]] = {".jsonl": _json_lines, ".json": _json_array, ".csv": _csv}
"""By extension [AWS docs: model-customize-mtrl-assets]."""
