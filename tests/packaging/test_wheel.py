"""The built wheel in a clean environment and another folder: the same asset, byte for byte."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

PROBE = """
import json, sys, zipfile, io, pathlib
import agent_rft, agent_rft_handler, constructs
from aws_cdk import App, Stack
from agent_rft import MultiTurnRLTrainer
app = App(outdir=sys.argv[1])
stack = Stack(app, "S")
MultiTurnRLTrainer(stack, "Trainer", model="openai-reasoning-gpt-oss-20b", agent_env="my-AbCdEfGhIj",
                   training_dataset="s3://data-bkt/train.parquet")
app.synth()
assets = [p for p in pathlib.Path(sys.argv[1]).glob("asset.*") if (p / "agent_rft_handler").is_dir()]
files = {str(f.relative_to(assets[0])): f.read_bytes() for f in sorted(assets[0].rglob("*")) if f.is_file()}
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, data in files.items():
        archive.writestr(name, data)
print(json.dumps({"agent_rft": agent_rft.__file__, "constructs": constructs.__file__, "asset": assets[0].name,
                  "files": {name: data.hex() for name, data in files.items()}, "zipped": len(buffer.getvalue())}))
"""


def node() -> str:
    from agent_rft_local.local_aws import node

    return node()


def probe(python: str, directory: Path, **environment: str) -> dict[str, object]:
    """Synthesizes a stack with that interpreter, in that directory."""
    done = subprocess.run(
        [python, "-c", PROBE, str(directory / "cdk.out")],
        cwd=directory,
        env={**{name: os.environ[name] for name in ("PATH", "CDK_VALIDATION")}, "JSII_NODE": node(), **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


def test_the_wheel_holds_our_packages_and_nothing_at_the_top_that_clashes(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"agent_rft", "agent_rft_handler", "agent_rft_local", "agent_rft_cli"}
    assert {
        "agent_rft/py.typed",
        "agent_rft/data/recipe_tables.json",
        "agent_rft_handler/models/sagemaker/2017-07-24/service-2.json",
    } <= set(names)
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_asset_is_the_same_from_the_wheel_and_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = str(venv / "bin" / "python")
    site = next((venv / "lib").glob("python*")) / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # the dependencies' folder by its path: a .pth in it, like our own editable install, is not followed
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    installed_at, checkout_at = tmp_path / "a", tmp_path / "b"
    installed_at.mkdir()
    checkout_at.mkdir()
    installed = probe(python, installed_at)
    checkout = probe(sys.executable, checkout_at, PYTHONDONTWRITEBYTECODE="1")
    assert str(installed["agent_rft"]).startswith(str(site))
    assert str(checkout["agent_rft"]).startswith(str(ROOT))
    assert "site-packages/constructs/" in str(installed["constructs"])
    assert (installed["asset"], installed["files"]) == (checkout["asset"], checkout["files"])


def test_the_asset_holds_only_the_handler_and_is_small(tmp_path: Path) -> None:
    found = probe(sys.executable, tmp_path)
    files = found["files"]
    assert isinstance(files, dict)
    assert all(name.startswith("agent_rft_handler/") and name.endswith((".py", ".json")) for name in files)
    assert isinstance(found["zipped"], int)
    assert found["zipped"] <= 87 * 1024  # `make bench ONLY=asset` says what it would be without docstrings
