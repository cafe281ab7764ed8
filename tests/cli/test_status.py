"""``agent-rft status`` of jobs of every kind."""

import json
import sys
from typing import Any

import pytest
from cli.account import HOUR, Account
from cli.conftest import Run

from agent_rft_cli.report import Report
from agent_rft_cli.terminal import Terminal
from agent_rft_handler.mlflow import Unreadable


def test_a_job_in_training(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR / 2)
    assert run("status", name).out.splitlines() == [
        f"{name} (AgentRFT)",
        "Status    InProgress: Training",
        "Running   30 m 0 s",
        f"Progress  {13 * '█'}{17 * '░'} 45%",
        "          epoch 1 of 2, step 10 of 10",
        "Rollouts  1,152 of 2,560",
        "Billed    train 1,036,800, prefill 5,990,400, sample 1,612,800 tokens",
        "Reward    0.7667 at step 9",
        "",
        "STATUS       SINCE (UTC)          FOR  MESSAGE",
        "Starting     01-15 08:00:00  1 m 12 s  Starting the job",
        "Downloading  01-15 08:01:12  1 m 48 s  Downloading model and input data",
        "Training     01-15 08:03:00  27 m 0 s  Training",
    ]


def test_a_job_that_has_just_begun_shows_what_there_is(account: Account, run: Run) -> None:
    ended = run("status", account.submit())
    assert ended.code == 0
    assert "Reward" not in ended.out
    assert "step 0 of 10" in ended.out


def test_a_completed_job_names_its_model_and_is_at_100_percent(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(2 * HOUR)
    shown = run("status", name).out
    assert "Status    Completed\n" in shown
    assert "Ran       1 h 0 m" in shown
    assert " 100%" in shown
    assert "Model     arn:aws:sagemaker:us-east-1:000000000000:model-package/tuned/1" in shown


def test_a_failed_job_says_why_and_is_not_at_100_percent(account: Account, run: Run) -> None:
    name = account.submit()
    account.ends(name, HOUR * 0.99, reason="A rollout made no sampling call.")
    account.world.clock.sleep(HOUR)
    shown = run("status", name).out
    assert "Reason    A rollout made no sampling call." in shown
    assert " 95%" in shown
    assert "step 10 of 10" in shown


def test_steps_without_epochs(account: Account, run: Run) -> None:
    name = account.submit(max_steps="7")
    account.world.clock.sleep(HOUR / 2)
    assert "          step 4 of 7" in run("status", name).out


def test_json_has_all_of_it_with_times_in_utc(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR / 2)
    found = json.loads(run("status", name, "--json").out)
    assert found["transitions"][2] == {
        "status": "Training",
        "started": "2027-01-15T08:03:00+00:00",
        "ended": None,
        "message": "Training",
    }
    assert found["progress"] == {
        "step": 10,
        "steps": 20,
        "epoch": 1,
        "epochs": 2,
        "steps_per_epoch": 10,
        "fraction": 0.45,
    }
    assert found["rollouts"] == {"total": 2560, "completed": 1152}
    assert found["tokens_billed"] == {"train": 1036800, "prefill": 5990400, "sample": 1612800}
    assert found["reward"] == {"step": 9, "mean": 0.7667}
    assert set(found["mlflow"]) == {"experiment_name", "run_name", "experiment_id", "run_id"}
    assert (found["status"], found["failure_reason"], found["ended"]) == ("InProgress", None, None)


def test_a_reward_that_cannot_be_read_is_a_note(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR / 2)
    account.mlflow_fails = Unreadable("MLflow answers 403: You may not.")
    ended = run("status", name)
    assert ended.code == 0
    assert "Note      The reward cannot be read. MLflow answers 403: You may not" in ended.out


def with_output(account: Account, **output: Any) -> None:
    """Has the service put this out, and nothing else."""
    account.described["JobConfigDocument"] = json.dumps({"ServiceOutput": output})


@pytest.mark.parametrize(
    "document", ["", "no JSON", "[1]", "{}", '{"ServiceOutput": null}', '{"ServiceOutput": {"ProgressInfo": {}}}']
)
def test_a_document_that_says_nothing(account: Account, run: Run, document: str) -> None:
    name = account.submit()
    account.described["JobConfigDocument"] = document
    ended = run("status", name)
    assert ended.code == 0
    assert "Progress  " not in ended.out
    assert json.loads(run("status", name, "--json").out)["progress"] is None


def test_what_nobody_has_heard_of_is_shown_as_it_is(account: Account, run: Run) -> None:
    name = account.submit()
    account.described |= {"SecondaryStatus": "Daydreaming", "JobStatus": "Wondering"}
    with_output(account, BillableTokenUsage={"ThoughtTokenCount": 7}, RolloutInfo={"Total": 3}, News={"a": 1})
    shown = run("status", name).out
    assert "Status    Wondering: Daydreaming" in shown
    assert "Billed    thought 7 tokens" in shown
    assert "Rollouts  - of 3" in shown


def test_the_metrics_of_an_evaluation(account: Account, run: Run) -> None:
    name = account.submit()
    with_output(account, EvaluationMetrics={"reward/mean": 0.51234, "pass@4": {"nested": True}})
    shown = run("status", name).out
    assert "Metric    reward/mean 0.5123" in shown
    assert "Metric    pass@4 {'nested': True}" in shown


def test_transitions_without_an_end_last_until_the_next(account: Account, run: Run) -> None:
    name = account.submit()
    account.world.clock.sleep(HOUR / 2)
    rows = account.client("sagemaker").describe_job(JobName=name, JobCategory="AgentRFT")["SecondaryStatusTransitions"]
    account.described["SecondaryStatusTransitions"] = [
        {key: value for key, value in row.items() if key not in ("EndTime", "StatusMessage")} for row in rows
    ]
    lines = run("status", name).out.splitlines()
    assert lines[-2:] == ["Downloading  01-15 08:01:12  1 m 48 s", "Training     01-15 08:03:00  27 m 0 s"]


def test_of_many_transitions_the_last_are_shown(account: Account, run: Run) -> None:
    name = account.submit()
    account.described["SecondaryStatusTransitions"] = [
        {"Status": "Restarting", "StartTime": account.world.clock.now} for _ in range(100)
    ]
    lines = run("status", name).out.splitlines()
    assert sum(line.startswith("Restarting") for line in lines) == 8
    assert "(92 earlier ones: --json has them all)" in lines


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_longer_than_the_terminal(
    account: Account, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    from agent_rft_cli import rewards, which_job
    from agent_rft_cli.__main__ import parse

    name = account.submit("a-name")
    account.ends(name, HOUR / 2, reason="The agent's runtime was redeployed while the job ran. " * 15)
    account.world.clock.sleep(HOUR)
    job = which_job.find(parse(["status", name]), account).job
    lines = Report(job, *rewards.so_far(job, account)).lines(Terminal(width, is_unicode=True, is_live=False))
    too_long = [line for line in lines if len(line) > width and " " in line.strip()[10:]]
    assert too_long == ([f"{name} (AgentRFT)"] if width == 40 else [])
    assert any("█" in line and line.endswith("%") for line in lines)


def test_control_characters_do_not_reach_the_terminal(account: Account, run: Run) -> None:
    name = account.submit()
    account.ends(name, 0, reason="\x1b[31mred\x1b[0m\r\n\tall over")
    assert "[31mred[0m all over" in run("status", name).out


def test_a_file_has_no_width_and_an_odd_encoding_no_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal.of_stdout()
    assert (terminal.width, terminal.is_live) == (None, False)
    assert sys.stdout is not None
