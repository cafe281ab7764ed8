"""What pyright's strict mode says of a user's app: nothing. What mypy's says of the same files, ``make types`` shows.

basedpyright is pyright with its Node.js from the package index; in the mode ``strict`` it checks what pyright does.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
APPS = [*sorted((ROOT / "examples" / "platform").rglob("*.py")), ROOT / "tests" / "typed_app.py"]

OWN = """
from aws_cdk import aws_iam as iam, aws_kms as kms

def own(role: iam.Role, key: kms.Key, root: iam.AccountRootPrincipal) -> None:
    a: iam.IRole = role
    b: kms.IKey = key
    c: iam.IPrincipal = root
    print(a, b, c)
"""
"""No signature of ours is in it."""

WRONG = """
from agent_rft import Model
Model.from_hub(1)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What pyright finds in all of them, an ignored error that is none included; one run, as its start takes long."""
    folder = tmp_path_factory.mktemp("pyright")
    (folder / "own.py").write_text(OWN)
    (folder / "wrong.py").write_text(WRONG)
    config = {
        "include": [str(folder), *map(str, APPS)],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "extraPaths": [str(ROOT / name) for name in ("constructs", "lambda", "examples")],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(APPS) + 2
    return list(report["generalDiagnostics"])


def test_pyright_finds_nothing_in_a_users_app(found: list[dict[str, Any]]) -> None:
    inside = [each for each in found if Path(each["file"]) in APPS]
    assert [f"{each['file']}:{each['range']['start']['line'] + 1}: {each['message']}" for each in inside] == []


def test_what_pyright_mislikes_is_aws_cdks_own(found: list[dict[str, Any]]) -> None:
    """So a user writes the interface, or a cast, where pyright runs."""
    assert rules(found, "own.py") == ["reportAssignmentType"] * 3


def test_pyright_is_awake(found: list[dict[str, Any]]) -> None:
    assert rules(found, "wrong.py") == ["reportArgumentType"]


def rules(found: list[dict[str, Any]], name: str) -> list[str]:
    """The rules that the file of that name broke."""
    return [each["rule"] for each in found if Path(each["file"]).name == name]
