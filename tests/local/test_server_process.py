"""The server's process: its files lie in one folder, and nothing is left of it, however its starter ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_rft_local import LocalAws, server_process
from agent_rft_local.start_key import StartKey

pytestmark = pytest.mark.deploy

TESTS = Path(__file__).parents[1]

STARTER = """
import signal
from agent_rft_local import LocalAws
from local.stacks import create, custom_resource

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what it runs in the background ignore it
with LocalAws.start() as aws:
    create(aws, "warm", custom_resource())
    print(aws.process.process_group, aws.directory, flush=True)
    aws.cdk("synth", app=f"echo > {aws.directory}/app-runs; sleep 600", cwd=aws.directory)
"""
"""A run in the middle of its work: a function is warm, and the CDK waits for its app."""


def commands(group: int) -> str:
    """The command lines of the process group's processes."""
    rows = subprocess.run(
        ["ps", "-ww", "-A", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    found = [row.split(maxsplit=2) for row in rows.splitlines()]
    return "\n".join(row[2] for row in found if row[0] == str(group) and not row[1].startswith("Z"))


def becomes_true(holds: Callable[[], bool]) -> bool:
    """Whether it does before long."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda each: each.name)
def test_a_killed_run_leaves_no_process_and_no_file(sent: signal.Signals) -> None:
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-c", STARTER]
    starter = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert starter.stdout is not None
        group, directory = starter.stdout.readline().split()
        assert becomes_true((Path(directory) / "app-runs").exists)
        running = commands(int(group))
        assert all(part in running for part in ("leash", "worker", "aws-cdk/bin/cdk", "sleep 600")), running
        starter.send_signal(sent)
        starter.communicate(timeout=60)
    finally:
        starter.kill()
    assert becomes_true(lambda: not commands(int(group)) and not Path(directory).exists())


def test_its_files_are_the_users_alone_and_go_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with LocalAws.start() as aws:
        aws.client("s3").create_bucket(Bucket="filled")
        assert aws.directory.stat().st_mode & 0o777 == 0o700
        assert aws.directory.parent == Path(tempfile.gettempdir()).resolve()
    assert not aws.directory.exists()
    assert list(tmp_path.iterdir()) == []


def test_what_the_cdk_looked_up_here_does_not_stay_in_the_project(local_aws: LocalAws, tmp_path: Path) -> None:
    project, context = tmp_path, tmp_path / "cdk.context.json"
    local_aws.cdk("acknowledge", "1", cwd=project)
    assert list(project.iterdir()) == []
    context.write_text(json.dumps({"looked-up": "in the user's account"}))
    local_aws.cdk("acknowledge", "1", cwd=project)
    assert json.loads(context.read_text()) == {"looked-up": "in the user's account"}


def test_a_port_that_is_taken_is_said_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"), LocalAws.start(port=port):
            pass


def test_a_server_that_cannot_start_says_why() -> None:
    settings = {"PYTHONHOME": "/nowhere"}
    with (
        pytest.raises(RuntimeError, match=r"(?s)ended at once.*PYTHONHOME"),
        server_process.started(StartKey.make(), settings=settings),
    ):
        pass
