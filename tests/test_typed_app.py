"""What the type checkers say of a user's app: mypy and pyright, both strict, find nothing in it.

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
APPS = [ROOT / "examples" / "platform" / "app.py", ROOT / "tests" / "typed_app.py"]


def pyright(folder: Path, *files: Path) -> list[dict[str, Any]]:
    """Its findings, an ignored error that is none among them."""
    config = {
        "include": [str(file) for file in files],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "extraPaths": [str(ROOT / "constructs"), str(ROOT / "lambda")],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(files)
    return list(report["generalDiagnostics"])


def test_pyright_finds_nothing_in_a_users_app(tmp_path: Path) -> None:
    found = pyright(tmp_path, *APPS)
    assert [f"{each['file']}:{each['range']['start']['line'] + 1}: {each['message']}" for each in found] == []


def test_what_pyright_mislikes_is_aws_cdks_own(tmp_path: Path) -> None:
    """Without any signature of ours: a user writes the interface, or a cast, where pyright runs."""
    own = tmp_path / "own.py"
    own.write_text(
        "from aws_cdk import aws_iam as iam, aws_kms as kms\n\n\n"
        "def own(role: iam.Role, key: kms.Key, root: iam.AccountRootPrincipal) -> None:\n"
        "    a: iam.IRole = role\n    b: kms.IKey = key\n    c: iam.IPrincipal = root\n    print(a, b, c)\n"
    )
    assert [each["rule"] for each in pyright(tmp_path, own)] == ["reportAssignmentType"] * 3


def test_pyright_is_awake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from agent_rft import Model\nModel.from_hub(1)\n")
    assert [each["rule"] for each in pyright(tmp_path, wrong)] == ["reportArgumentType"]


def test_mypy_finds_nothing_in_a_users_app() -> None:
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, APPS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
