"""A dataset file beside the app, looked into at synth: what a job could not read is known before the deploy.

Of a large file only the first megabytes and the end are read.
"""

from codecs import BOM_UTF8
from dataclasses import dataclass, field
from pathlib import Path

from constructs import Construct

from agent_rft import warnings
from agent_rft.arguments.validation import refuse
from agent_rft.dataset import dataset_rows, parquet_footer
from agent_rft.dataset.dataset_rows import COLUMN, Rows, Unreadable

EXTENSIONS = (".parquet", ".jsonl", ".json", ".csv")
"""[AWS docs: model-customize-mtrl-assets]"""

HEAD, TAIL = 4 * 1024 * 1024, 64 * 1024
"""Bytes that are read of a file: its start, and of a longer file its end too."""

POINTERS = {
    b"version https://git-lfs.github.com/spec/": "a Git LFS pointer, not the data. Run git lfs pull.",
    b"/annex/objects/": "a git-annex pointer, not the data. Run git annex get.",
}
"""How a file begins that only says where the data is."""

SIGNATURES = {
    b"\xff\xfe": "UTF-16 or UTF-32 text. Save it as UTF-8.",
    b"\xfe\xff": "UTF-16 text. Save it as UTF-8.",
    b"\x1f\x8b": "compressed by gzip. Give the file that is in it.",
    b"PK\x03\x04": "a zip archive. Give the file that is in it.",
    b"BZh": "compressed by bzip2. Give the file that is in it.",
    b"\xfd7zXZ": "compressed by xz. Give the file that is in it.",
    b"\x28\xb5\x2f\xfd": "compressed by zstd. Give the file that is in it.",
    parquet_footer.MAGIC: "a Parquet file by its first bytes. Name it .parquet.",
}
"""How a file begins that is no text of any of the formats."""

MARKUP = (b"<!doctype html", b"<html", b"<?xml")


@dataclass(frozen=True)
class Inspection:
    """What is wrong with the file, and what was found in it."""

    problem: str = ""
    rows: Rows = field(default_factory=Rows)
    has_byte_order_mark: bool = False


def look_into(scope: Construct, path: Path) -> Rows:
    """Its rows; refuses what no job could read, and warns of what is doubtful.

    Raises:
        ValueError: for a file that no job could read.
    """
    found = inspect(path)
    refuse(scope, [found.problem])
    if not is_format(path.name, is_file=True):
        warnings.DATASET_FORMAT.add_to(scope, key=path, formats=", ".join(EXTENSIONS))
    if found.has_byte_order_mark:
        warnings.DATASET_BYTE_ORDER_MARK.add_to(scope, path=path)
    if found.rows.columns and COLUMN not in found.rows.columns:
        warnings.DATASET_COLUMN.add_to(scope, path=path, column=COLUMN, first=found.rows.columns[0])
    if found.rows.without:
        warnings.DATASET_PROMPT.add_to(scope, path=path, column=COLUMN, place=found.rows.without)
    return found.rows


def inspect(path: Path) -> Inspection:
    """Looks into the file; a problem is a sentence that names it."""
    try:
        return _inspected(path)
    except Unreadable as error:
        return Inspection(f"{_named(path)}, {error}")
    except OSError as error:
        return Inspection(f"{_named(path)}, which cannot be read: {error.strerror}.")


def is_format(name: str, *, is_file: bool) -> bool:
    """Whether a job reads what has this name; a key of S3 without an extension is a prefix."""
    extension = extension_of(name)
    return extension in EXTENSIONS or not (extension or is_file)


def extension_of(name: str) -> str:
    """The extension in a file's name or an object's key: ``.jsonl``, but nothing for ``v1.2``."""
    stem, dot, extension = name.rpartition(".")
    is_one = bool(stem) and extension.isascii() and extension.isalnum() and not extension.isdecimal()
    return f"{dot}{extension}".lower() if is_one else ""


def _named(path: Path) -> str:
    return f"Dataset.from_asset is given {str(path)!r}"


def _inspected(path: Path) -> Inspection:
    if not path.is_file():
        what = "a folder, which CDK would zip" if path.is_dir() else "not there"
        raise Unreadable(f"which is {what}. Give one file: {', '.join(EXTENSIONS)}.")
    extension, (head, tail) = extension_of(path.name), _ends(path)
    if sentence := _disguise(head, extension):
        raise Unreadable(f"which is {sentence}")
    rows = _parquet(path) if extension == ".parquet" else dataset_rows.read(extension, head, tail)
    if rows.number == 0:
        raise Unreadable("which has no rows. Give one with prompts.")
    return Inspection(rows=rows, has_byte_order_mark=head.startswith(BOM_UTF8))


def _ends(path: Path) -> tuple[bytes, bytes]:
    """The file's first bytes, and its last ones where it has more."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(size - TAIL if size > HEAD else size)
        return head, file.read()


def _disguise(head: bytes, extension: str) -> str:
    """What the file is instead of the data that its name promises."""
    if not head:
        return "empty. Give one with prompts."
    pointer = next((what for start, what in POINTERS.items() if head.startswith(start)), "")
    if pointer or extension == ".parquet":
        return pointer
    if head.removeprefix(BOM_UTF8).lstrip()[:15].lower().startswith(MARKUP):
        return "a page of HTML or XML, perhaps of a failed download. Download the data."
    known = next((what for start, what in SIGNATURES.items() if head.startswith(start)), "")
    return known or ("not UTF-8 text: it has NUL bytes. Save it as UTF-8." if b"\0" in head else "")


def _parquet(path: Path) -> Rows:
    if not parquet_footer.is_complete(path):
        raise Unreadable("which is not a complete Parquet file. Write or download it again.")
    footer = parquet_footer.read(path)
    return Rows(footer.columns, footer.rows) if footer else Rows()
