import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from cli.account import Account
from handler.world import World

from agent_rft_cli import clock
from agent_rft_cli.__main__ import main
from agent_rft_handler.mlflow import Fetch


class Stubs:
    """Clients whose answers a test has queued; each checks request and answer against botocore's model."""

    def __init__(self) -> None:
        self.stubbers: dict[str, Stubber] = {}

    def expect(self, service: str, operation: str, request: dict[str, Any], answer: dict[str, Any]) -> None:
        self._stubber(service).add_response(operation, answer, request)

    def refuse(self, service: str, operation: str, code: str, message: str) -> None:
        self._stubber(service).add_client_error(operation, code, message)

    @property
    def region_name(self) -> str:
        return "us-east-1"

    def client(self, service: str, *operations: str) -> Any:
        client = self._stubber(service).client
        assert set(operations) <= set(client.meta.service_model.operation_names)
        return client

    def mlflow(self, app_arn: str) -> Fetch:
        raise AssertionError(f"nobody is to read {app_arn}")

    def _stubber(self, service: str) -> Stubber:
        if service not in self.stubbers:
            keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
            client = boto3.client(service, region_name="us-east-1", **keys)  # type: ignore[call-overload]
            self.stubbers[service] = Stubber(client)
            self.stubbers[service].activate()
        return self.stubbers[service]


@pytest.fixture
def stubs() -> Iterator[Stubs]:
    """Fake clients, all of whose answers must have been asked for in the end."""
    stubs = Stubs()
    yield stubs
    for each in stubs.stubbers.values():
        each.assert_no_pending_responses()


@pytest.fixture
def output(stubs: Stubs, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command line that must succeed against the fakes; what it printed."""

    def run(*arguments: str) -> str:
        assert main(arguments, lambda _profile, _region: stubs) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


@pytest.fixture
def account(world: World, monkeypatch: pytest.MonkeyPatch) -> Account:
    """An account whose clock is the command line's, too: whoever waits turns it."""
    monkeypatch.setattr(clock, "now", lambda: datetime.datetime.fromtimestamp(world.clock.now, datetime.UTC))
    monkeypatch.setattr(clock, "sleep", world.clock.sleep)
    return Account(world)


@dataclass(frozen=True)
class Ended:
    """A command that has run."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(account: Account, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line against the account."""

    def ended(*arguments: str) -> Ended:
        code = main(arguments, lambda _profile, _region: account)
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return ended


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """An environment with no AWS configuration at all."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return monkeypatch
