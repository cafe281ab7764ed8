"""``agent-rft watch``: to the job's end, whatever happens on the way."""

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError
from cli.account import HOUR, Account
from cli.conftest import Run

from agent_rft_cli import clock
from agent_rft_handler.facts import AGENT_RFT

EVERY = ("--interval", "300")


def at(account: Account, monkeypatch: pytest.MonkeyPatch, waits: int, do: Callable[[], Any]) -> None:
    """Does something after so many waits."""
    count = iter(range(1, 1000))

    def sleep(seconds: float) -> None:
        account.world.clock.sleep(seconds)
        if next(count) == waits:
            do()

    monkeypatch.setattr(clock, "sleep", sleep)


def test_a_line_for_each_change_and_everything_at_the_end(account: Account, run: Run) -> None:
    name = account.submit()
    ended = run("watch", name, *EVERY)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].startswith("2027-01-15 08:00:00 UTC  InProgress: Starting, epoch 1 of 2, step 0 of 10, 0%")
    assert "InProgress: Training, epoch 2 of 2, step " in ended.out
    rewards = [float(line.split("reward ")[1].split(",")[0]) for line in lines if ", reward " in line]
    assert len(rewards) > 8
    assert rewards == sorted(rewards)
    assert f"{name} (AgentRFT)" in lines
    assert "Status    Completed" in lines


@pytest.mark.parametrize(("status", "code"), [("Completed", 0), ("Failed", 3), ("Stopped", 4)])
def test_the_exit_code_tells_how_the_job_ended(account: Account, run: Run, status: str, code: int) -> None:
    name = account.submit()
    account.ends(name, HOUR / 3, status, "The reason." if status == "Failed" else "")
    ended = run("watch", name, *EVERY)
    assert ended.code == code
    assert ("Reason    The reason." in ended.out) == (status == "Failed")


def test_a_job_that_has_ended_is_shown_at_once(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(2 * HOUR)
    before = account.world.clock.now
    assert run("watch", name).code == 0
    assert account.world.clock.now == before


def test_a_job_whose_deletion_failed_is_not_watched_for_ever(account: Account, run: Run) -> None:
    name = account.submit()
    account.described |= {"JobStatus": "DeleteFailed", "SecondaryStatus": "DeleteFailed"}
    assert run("watch", name).code == 5


@pytest.mark.parametrize("command", [("watch",), ("logs", "--follow")], ids=" ".join)
def test_a_job_that_is_deleted_is_followed_no_longer(account: Account, run: Run, command: tuple[str, ...]) -> None:
    name = account.submit()
    account.world.fail("DescribeJob", "gone")
    store_faults_after_the_first_look(account)
    ended = run(*command, name, *EVERY)
    assert ended.code == 5
    assert ended.err == f"agent-rft: The job {name} was deleted\n"


def store_faults_after_the_first_look(account: Account) -> None:
    """The command's first look is at the job as it is."""
    from agent_rft_local import store

    faults = list(store.behaviour.faults)
    store.behaviour.faults.clear()
    looks = iter(range(1000))
    inner = account.client

    def client(service: str, *operations: str) -> Any:
        made = inner(service, *operations)
        if service == "sagemaker":
            describe = made.describe_job

            def described(**request: Any) -> Any:
                if next(looks) == 1:
                    store.behaviour.faults.extend(faults)
                return describe(**request)

            made.describe_job = described
        return made

    account.client = client  # type: ignore[method-assign]


@pytest.mark.parametrize("kind", ["throttled", "error_before", "reset"])
def test_throttling_and_lost_answers_do_not_end_it(account: Account, run: Run, kind: str) -> None:
    name = account.submit()
    account.world.fail("DescribeJob", kind, times=7)
    store_faults_after_the_first_look(account)
    ended = run("watch", name, *EVERY)
    assert ended.code == 0
    assert "AWS did not answer; the job is as it was then, and is asked for again." in ended.out
    assert "Status    Completed" in ended.out


def test_a_lost_connection_to_mlflow_does_not_end_it(account: Account, run: Run) -> None:
    name = account.submit()
    account.mlflow_fails = EndpointConnectionError(endpoint_url="https://mlflow.sagemaker.us-east-1.app.aws")
    ended = run("watch", name, *EVERY)
    assert ended.code == 0
    assert "The reward cannot be read. Could not connect" in ended.out


def test_a_right_that_is_taken_away_ends_it(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.fail("DescribeJob", "denied")
    store_faults_after_the_first_look(account)
    ended = run("watch", name, *EVERY)
    assert ended.code == 1
    assert ended.err.startswith("agent-rft: ")
    assert "Ask whoever manages your permissions" in ended.err


def test_ctrl_c_leaves_the_job_alone_and_says_so(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = account.submit()

    def interrupt() -> None:
        raise KeyboardInterrupt

    at(account, monkeypatch, 3, interrupt)
    ended = run("watch", name, "--interval", "60")
    assert ended.code == 130
    assert ended.err == f"\nNo longer watching. The job {name} is left alone.\n"
    assert account.status(name) == "InProgress"


def test_json_is_an_object_on_a_line_for_each_change(account: Account, run: Run) -> None:
    name = account.submit()
    ended = run("watch", name, "--json", *EVERY)
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert rows[0]["secondary_status"] == "Starting"
    assert rows[-1]["status"] == "Completed"
    assert len({json.dumps(row) for row in rows}) == len(rows) > 10


def test_a_stop_by_someone_else_is_seen(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = account.submit()
    stop = account.world.sagemaker.stop_job
    at(account, monkeypatch, 3, lambda: stop(JobName=name, JobCategory=AGENT_RFT.name))
    ended = run("watch", name, "--interval", "60")
    assert ended.code == 4
    assert "Stopping" in ended.out


@pytest.mark.parametrize("interval", ["0", "-1", "soon", "inf", "nan"])
def test_an_interval_is_a_time_above_0(run: Run, capsys: pytest.CaptureFixture[str], interval: str) -> None:
    with pytest.raises(SystemExit):
        run("watch", "one", f"--interval={interval}")
    assert "must be a number of seconds above 0" in capsys.readouterr().err


@pytest.mark.parametrize("no_colour", [True, False])
def test_on_a_terminal_the_job_is_shown_in_place(
    account: Account, run: Run, monkeypatch: pytest.MonkeyPatch, no_colour: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "30", "TTY_COMPATIBLE": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NO_COLOR", "1" if no_colour else "")
    shown = run("watch", account.submit(), *EVERY).out
    assert "Status    " in shown
    assert "100%" in shown
    assert ("\x1b[32m" in shown or "\x1b[1;32m" in shown) == (not no_colour)
    assert "\x1b[2K" in shown  # written over


def test_without_rich_a_terminal_gets_lines(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    shown = run("watch", account.submit(), *EVERY).out
    assert "\x1b" not in shown
    assert "UTC  InProgress: Training" in shown
