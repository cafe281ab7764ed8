"""A file that the repository's texts name is in the repository: in code, comments, pages and settings."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NO_TEXT = {".parquet", ".lock", ".json", ".gif", ".png", ".svg"}
PATH = re.compile(r"(?<![\w/.:@{}*-])((?:[A-Za-z_][\w-]*/)+[\w.-]*\.[a-z]+)\b")
"""``folder/file.ending``; not part of an address, of an ARN or of a pattern."""

PAGE = re.compile(r"(?<![\w/.:@{}*-])([\w-]+\.md)\b")
"""A page by its name alone."""


MADE_BY_A_RUN = {"docs/performance.md"}
"""Pages that a long run writes (make bench), and that may not have been written yet."""


def listed() -> list[str]:
    """What git knows, or is about to."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return sorted({name for name in found if (ROOT / name).exists()})


FILES = listed()
FOLDERS = {name.partition("/")[0] for name in FILES if "/" in name}
TEXTS = [name for name in FILES if Path(name).suffix not in NO_TEXT]


def absent(text: str, folder: str) -> Iterator[str]:
    """The files that the text names and nobody has: below a folder of ours, or a page of whatever name."""
    known = MADE_BY_A_RUN | set(FILES)
    for path in PATH.findall(text):
        if path.partition("/")[0] in FOLDERS and not {path, f"{folder}/{path}"} & known:
            yield path
    names = {Path(name).name for name in known}
    yield from (page for page in PAGE.findall(text) if page not in names)


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_named_is_there(name: str) -> None:
    assert sorted(set(absent((ROOT / name).read_text(errors="replace"), str(Path(name).parent)))) == []


def test_an_absent_file_is_seen() -> None:
    page, script = "gone" + ".md", "tests/gone" + ".py"
    text = f"see docs/{page}, `{script}`, {page}; not https://a.example/docs/{page}, docs/faq.md, AGENTS.md, */{page}"
    assert list(absent(text, ".")) == [f"docs/{page}", script, page]
