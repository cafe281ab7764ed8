"""Clients that try again: a service that is busy, or that did not answer, is no reason to fail an event."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.errors import AWS_ERRORS, is_throttled, is_unanswered

LONGEST = 180.0
"""Seconds for which one call is made again; botocore's own retries end within a few."""

ONCE = frozenset({"create_job", "create_model_package_group"})
"""Calls that are made again only after a look at what came of them."""


class PatientClients:
    """The clients of an event, whose calls are made again while the event's time allows."""

    def __init__(self, clients: Clients, deadline: Deadline) -> None:
        self._clients = clients
        self._deadline = deadline

    @cached_property
    def sagemaker(self) -> Any:
        return _Patient(self._clients.sagemaker, self._deadline)

    @cached_property
    def agentcore(self) -> Any:
        return _Patient(self._clients.agentcore, self._deadline)

    @cached_property
    def cloudformation(self) -> Any:
        return _Patient(self._clients.cloudformation, self._deadline)

    @cached_property
    def stepfunctions(self) -> Any:
        return _Patient(self._clients.stepfunctions, self._deadline)

    @property
    def s3(self) -> Any:
        """As it is: what is read there, a job can do without."""
        return self._clients.s3


def patient(client: Any, deadline: Deadline) -> Any:
    """The client, whose calls are made again while the time allows."""
    return _Patient(client, deadline)


class _Patient:
    def __init__(self, client: Any, deadline: Deadline) -> None:
        self._client = client
        self._deadline = deadline

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self._client, name)
        return call if name in ONCE else self._patiently(call)

    def _patiently(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(**request: Any) -> Any:
            pauses = self._deadline.pauses(longest=32, reserve=SUBMIT)
            waited = 0.0
            while True:
                try:
                    return call(**request)
                except AWS_ERRORS as error:
                    again = is_throttled(error) or is_unanswered(error)
                    if not again or waited >= LONGEST or not (pause := next(pauses, 0.0)):
                        raise
                    waited += pause

        return calling
