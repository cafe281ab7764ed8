"""Clients that try again: a service that is busy, or that did not answer, is no reason to fail an event."""

from collections.abc import Callable
from typing import Any

from agent_rft_handler.clients import Clients, MadeClients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.errors import AWS_ERRORS, is_throttled, is_unanswered
from agent_rft_handler.mlflow import Unreadable

LONGEST = 180.0
"""Seconds for which one call is made again; botocore's own retries end within a few."""

ONCE = frozenset({"create_job", "create_model_package_group"})
"""Calls that are made again only after a look at what came of them."""


class PatientClients(MadeClients):
    """The clients of an event, whose calls are made again while the event's time allows.

    But for S3 and MLflow: what is read there, a job can do without.
    """

    def __init__(self, clients: Clients, deadline: Deadline) -> None:
        def make(name: str) -> Any:
            client = getattr(clients, name)
            return client if name == "s3" else patient(client, deadline)

        super().__init__(make, clients.mlflow)


def patient(client: Any, deadline: Deadline) -> Any:
    """The client, whose calls are made again while the time allows."""
    return _Patient(client, deadline)


class _Patient:
    def __init__(self, client: Any, deadline: Deadline) -> None:
        self._client = client
        self._deadline = deadline

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self._client, name)
        return call if name in ONCE else lambda **request: patiently(lambda: call(**request), self._deadline)


def patiently(call: Callable[[], Any], deadline: Deadline, longest: float = LONGEST) -> Any:
    """What the call gives, made again while it is refused or lost for the moment, for so many seconds at most."""
    pauses = deadline.pauses(longest=32, reserve=SUBMIT, in_all=longest)
    while True:
        try:
            return call()
        except (Unreadable, *AWS_ERRORS) as error:
            if not _passes(error) or not next(pauses, 0.0):
                raise


def _passes(error: Exception) -> bool:
    return error.passes if isinstance(error, Unreadable) else is_throttled(error) or is_unanswered(error)
