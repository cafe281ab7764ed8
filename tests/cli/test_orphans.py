"""``agent-rft jobs --orphans`` against queued answers."""

import io
import json
from collections.abc import Callable

import pytest
from cli.conftest import Stubs
from cli.test_jobs import job
from handler.world import STACK_ID

from agent_rft_cli.__main__ import main
from agent_rft_handler.facts import OWN_TAGS

RUNNING = {"JobCategory": "AgentRFT", "StatusEquals": "InProgress", "MaxResults": 100}
ALL_KNOWN = "Every AgentRFT job that runs is known to its stack.\n"


def ours(stubs: Stubs, name: str, status: str, known: str | None) -> None:
    """One running job of ours, and what CloudFormation says of its stack."""
    tags = [{"Key": OWN_TAGS["stack"], "Value": STACK_ID}, {"Key": OWN_TAGS["resource"], "Value": "Job"}]
    stubs.expect("sagemaker", "list_jobs", RUNNING, {"JobSummaries": [job(name)]})
    stubs.expect("sagemaker", "list_tags", {"ResourceArn": job(name)["JobArn"]}, {"Tags": tags})
    stack = {"StackName": "Wordle", "CreationTime": job(name)["CreationTime"], "StackStatus": status}
    stubs.expect("cloudformation", "describe_stacks", {"StackName": STACK_ID}, {"Stacks": [stack]})
    if known is None:
        return
    asked = {"StackName": STACK_ID, "LogicalResourceId": "Job"}
    if not known:
        stubs.refuse("cloudformation", "describe_stack_resource", "ValidationError", "Resource Job does not exist")
        return
    detail = {
        "LogicalResourceId": "Job",
        "PhysicalResourceId": known,
        "ResourceType": "Custom::AgentRFTJob",
        "ResourceStatus": "UPDATE_COMPLETE",
        "LastUpdatedTimestamp": job(name)["CreationTime"],
    }
    stubs.expect("cloudformation", "describe_stack_resource", asked, {"StackResourceDetail": detail})


@pytest.mark.parametrize(
    ("status", "known", "why"),
    [
        ("DELETE_COMPLETE", None, f"Its stack is DELETE_COMPLETE: {STACK_ID}."),
        ("UPDATE_COMPLETE", "other", f"Its stack knows Job as other: {STACK_ID}."),
        ("UPDATE_ROLLBACK_COMPLETE", "", f"Its stack knows Job as nothing: {STACK_ID}."),
    ],
)
def test_a_job_that_its_stack_does_not_know_is_shown_with_why(
    stubs: Stubs, output: Callable[..., str], status: str, known: str | None, why: str
) -> None:
    ours(stubs, "one", status, known)
    (row,) = json.loads(output("jobs", "--orphans", "--json"))
    assert (row["name"], row["why"]) == ("one", why)


@pytest.mark.parametrize(
    ("status", "known"),
    [
        ("UPDATE_COMPLETE", "one"),
        ("UPDATE_IN_PROGRESS", "former"),
        ("UPDATE_COMPLETE", "s3://results/queues/Wordle-Queue-0123abcd/#0a1b"),  # a queue, which stops its own
    ],
)
def test_a_job_that_its_stack_knows_or_is_about_to_know_is_none(
    stubs: Stubs, output: Callable[..., str], status: str, known: str
) -> None:
    ours(stubs, "one", status, known)
    assert output("jobs", "--orphans") == ALL_KNOWN


def test_a_job_of_another_tool_is_none(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect("sagemaker", "list_jobs", RUNNING, {"JobSummaries": [job("one")]})
    stubs.expect("sagemaker", "list_tags", {"ResourceArn": job("one")["JobArn"]}, {"Tags": []})
    assert output("jobs", "--orphans") == ALL_KNOWN


@pytest.mark.parametrize(
    ("said", "stops"), [("y\n", True), ("yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_it_stops_only_what_a_person_says_yes_to(
    stubs: Stubs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str, stops: bool
) -> None:
    ours(stubs, "one", "DELETE_COMPLETE", None)
    if stops:
        stubs.expect("sagemaker", "stop_job", {"JobName": "one", "JobCategory": "AgentRFT"}, {})
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    assert main(["jobs", "--orphans", "--stop", "--json"], lambda _profile, _region: stubs) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)[0]["stopped"] == stops
    assert printed.err.startswith("Stop one? Its stack is DELETE_COMPLETE")


def test_stop_alone_is_refused(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jobs", "--stop"], lambda _profile, _region: stubs) == 1
    assert "--stop goes with --orphans" in capsys.readouterr().err
