"""Which job is meant: by name, ARN or stack."""

import io
import json
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from cli.account import HOUR, Account
from cli.conftest import Run, Stubs

from agent_rft_cli import local, stack_jobs
from agent_rft_cli.failures import Failure
from agent_rft_handler.facts import CATEGORIES
from agent_rft_local import session_file
from agent_rft_local.session_file import SessionFile

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_a_job_by_its_arn(account: Account, run: Run) -> None:
    name = account.submit()
    arn = json.loads(run("status", name, "--json").out)["arn"]
    assert json.loads(run("status", arn, "--json").out)["name"] == name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Give either a job's name or ARN, or --stack"),
        (["one", "--stack", "S"], "Give either a job's name or ARN, or --stack"),
        (["one", "--resource", "Trainer"], "--resource goes with --stack"),
        (["nobody"], f"There is no {' or '.join(CATEGORIES)} job nobody in us-east-1 of this account"),
        (["nobody", "--category", "AgentRFT"], "There is no AgentRFT job nobody"),
        (["arn:aws:sagemaker:us-east-1:000000000000:training-job/one"], "is not a job's ARN"),
        (["no name!"], "'no name!' is not a job's name: letters, digits and inner hyphens, at most 63"),
        (["arn:aws:sagemaker:us-east-1:000000000000:job/AgentRFT/no name"], "'no name' is not a job's name"),
        (
            ["arn:aws:sagemaker:us-east-1:000000000000:job/Other/one"],
            "the category Other, but must have one of",
        ),
        (["arn:aws:sagemaker::000000000000:job/AgentRFT/one"], "is not a job's ARN: it must have a region"),
        (
            ["arn:aws:sagemaker:us-east-1:000000000000:job/AgentRFT/one", "--category", "AgentRFTEvaluation"],
            "--category AgentRFTEvaluation is not that of",
        ),
        (
            ["arn:aws:sagemaker:us-east-1:000000000000:job/AgentRFT/one", "--region", "us-west-2"],
            "--region us-west-2 is not that of",
        ),
    ],
)
def test_what_names_no_job_is_one_line(run: Run, arguments: list[str], said: str) -> None:
    ended = run("status", *arguments)
    assert (ended.code, ended.out) == (1, "")
    (line,) = ended.err.splitlines()
    assert said in line


def test_an_arn_leads_to_its_region(account: Account) -> None:
    from agent_rft_cli.__main__ import main

    asked = []

    def connect(_profile: str | None, region: str | None) -> Account:
        asked.append(region)
        return account

    main(["status", "arn:aws:sagemaker:us-west-2:000000000000:job/AgentRFT/one"], connect)
    assert asked == ["us-west-2"]


def summary(logical_id: str, physical_id: str, kind: str = "Custom::AgentRFTJob") -> dict[str, Any]:
    return {
        "LogicalResourceId": logical_id,
        "PhysicalResourceId": physical_id,
        "ResourceType": kind,
        "LastUpdatedTimestamp": NOW,
        "ResourceStatus": "CREATE_COMPLETE",
    }


def stack_with(stubs: Stubs, kind: str = "Custom::AgentRFTJob", **known: str) -> None:
    """A stack with resources of a kind: the path of each construct is ``S/<logical id>/Job``."""
    rows = [summary("Bucket", "bucket", "AWS::S3::Bucket"), *(summary(*each, kind) for each in known.items())]
    stubs.expect("cloudformation", "list_stack_resources", {"StackName": "S"}, {"StackResourceSummaries": rows})
    for logical_id, physical_id in known.items():
        detail = summary(logical_id, physical_id, kind) | {
            "Metadata": json.dumps({"aws:cdk:path": f"S/{logical_id}/Job"})
        }
        asked = {"StackName": "S", "LogicalResourceId": logical_id}
        stubs.expect("cloudformation", "describe_stack_resource", asked, {"StackResourceDetail": detail})


def test_the_only_job_of_a_stack(stubs: Stubs) -> None:
    stack_with(stubs, Trainer="one")
    assert stack_jobs.job_of("S", None, stubs).job_name == "one"


