"""The script ``agent-rft`` in an installation without the extra that brings boto3."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_rft_cli import init
from agent_rft_cli.version import version

ROOT = Path(__file__).parents[2]
SOURCES = [str(ROOT / root) for root in ("lambda", "local", "cli")]
WITHOUT_BOTO3 = (
    f"import sys; sys.path[:0] = {SOURCES}; sys.modules['boto3'] = sys.modules['botocore'] = None; "
    "from agent_rft_cli.entry import main; sys.exit(main())"
)


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", WITHOUT_BOTO3, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_without_boto3_an_app_is_written_and_nothing_overwritten(tmp_path: Path) -> None:
    first, second = run(tmp_path, "init", "app"), run(tmp_path, "init", "app")
    assert (first.returncode, first.stderr) == (0, "")
    assert (tmp_path / "app" / "cdk.json").exists()
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.endswith("is there already. Name an empty folder, or a new one.\n")


def test_without_boto3_there_is_the_version_that_a_bug_report_asks_for(tmp_path: Path) -> None:
    done = run(tmp_path, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"agent-rft {version()}\n"


def test_init_says_what_brings_node_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "node").write_text("#!/bin/sh\n")
    (tmp_path / "node").chmod(0o755)
    hint = "pip install 'cdk-agent-rft[local]'"
    monkeypatch.setenv("PATH", str(tmp_path))
    init.run(tmp_path / "with")
    assert hint not in capsys.readouterr().out
    monkeypatch.setenv("PATH", "")
    init.run(tmp_path / "without")
    assert hint in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "extra"), [(["models"], "cli"), (["local", "serve"], "local"), ([], "cli")])
def test_what_needs_boto3_names_the_extra_that_brings_it(tmp_path: Path, arguments: list[str], extra: str) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"pip install 'cdk-agent-rft[{extra}]'" in done.stderr


def test_with_boto3_every_command_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    from agent_rft_cli.entry import main

    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "models" in capsys.readouterr().out


def test_without_fork_as_on_windows_the_local_aws_says_where_it_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from agent_rft_cli.entry import main

    monkeypatch.delattr(os, "fork")
    with pytest.raises(SystemExit) as ended:
        sys.exit(main(["local", "serve"]))
    assert ended.value.code == 1
    assert "runs on Linux and macOS. On Windows, run it in WSL\n" in capsys.readouterr().err
