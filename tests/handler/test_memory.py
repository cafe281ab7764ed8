"""Clients that remember what they read."""

import io
from collections import Counter
from typing import Any

import pytest

from agent_rft_handler.memory import RememberingClients
from agent_rft_handler.mlflow import Fetch


class Service:
    """Answers with how often it was asked."""

    def __init__(self, body: bytes = b"") -> None:
        self.asked: Counter[str] = Counter()
        self.body = body

    def __getattr__(self, name: str) -> Any:
        def call(**request: Any) -> dict[str, Any]:
            self.asked[name] += 1
            body = {"Body": io.BytesIO(self.body)} if self.body else {}
            return {"Name": name, "Given": request, "Time": self.asked[name], **body}

        return call


class Clients:
    def __init__(self) -> None:
        self.sagemaker, self.agentcore, self.s3 = Service(), Service(), Service(b"recipe")
        self.cloudformation, self.stepfunctions = Service(), Service()

    def mlflow(self, app_arn: str) -> Fetch:
        return lambda path, _: f"{path} of {app_arn}"


@pytest.mark.parametrize("name", ["sagemaker", "agentcore", "s3"])
def test_the_same_question_is_asked_once_and_another_is_another(name: str) -> None:
    clients = Clients()
    client = getattr(RememberingClients(clients), name)
    for _ in range(2):
        assert client.read(Name="a", Version="1")["Given"] == {"Name": "a", "Version": "1"}
        assert client.read(Version="1", Name="a")["Time"] == 1
    assert client.read(Name="b")["Given"] == {"Name": "b"}
    assert client.look(Name="a", Version="1")["Name"] == "look"
    assert getattr(clients, name).asked == {"read": 2, "look": 1}


def test_a_body_that_can_be_read_once_is_read_anew_each_time() -> None:
    client = RememberingClients(Clients()).s3
    assert [client.get_object(Key="k")["Body"].read() for _ in range(3)] == [b"recipe"] * 3


@pytest.mark.parametrize("name", ["cloudformation", "stepfunctions"])
def test_a_stack_and_a_state_machine_are_asked_each_time(name: str) -> None:
    clients = Clients()
    for _ in range(2):
        getattr(RememberingClients(clients), name).describe()
    assert getattr(clients, name).asked["describe"] == 2


def test_mlflow_is_as_it_is() -> None:
    assert RememberingClients(Clients()).mlflow("app")("runs/get", {}) == "runs/get of app"