@pytest.mark.parametrize("resource", ["Second", "S/Second/Job", "Second/Job", "/S/Second"])
def test_one_of_several_by_logical_id_or_path(stubs: Stubs, resource: str) -> None:
    stack_with(stubs, First="one", Second="two")
    assert stack_jobs.job_of("S", resource, stubs).job_name == "two"


@pytest.mark.parametrize("resource", [None, "Third", "Job", "Sec"])
def test_an_error_lists_those_there_are(stubs: Stubs, resource: str | None) -> None:
    stack_with(stubs, First="one", Second="two")
    with pytest.raises(Failure, match=r"--resource one of: First \(S/First/Job\), Second \(S/Second/Job\)$"):
        stack_jobs.job_of("S", resource, stubs)


def test_a_job_of_a_nested_stack(stubs: Stubs) -> None:
    nested = [summary("Nested", "S", "AWS::CloudFormation::Stack")]
    asked = {"StackName": "Root"}
    stubs.expect("cloudformation", "list_stack_resources", asked, {"StackResourceSummaries": nested})
    stack_with(stubs, Trainer="one")
    assert stack_jobs.job_of("Root", None, stubs).job_name == "one"


@pytest.mark.parametrize("physical_id", ["dry-run:one", "not-submitted:one", "2026/12/01/[$LATEST]01"])
def test_a_resource_that_has_submitted_nothing(stubs: Stubs, physical_id: str) -> None:
    stack_with(stubs, Trainer=physical_id)
    with pytest.raises(Failure, match="has submitted no job"):
        _ = stack_jobs.job_of("S", None, stubs).job_name


def test_a_stack_without_a_job_and_no_stack(stubs: Stubs) -> None:
    stack_with(stubs)
    with pytest.raises(Failure, match="has no resource that submits a job"):
        stack_jobs.job_of("S", None, stubs)
    stubs.refuse("cloudformation", "list_stack_resources", "ValidationError", "Stack with id S does not exist")
    with pytest.raises(Failure, match="There is no stack S in us-east-1 of this account"):
        stack_jobs.job_of("S", None, stubs)


def test_a_local_aws_is_found_by_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(Failure, match="agent-rft local serve"):
        local.clients(None)
    for number in (1, 2):
        (folder := tmp_path / f"agent-rft-local-{number}").mkdir()
        SessionFile(f"http://127.0.0.1:{number}", "us-east-1", "LOCALAWS", "secret").write(folder)
        assert (folder / "session.json").stat().st_mode & 0o777 == 0o600
        if number == 1:
            found = local.clients(None)
            assert (found.endpoint, found.region) == ("http://127.0.0.1:1", "us-east-1")
            assert local.clients("us-west-2").region == "us-west-2"
    with pytest.raises(Failure, match="Several are up"):
        local.clients(None)
    assert "secret" not in repr(session_file.found())


def test_document_and_stop(account: Account, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = account.submit()
    assert "ServiceOutput" in json.loads(run("document", name).out)
    assert json.loads(run("document", name, "--submitted", "--json").out) == account.world.document()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    refused = run("stop", name)
    assert refused.code == 1
    assert "is left alone" in refused.err
    assert account.status(name) == "InProgress"
    assert "is asked to stop" in run("stop", name, "--yes").out
    account.world.clock.sleep(HOUR)
    assert json.loads(run("stop", name, "--yes", "--json").out)["stopped"] is False
    account.described["JobConfigDocument"] = ""
    assert "gives no document" in run("document", name).err


def test_a_job_that_ends_while_it_is_being_stopped(account: Account, run: Run) -> None:
    name = account.submit()
    inner = account.client

    def client(service: str, *operations: str) -> Any:
        made = inner(service, *operations)
        stop = made.stop_job

        def too_late(**request: str) -> Any:
            account.world.clock.sleep(2 * HOUR)
            return stop(**request)

        made.stop_job = too_late
        return made

    account.client = client  # type: ignore[method-assign]
    assert run("stop", name, "--yes").out == f"The job {name} is Completed already.\n"
