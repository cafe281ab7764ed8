"""A dashboard shows what there is of a job, whichever is declared first."""

import json
from typing import Any

from aws_cdk import App, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_sns as sns
from synth.app import REGION, Synthesized, stack_of, trainer

from agent_rft import JobDashboard, MultiTurnRLTrainer
from agent_rft_handler.facts import AGENT_RFT

DASHBOARD = "AWS::CloudWatch::Dashboard"


def widgets(stack: Stack) -> list[dict[str, Any]]:
    """The properties of each widget; a token is its logical id or what it reads of it, in angle brackets."""
    ((_, resource),) = Synthesized(stack).resources(DASHBOARD).items()
    body = resource["Properties"]["DashboardBody"]
    parts = body["Fn::Join"][1] if isinstance(body, dict) else [body]
    return [each["properties"] for each in json.loads("".join(map(_text, parts)))["widgets"]]


def _text(part: Any) -> str:
    if isinstance(part, str):
        return part
    ((_, value),) = part.items()
    return f"<{'.'.join(value) if isinstance(value, list) else value}>"


def metrics(stack: Stack) -> list[tuple[str, str]]:
    """Namespace and name of every metric."""
    shown = [metric for each in widgets(stack) for metric in each.get("metrics", [])]
    return [(metric[0], metric[1]) for metric in shown]


HANDLER = [("AWS/Lambda", name) for name in ("Errors", "Throttles", "Duration")]
WATCHER = [("AWS/States", name) for name in ("ExecutionsFailed", "ExecutionTime")]


def test_a_trainers_log_and_its_handler() -> None:
    stack = stack_of()
    JobDashboard(stack, "Dashboard", job=trainer(stack))
    text, log, *_ = widgets(stack)
    assert "`<TrainerJob5D55E165.JobName>`" in text["markdown"]
    assert (log["region"], log.get("accountId")) == (REGION, None)
    assert log["query"].startswith(f"SOURCE '{AGENT_RFT.log_group_name}' | fields @timestamp, @message")
    assert "filter @logStream like /^<TrainerJob5D55E165.JobName>\\//" in log["query"]
    assert metrics(stack) == HANDLER


def test_the_watcher_of_notifications_that_are_asked_for_later() -> None:
    stack = stack_of()
    job = trainer(stack)
    JobDashboard(stack, "Dashboard", job=job)
    job.notify(sns.Topic(stack, "Topic"))
    assert metrics(stack) == [*WATCHER, *HANDLER]


def test_a_job_from_elsewhere_has_its_log_there_and_no_handler_here() -> None:
    stack = stack_of()
    job = MultiTurnRLTrainer.from_job_arn(stack, "Job", "arn:aws:sagemaker:us-east-1:444455556666:job/AgentRFT/earlier")
    JobDashboard(stack, "Dashboard", job=job)
    _, log = widgets(stack)
    assert (log["region"], log["accountId"]) == ("us-east-1", "444455556666")
    assert metrics(stack) == []
    assert len(Synthesized(stack).json["Resources"]) == 1


def test_two_jobs_on_a_dashboard_of_another_stack() -> None:
    app = App()
    stack, other = stack_of(app), stack_of(app, "Other")
    jobs = trainer(stack), trainer(stack, "Second")
    dashboard = cloudwatch.Dashboard(other, "Ours", dashboard_name="ours")
    shown = [JobDashboard(other, f"Job{number}", job=job, dashboard=dashboard) for number, job in enumerate(jobs)]
    assert [each.dashboard for each in shown] == [dashboard, dashboard]
    assert [each["title"] for each in widgets(other) if "query" in each] == ["The job's log"] * 2
    assert metrics(other) == HANDLER * 2
