"""Judges from outside, on stacks of every feature: cfn-lint and Checkov find nothing unexplained."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from security.judged import STACKS, synthesized
from synth.app import REGION

from docs.findings import CHECKOV

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CHECKOV_PIN = "checkov==3.3.30"
CDKS_OWN = {"W3005"}
"""Findings of every CDK template: a dependency on a construct repeats what a reference already says."""


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every stack's template, written once."""
    return {name: synthesized(name, tmp_path_factory.mktemp("synth")) for name in STACKS}


@pytest.fixture(scope="module")
def linted(templates: dict[str, Path]) -> dict[str, list[Any]]:
    """What cfn-lint finds, by the template's path."""
    program = str(Path(sys.executable).with_name("cfn-lint"))
    paths = [str(path) for path in templates.values()]
    command = [program, "--format", "json", "--regions", REGION, "--template", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout)
    return {path: [row for row in rows if row["Filename"] == path] for path in paths}


@pytest.mark.parametrize("name", STACKS)
def test_cfn_lint_finds_nothing(name: str, templates: dict[str, Path], linted: dict[str, list[Any]]) -> None:
    assert [row for row in linted[str(templates[name])] if row["Rule"]["Id"] not in CDKS_OWN] == []


def test_cfn_lint_read_every_template(linted: dict[str, list[Any]]) -> None:
    """Every CDK template has findings of CDK's own: where there is none, nothing was read."""
    assert {row["Rule"]["Id"] for rows in linted.values() for row in rows} >= CDKS_OWN


@pytest.fixture(scope="session")
def checkov() -> Path:
    """Checkov in an environment of its own, as it pins much; kept between runs."""
    venv = ROOT / ".cache" / "checkov"
    if not (venv / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        command = [
            str(venv / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            CHECKOV_PIN,
        ]
        subprocess.run(command, check=True)
        (venv / "installed").write_text(CHECKOV_PIN)
    return venv / "bin" / "checkov"


def test_checkov_finds_only_what_is_explained(checkov: Path, templates: dict[str, Path]) -> None:
    files = [part for path in templates.values() for part in ("-f", str(path))]
    options = ["--framework", "cloudformation", "--quiet", "--compact", "--skip-download", "-o", "json"]
    done = subprocess.run([str(checkov), *options, *files], capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["summary"]["passed"] > len(STACKS)
    failed = {(row["check_id"], row["resource"], row["file_path"]) for row in report["results"]["failed_checks"]}
    assert {row for row in failed if row[0] not in CHECKOV} == set()
