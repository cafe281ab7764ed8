"""The size of what CloudFormation's function is, and what of it is comments and docstrings."""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from aws_cdk import App, Stack

from agent_rft import JobProvider
from benchmarks.side_by_side import Row

GOAL = 64


def rows() -> Iterator[Row]:
    """The asset, zipped as the CDK publishes it; and what it would be if its modules said nothing of themselves."""
    with tempfile.TemporaryDirectory() as directory:
        app = App(outdir=directory)
        JobProvider(Stack(app, "S"))
        app.synth()
        (asset,) = (each for each in Path(directory).glob("asset.*") if (each / "agent_rft_handler").is_dir())
        files = {str(each.relative_to(asset)): each.read_text(encoding="utf-8") for each in sorted(asset.rglob("*.*"))}
    silent = {name: _silent(text) if name.endswith(".py") else text for name, text in files.items()}
    yield _row("the function's code, zipped", _zipped(files))
    yield _row("the same without docstrings and comments, which is not done", _zipped(silent))


def _row(figure: str, size: float) -> Row:
    return Row(figure, "", f"{size:.1f} KiB", "", size, GOAL, "KiB")


def _zipped(files: dict[str, str]) -> float:
    """KiB, compressed as tightly as can be."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return len(buffer.getvalue()) / 1024


def _silent(source: str) -> str:
    """A module whose lines keep their numbers, so that tracebacks are those of the source."""
    blank = re.compile(r'^( *)(?:""".*?"""|#[^\n]*)$', re.MULTILINE | re.DOTALL)
    return blank.sub(lambda found: found[1] + '""' + "\n" * found[0].count("\n"), source)
