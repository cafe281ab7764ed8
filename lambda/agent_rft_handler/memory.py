"""Clients that remember what they read: many declarations are checked that differ in little."""

import io
import json
from collections.abc import Callable
from functools import cached_property
from typing import Any

from agent_rft_handler.clients import Clients
from agent_rft_handler.mlflow import Fetch


class RememberingClients:
    """Clients whose answers are asked for once; for reading only."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    @cached_property
    def sagemaker(self) -> Any:
        return _Remembering(self._clients.sagemaker)

    @cached_property
    def agentcore(self) -> Any:
        return _Remembering(self._clients.agentcore)

    @cached_property
    def s3(self) -> Any:
        return _Remembering(self._clients.s3)

    @property
    def cloudformation(self) -> Any:
        return self._clients.cloudformation

    @property
    def stepfunctions(self) -> Any:
        return self._clients.stepfunctions

    def mlflow(self, app_arn: str) -> Fetch:
        return self._clients.mlflow(app_arn)


class _Remembering:
    def __init__(self, client: Any) -> None:
        self._client = client
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def calling(**request: Any) -> Any:
            key = json.dumps([name, request], sort_keys=True)
            if key not in self._known:
                self._known[key] = _kept(getattr(self._client, name)(**request))
            return _read_anew(self._known[key])

        return calling


def _kept(answer: Any) -> Any:
    """The answer with its body, which can be read once, as bytes."""
    return {**answer, "Body": answer["Body"].read()} if "Body" in answer else answer


def _read_anew(answer: Any) -> Any:
    return {**answer, "Body": io.BytesIO(answer["Body"])} if "Body" in answer else answer
