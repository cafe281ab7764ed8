"""A job changes, and people are told: rule, topic and queue, and a function, with a watcher for each job."""

import json
import time
from typing import Any

import pytest
from deploy import apps
from deployment import Deployment

MACHINE = "AWS::StepFunctions::StateMachine"


@pytest.fixture
def told(changing: Deployment) -> Deployment:
    """Stacks that tell; waits take a fiftieth of their time."""
    changing.aws.set(wait_scale=0.02)
    return changing.declared_by(apps.told)


def received(deployment: Deployment, queue: str, at_least: int, seconds: float = 20) -> list[str]:
    """The messages in the queue once there are so many, and what still comes right after them."""
    sqs, url = deployment.aws.client("sqs"), deployment.outputs()[f"{queue}Url"]
    found: list[str] = []
    end = time.monotonic() + seconds
    while len(found) < at_least and time.monotonic() < end:
        found += _taken(sqs, url)
        time.sleep(0.1)
    time.sleep(1)
    return found + _taken(sqs, url)


def _taken(sqs: Any, url: str) -> list[str]:
    rows = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    for row in rows:
        sqs.delete_message(QueueUrl=url, ReceiptHandle=row["ReceiptHandle"])
    return [row["Body"] for row in rows]


def changes(deployment: Deployment, at_least: int) -> list[tuple[str, str, str]]:
    """Which job went from which status to which."""
    details = [json.loads(each)["detail"] for each in received(deployment, "Changes", at_least)]
    return sorted((each["JobName"], each["PreviousJobStatus"], each["JobStatus"]) for each in details)


def executions(deployment: Deployment) -> dict[str, str]:
    """The status of each watcher by its job's name."""
    rows = deployment.aws.client("stepfunctions").list_executions(stateMachineArn=deployment.physical_id(MACHINE))
    return {row["name"]: row["status"] for row in rows["executions"]}


def settled(deployment: Deployment) -> dict[str, str]:
    end = time.monotonic() + 20
    while "RUNNING" in executions(deployment).values() and time.monotonic() < end:
        time.sleep(0.1)
    return executions(deployment)


def done_by(deployment: Deployment, role: str) -> list[str]:
    """The actions of the role's sessions, each time that they did it."""
    session = f"assumed-role/{deployment.physical_id('AWS::IAM::Role', role)}/"
    return [row["action"] for row in deployment.aws.iam_log() if session in row["principal"]]


def used_by(deployment: Deployment, role: str) -> set[str]:
    """The actions that the role's sessions did."""
    return set(done_by(deployment, role))


def denied(deployment: Deployment) -> list[dict[str, Any]]:
    """What this stack's roles were denied; a role's name starts with its stack's."""
    start = f"assumed-role/{deployment.stack[:24]}"
    return [row for row in deployment.aws.iam_log() if start in row["principal"] and not row["allowed"]]


def test_a_job_that_completes_is_told_to_the_topics_queue_and_to_the_function(told: Deployment) -> None:
    told.aws.set(job_seconds=6)
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    job = told.outputs()["JobName"]
    assert received(told, "Messages", 1) == [f'"The job {job} is Completed. "']
    assert changes(told, 2) == [(job, "", "InProgress"), (job, "InProgress", "Completed")]
    assert settled(told) == {job: "SUCCEEDED"}


def test_a_job_that_ends_before_its_watcher_looks_is_told_once_with_its_reason(told: Deployment) -> None:
    told.aws.set(job_seconds=0, outcome="Failed", failure_reason="out of tokens")
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    job = told.outputs()["JobName"]
    assert changes(told, 1) == [(job, "", "Failed")]
    assert received(told, "Messages", 1) == [f'"The job {job} is Failed. out of tokens"']
    assert settled(told) == {job: "FAILED"}


def test_a_job_that_is_replaced_is_told_stopped_and_the_next_one_has_its_own_watcher(told: Deployment) -> None:
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    first = told.outputs()["JobName"]
    assert changes(told, 1) == [(first, "", "InProgress")]
    told.aws.set(job_seconds=8)
    assert told.deploy(epochs="2") == "UPDATE_COMPLETE", told.reasons()
    second = told.outputs()["JobName"]
    assert settled(told) == {first: "SUCCEEDED", second: "SUCCEEDED"}
    found = changes(told, 3)  # a fourth, Stopping, where a look falls into it
    assert {(second, "", "InProgress"), (second, "InProgress", "Completed")} <= set(found)
    assert "Stopped" in [status for name, _, status in found if name == first]
    assert len({(name, status) for name, _, status in found}) == len(found)


def test_a_rolled_back_deployment_leaves_no_watcher_and_no_job(told: Deployment) -> None:
    assert told.deploy(broken="1") == "ROLLBACK_COMPLETE"
    (status,) = told.jobs().values()
    assert status in ("Stopping", "Stopped")
    machines = told.aws.client("stepfunctions").list_state_machines()["stateMachines"]
    assert not [each for each in machines if told.stack in each["name"]]


def test_notifications_may_be_taken_away_and_come_back_while_the_job_runs(told: Deployment) -> None:
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    job = told.outputs()["JobName"]
    assert told.deploy(silent="1") == "UPDATE_COMPLETE", told.reasons()
    assert told.deploy() == "UPDATE_COMPLETE", told.reasons()
    assert told.jobs() == {job: "InProgress"}
    assert executions(told) == {job: "RUNNING"}


def test_what_watches_is_denied_nothing_and_uses_all_that_it_is_granted(told: Deployment) -> None:
    told.aws.set(job_seconds=1)
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    settled(told)
    assert denied(told) == []
    assert used_by(told, "LookRole") == {"sagemaker:DescribeJob"}
    assert used_by(told, "WatchRole") == {"lambda:InvokeFunction", "events:PutEvents"}
    assert "states:StartExecution" in used_by(told, "HandlerRole")
    sent = done_by(told, "WatchRole").count("events:PutEvents")
    assert len(changes(told, sent)) == sent  # the function has told of each before it loses its right to
    told.deploy(silent="1")
    assert denied(told) == []
