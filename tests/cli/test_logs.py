"""``agent-rft logs`` of a job that writes to several streams."""

import json
from typing import Any

import pytest
from cli.account import HOUR, Account
from cli.conftest import Run

from agent_rft_cli import clock

STEPS = 20
PHASES = ["Starting the job", "Downloading model and input data", "Training", "Uploading the model"]


def messages(out: str) -> list[str]:
    """The lines without their times."""
    return [line.partition("  ")[2] for line in out.splitlines()]


def test_every_stream_in_the_order_of_time(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR)
    ended = run("logs", name)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines == sorted(lines, key=lambda line: line[:19])
    assert [each for each in messages(ended.out) if not each.startswith("step")] == [*PHASES, "The job is Completed"]
    assert sum(each.startswith("step") for each in messages(ended.out)) == STEPS
    assert lines[0] == "2027-01-15 08:00:00  Starting the job"


def test_the_last_lines_and_json(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR)
    assert messages(run("logs", name, "--tail", "2").out)[-1] == "The job is Completed"
    rows = [json.loads(line) for line in run("logs", name, "--json", "--tail", "2").out.splitlines()]
    assert rows[-1] == {
        "time": "2027-01-15T09:00:00+00:00",
        "stream": f"{name}/training",
        "message": "The job is Completed\n",
    }


@pytest.mark.parametrize("interval", ["60", "700"])
def test_following_prints_each_line_once_and_ends_with_the_job(account: Account, run: Run, interval: str) -> None:
    name = account.submit()
    ended = run("logs", name, "--follow", "--interval", interval)
    assert (ended.code, ended.err) == (0, "")
    whole = run("logs", name).out
    assert sorted(ended.out.splitlines()) == sorted(whole.splitlines())


def test_following_goes_on_when_aws_does_not_answer(account: Account, run: Run) -> None:
    name = account.submit()
    looks = iter(range(1000))
    inner = account.client

    def client(service: str, *operations: str) -> Any:
        made = inner(service, *operations)
        if service == "sagemaker":
            describe = made.describe_job

            def described(**request: str) -> Any:
                if next(looks) in (1, 2, 5):
                    account.world.fail("DescribeJob", "throttled")
                return describe(**request)

            made.describe_job = described
        return made

    account.client = client  # type: ignore[method-assign]
    ended = run("logs", name, "--follow", "--interval", "300")
    assert ended.code == 0
    assert messages(ended.out)[-1] == "The job is Completed"


def test_a_job_without_a_log_yet(account: Account, run: Run) -> None:
    name = account.submit()
    account.described["JobName"] = "another"
    ended = run("logs", name)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "The job another has written no log yet.\n"


def test_another_job_whose_name_begins_with_this_ones_is_none_of_it(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR)
    account.described["JobName"] = name[:-3]
    assert run("logs", name).out == ""


def test_ctrl_c_leaves_the_job_alone(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = account.submit()

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(clock, "sleep", interrupted)
    ended = run("logs", name, "--follow")
    assert ended.code == 130
    assert ended.err == f"\nNo longer following. The job {name} is left alone.\n"
