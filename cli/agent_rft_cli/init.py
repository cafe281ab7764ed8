"""``agent-rft init``: writes the small app of the documents, to run, to change and to test."""

import argparse
import shutil
import sys
from pathlib import Path

SUMMARY = "writes a small app: a stack, an agent, prompts and a snapshot test"

PROJECT = Path(__file__).with_name("project")
"""What is written; the repository's own cdk.json runs it too."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "cdk.out", ".pytest_cache", "template.json")

NEXT = """Written to {folder}. What to do there:
  pip install -r requirements.txt
  pytest                    # records the template; from then on it shows what a change replaces
  npm install aws-cdk       # the CDK's command line, into this folder
  npx cdk synth             # the template, without AWS
  agent-rft local deploy    # to an AWS on this machine; needs the extra `local`
  npx cdk bootstrap         # once per account and region
  npx cdk deploy            # starts a job that costs money"""

NO_NODE = """
Node.js is not on PATH, and a CDK app needs it from the first import. With the extra `local` it is in the environment:
  pip install 'cdk-agent-rft[local]'"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Where to."""
    command.add_argument("folder", nargs="?", default=".", type=Path, help="an empty or new one (default: this one)")


def run(folder: Path) -> None:
    """Writes the app, and prints what to do with it.

    Raises:
        FileExistsError: where a file of its own is there already.
    """
    files = {_target(path): path for path in sorted(PROJECT.iterdir()) if path.name not in LEFT_OUT("", [path.name])}
    if there := [name for name in files if (folder / name).exists()]:
        raise FileExistsError(f"{folder / there[0]} is there already. Name an empty folder, or a new one.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in files.items():
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=LEFT_OUT)
        else:
            shutil.copyfile(source, folder / name)
    text = (PROJECT / "cdk.json").read_text(encoding="utf-8")
    (folder / "cdk.json").write_text(_with_this_python(text), encoding="utf-8")
    print(NEXT.format(folder=folder.resolve()) + ("" if shutil.which("node") else NO_NODE))


def _target(path: Path) -> str:
    """The name that it gets: in the wheel, a .gitignore would be obeyed."""
    return path.name.replace("dot-", ".")


def _with_this_python(text: str) -> str:
    """Windows has no python3."""
    return text.replace("python3 app.py", "python app.py") if sys.platform == "win32" else text
