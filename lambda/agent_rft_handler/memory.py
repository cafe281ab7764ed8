"""Clients that remember what they read: many declarations are checked that differ in little."""

import io
import json
from collections.abc import Callable
from typing import Any

from agent_rft_handler.clients import Clients, MadeClients

READ = ("sagemaker", "agentcore", "s3")
"""What is only read while declarations are checked; the others change while someone waits for them."""


class RememberingClients(MadeClients):
    """Clients whose answers are asked for once; for reading only."""

    def __init__(self, clients: Clients) -> None:
        def make(name: str) -> Any:
            client = getattr(clients, name)
            return _Remembering(client) if name in READ else client

        super().__init__(make, clients.mlflow)


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
