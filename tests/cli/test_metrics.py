"""``agent-rft metrics`` and ``open``, and the curve."""

import csv
import io
import json
import math
import sys
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from cli.account import HOUR, Account
from cli.conftest import Run
from cli.test_status import with_output

from agent_rft_cli import chart
from agent_rft_cli.commands.metrics import SDK_METRICS
from agent_rft_cli.progress import Progress
from agent_rft_cli.text import duration, number, snake
from agent_rft_handler.mlflow import Fetch, MlflowRun, Point, Unreadable, fetcher


def trained(account: Account) -> str:
    """A job that has run to its end."""
    name = account.submit()
    account.world.clock.sleep(2 * HOUR)
    return name


def test_a_row_for_each_step_and_the_reward_as_a_curve(account: Account, run: Run) -> None:
    lines = run("metrics", trained(account)).out.splitlines()
    assert lines[0].split("  ")[0] == "STEP"
    assert [int(line.split()[0]) for line in lines[1:21]] == list(range(1, 21))
    assert lines[1].split() == ["1", "0.2254", "4", "115,200", "128"]
    assert lines[22] == "rollout/reward/mean"
    assert lines[23].startswith("0.9552 │")
    assert lines[-2].startswith("0.2254 │")
    assert lines[-1].split() == ["step", "1", "20"]


def test_json_csv_and_png_have_every_step(account: Account, run: Run, tmp_path: Path) -> None:
    name = trained(account)
    files = tmp_path / "m.csv", tmp_path / "m.png"
    found = json.loads(run("metrics", name, "--json", "--csv", str(files[0]), "--png", str(files[1])).out)
    assert (found["job"], len(found["steps"])) == (name, 20)
    assert set(found["steps"][0]) == {"step", *SDK_METRICS}
    rows = list(csv.DictReader(files[0].read_text().splitlines()))
    assert [float(row["rollout/reward/mean"]) for row in rows] == [
        step["rollout/reward/mean"] for step in found["steps"]
    ]
    assert files[1].read_bytes().startswith(b"\x89PNG")
    assert list(csv.DictReader(io.StringIO(run("metrics", name, "--csv", "-").out))) == rows


def test_the_metrics_that_are_asked_for(account: Account, run: Run) -> None:
    name = trained(account)
    shown = run("metrics", name, "--metric", "rollout/turns/mean", "--last", "2").out.splitlines()
    assert shown[:3] == ["STEP  TURNS/MEAN", "  19           4", "  20           4"]
    assert run("metrics", name, "--all").out.startswith("STEP  REWARD/MEAN")
    said = f"The job {name} has logged no metric nothing. --all shows every one that there is.\n"
    assert run("metrics", name, "--metric", "nothing").out == said


def test_a_job_that_has_logged_nothing_yet(account: Account, run: Run, tmp_path: Path) -> None:
    name = account.submit()
    assert run("metrics", name).out == f"The job {name} has logged no metrics yet.\n"
    assert json.loads(run("metrics", name, "--json").out)["steps"] == []
    assert run("metrics", name, "--csv", "-").out == "step\n"
    assert "nothing yet that could be drawn" in run("metrics", name, "--png", str(tmp_path / "x")).err


def test_an_evaluations_metrics_are_those_that_the_service_puts_out(account: Account, run: Run) -> None:
    name = account.submit()
    with_output(account, EvaluationMetrics={"reward/mean": 0.5})
    assert run("metrics", name).out == "reward/mean  0.5000\n"


def test_mlflow_that_cannot_be_read_is_a_failure_here(account: Account, run: Run) -> None:
    name = trained(account)
    account.mlflow_fails = Unreadable("MLflow answers 403: You may not.")
    assert run("metrics", name).err == "agent-rft: MLflow answers 403: You may not\n"


