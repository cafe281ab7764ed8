import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from deployment import in_progress
from handler.world import World
from hypothesis import settings

from agent_rft_local import LocalAws, store
from agent_rft_local.local_aws import node

# jsii looks for Node.js when aws_cdk is first used; on PATH there may be none, or an old one
os.environ.setdefault("JSII_NODE", node())
# CDK would judge every template at every synth: tests/security/test_cdk_validation.py has it do so once
os.environ.setdefault("CDK_VALIDATION", "false")

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of the code's
settings.load_profile("untimed")


ROOT = Path(__file__).parents[1]
OLD_BOTO3 = "boto3==1.34.0"


@pytest.fixture(scope="session")
def old_python() -> Path:
    """An interpreter with an old boto3, kept between runs."""
    venv = ROOT / ".cache" / "old-boto3"
    python = venv / "bin" / "python"
    if not (venv / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", OLD_BOTO3], check=True)
        (venv / "installed").write_text(OLD_BOTO3)
    return python


@pytest.fixture(scope="module", autouse=True)
def no_job_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A job that a module leaves running takes the quota of whichever comes next: the module that left it fails."""
    tests = [item for item in request.session.items if item.getparent(pytest.Module) is request.node]
    if not any("local_aws_session" in getattr(item, "fixturenames", ()) for item in tests):
        yield
        return
    aws: LocalAws = request.getfixturevalue("local_aws_session")
    yield
    running = in_progress(aws)
    aws.settle()
    assert running == []


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A fresh account whose time stands still."""
    world = World()
    monkeypatch.setattr(store, "clock", lambda: world.clock.now)
    return world


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors, as one of three waits: for a stack, a job's seconds, a name that nobody answers for."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what starts the local AWS; where several processes share the tests, one computes while another waits."""
    for item in items:
        if {"local_aws_session", "bare_aws_session"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.deploy)
    if hasattr(config, "workerinput"):
        items[:] = _mixed(items)


def _mixed(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The files that wait, spread evenly among those that compute; of either, what takes longest is not at the end."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [each for each in files.values() if any(map(_waits, each))]
    computing = [each for each in reversed(files.values()) if each not in waiting]
    placed = [(place / len(group), each) for group in (waiting, computing) for place, each in enumerate(group)]
    for _, each in sorted(placed, key=lambda one: one[0]):
        yield from each


def _waits(item: pytest.Item) -> bool:
    return any(item.iter_markers("deploy")) or any(item.iter_markers("slow"))
