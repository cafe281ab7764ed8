"""Calls that are made again: which, after what, and for how long."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.fakes import Clock

from agent_rft_handler.deadline import SUBMIT
from agent_rft_handler.mlflow import Fetch, Unreadable
from agent_rft_handler.patience import LONGEST, PatientClients, patient, patiently

THROTTLED = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "Call")
UNANSWERED = ClientError({"Error": {}, "ResponseMetadata": {"HTTPStatusCode": 503}}, "Call")  # type: ignore[typeddict-item]
DENIED = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "Call")


@dataclass
class Service:
    """Fails so often with an error, then answers; notes each call."""

    error: Exception
    times: int
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        def call(**request: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) <= self.times:
                raise self.error
            return request

        return call


@pytest.mark.parametrize("error", [THROTTLED, UNANSWERED])
def test_a_busy_service_is_asked_again_after_growing_pauses(error: Exception) -> None:
    clock, service = Clock(), Service(error, 3)
    begun = clock.now
    assert patient(service, clock.time()).describe_job(JobName="a") == {"JobName": "a"}
    assert service.calls == ["describe_job"] * 4
    assert clock.now - begun == 2 + 4 + 8


def test_a_refusal_is_final() -> None:
    clock, service = Clock(), Service(DENIED, 1)
    begun = clock.now
    with pytest.raises(ClientError, match="no"):
        patient(service, clock.time()).describe_job(JobName="a")
    assert (service.calls, clock.now) == (["describe_job"], begun)


@pytest.mark.parametrize("name", ["create_job", "create_model_package_group"])
def test_what_makes_something_is_called_once_only(name: str) -> None:
    clock, service = Clock(), Service(THROTTLED, 1)
    with pytest.raises(ClientError):
        getattr(patient(service, clock.time()), name)()
    assert service.calls == [name]


def test_patience_ends_after_minutes() -> None:
    clock, service = Clock(), Service(THROTTLED, 999)
    begun, clock.deadline = clock.now, clock.now + 9000
    with pytest.raises(ClientError, match="slow down"):
        patient(service, clock.time()).describe_job()
    assert LONGEST <= clock.now - begun < LONGEST + 32


def test_patience_leaves_the_time_that_a_submission_takes() -> None:
    clock, service = Clock(), Service(THROTTLED, 999)
    clock.deadline = clock.now + SUBMIT + 10
    with pytest.raises(ClientError, match="slow down"):
        patient(service, clock.time()).describe_job()
    assert clock.deadline - clock.now >= SUBMIT
    assert len(service.calls) == 3


class Busy:
    """Clients each of which is busy once."""

    def __init__(self) -> None:
        self.sagemaker, self.agentcore, self.cloudformation = (Service(THROTTLED, 1) for _ in range(3))
        self.stepfunctions, self.s3 = Service(THROTTLED, 1), Service(THROTTLED, 1)

    def mlflow(self, app_arn: str) -> Fetch:
        return lambda path, _: f"{path} of {app_arn}"


@pytest.mark.parametrize("name", ["sagemaker", "agentcore", "cloudformation", "stepfunctions"])
def test_every_client_of_an_event_is_patient(name: str) -> None:
    clients = Busy()
    assert getattr(PatientClients(clients, Clock().time()), name).look() == {}
    assert getattr(clients, name).calls == ["look", "look"]


def test_mlflow_is_as_it_is() -> None:
    assert PatientClients(Busy(), Clock().time()).mlflow("app")("runs/get", {}) == "runs/get of app"


@pytest.mark.parametrize("passes", [True, False])
def test_what_mlflow_may_give_later_is_asked_for_again_for_as_long_as_the_caller_says(passes: bool) -> None:
    clock = Clock()
    begun = clock.now

    def unreadable() -> None:
        raise Unreadable("slow down", passes=passes)

    with pytest.raises(Unreadable):
        patiently(unreadable, clock.time(), longest=14.0)
    assert clock.now - begun == (2 + 4 + 8 if passes else 0)


def test_s3_is_not_as_a_job_can_do_without_what_is_read_there() -> None:
    clients = Busy()
    with pytest.raises(ClientError):
        PatientClients(clients, Clock().time()).s3.get_object()
    assert clients.s3.calls == ["get_object"]