def test_a_png_without_matplotlib_names_the_extra(
    account: Account, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = trained(account)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "pip install 'cdk-agent-rft[plot]'" in run("metrics", name, "--png", str(tmp_path / "x.png")).err


def test_a_table_that_does_not_fit_has_fewer_columns(
    account: Account, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = trained(account)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("metrics", name).out.splitlines()
    assert max(map(len, lines)) <= 40
    assert "(2 more: --csv, --json)" in lines


@pytest.mark.parametrize("option", ["--csv", "--png"])
def test_a_file_that_cannot_be_written(account: Account, run: Run, tmp_path: Path, option: str) -> None:
    path = tmp_path / "nowhere" / "file"
    ended = run("metrics", trained(account), option, str(path))
    assert (ended.code, ended.err) == (1, f"agent-rft: {path}: No such file or directory\n")


def test_figures_that_are_none_are_null_in_json_and_not_drawn(account: Account, run: Run) -> None:
    name = trained(account)
    inner = account.mlflow

    def mlflow(app_arn: str) -> Fetch:
        def fetch(operation: str, query: dict[str, str]) -> Any:
            found = inner(app_arn)(operation, query)
            for each in found.get("metrics", []):
                each["value"] = "NaN" if each["step"] == 3 else each["value"]
            return found

        return fetch

    account.mlflow = mlflow  # type: ignore[method-assign]
    assert json.loads(run("metrics", name, "--json").out)["steps"][2]["rollout/reward/mean"] is None
    assert run("metrics", name).out.splitlines()[3].split()[1] == "nan"


def test_of_a_step_that_was_logged_twice_the_last_value_counts() -> None:
    pages = {"": ([(1, 0.1), (2, 0.2)], "x"), "x": ([(2, 0.9)], None)}

    def fetch(_operation: str, query: dict[str, str]) -> dict[str, object]:
        values, token = pages[query.get("page_token", "")]
        return {"metrics": [{"step": step, "value": value} for step, value in values], "next_page_token": token}

    assert MlflowRun("id", fetch).history("m") == [Point(1, 0.1), Point(2, 0.9)]


@pytest.mark.parametrize(
    ("arn", "said"),
    [
        ("arn:aws:sagemaker:us-east-1:111122223333:mlflow-tracking-server/x", "is not an MLflow app"),
        ("arn:aws-cn:sagemaker:cn-north-1:111122223333:mlflow-app/app-1", "partition aws-cn"),
    ],
)
def test_where_mlflow_is_not_known_to_be(arn: str, said: str) -> None:
    from botocore.credentials import Credentials

    with pytest.raises(Unreadable, match=said):
        fetcher(arn, Credentials("a", "b"))


@pytest.mark.parametrize("is_unicode", [True, False])
@pytest.mark.parametrize("width", [40, 72])
@pytest.mark.parametrize(
    "values", [[0.5], [1.0, 1.0, 1.0], [0, 1], [-5, 3, -2], [math.sin(i / 9) for i in range(1000)]], ids=len
)
def test_a_curve_fits_and_has_no_gap(values: list[float], width: int, is_unicode: bool) -> None:
    lines = chart.curve([Point(i + 1, value) for i, value in enumerate(values)], width, 12, is_unicode=is_unicode)
    assert len(lines) == 13
    assert all(len(line) <= width for line in lines)
    drawn = [line.split("│" if is_unicode else "|")[1] for line in lines[:-1]]
    columns = max(map(len, drawn))
    assert all(any(row[column : column + 1].strip() for row in drawn) for column in range(columns))
    assert columns > width - 12


def test_the_links(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = trained(account)
    found = json.loads(run("open", name, "--json", "--studio-domain", "d-1").out)
    region = "us-east-1.console.aws.amazon.com/cloudwatch/home?region=us-east-1#logsV2"
    assert found["log"].startswith(f"https://{region}:log-groups/log-group/$252Faws$252Fsagemaker$252FJob$252FAgentRFT")
    assert found["studio"] == f"https://studio-d-1.studio.us-east-1.sagemaker.aws/jobs/{name}"
    assert "/auth?authToken=" in found["mlflow"]
    assert "#/experiments/" in found["mlflow"]
    assert found["mlflow"].endswith("?workspace=default")
    opened: list[str] = []

    def browse(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    assert run("open", name).code == 0
    assert opened == []
    assert run("open", name, "--browser", "log").code == 0
    assert opened == [found["log"]]
    assert "goes with --studio-domain" in run("open", name, "--browser", "studio").err


def test_a_link_to_mlflow_that_is_refused_leaves_the_others(account: Account, run: Run) -> None:
    name = trained(account)
    account.world.fail("CreatePresignedMlflowAppUrl", "denied", times=3)
    shown = run("open", name)
    assert shown.code == 0
    assert "No link to MLflow: " in shown.out
    assert shown.out.startswith("log  https://")


@pytest.mark.parametrize(
    ("info", "done", "words"),
    [
        (
            {"MaxEpoch": 4, "StepsPerEpoch": 10, "CurrentEpoch": 2, "CurrentStep": 3},
            12 / 40,
            "epoch 2 of 4, step 3 of 10",
        ),
        ({"MaxEpoch": 4, "StepsPerEpoch": 10}, 0, "epoch 0 of 4, step 0 of 10"),
        ({"MaxSteps": 40, "CurrentStep": 12}, 11 / 40, "step 12 of 40"),
        ({"MaxSteps": 4, "CurrentStep": 12}, 1, "step 12 of 4"),
    ],
)
def test_the_share_that_is_done_is_the_sdks_sum(info: dict[str, int], done: float, words: str) -> None:
    progress = Progress.of(info)
    assert progress is not None
    assert (progress.fraction(is_complete=False), progress.words()) == (done, words)


@pytest.mark.parametrize("info", [{}, {"CurrentStep": 3}, {"MaxEpoch": 2}, {"News": 1}])
def test_progress_of_no_known_form_is_none(info: dict[str, int]) -> None:
    assert Progress.of(info) is None


def test_words_and_figures() -> None:
    from datetime import timedelta

    spans = [timedelta(seconds=each) for each in (0, 59.6, 185, 45600, -5)]
    assert [duration(each) for each in spans] == ["0 s", "1 m 0 s", "3 m 5 s", "12 h 40 m", "0 s"]
    assert [number(each) for each in (1234567, 0.5, 1e-05, 2.0, "x\x1b", True)] == [
        "1,234,567",
        "0.5000",
        "1e-05",
        "2",
        "x",
        "True",
    ]
    assert snake("TrainTokenCount") == "train_token_count"
