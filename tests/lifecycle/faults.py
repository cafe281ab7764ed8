"""Faults at chosen calls of the handler, whichever operation they are: for tests that try every call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError
from handler.fakes import Killed
from handler.world import Through, WorldClients


def _error(code: str, status: int) -> Callable[[], Exception]:
    def make() -> Exception:
        response: Any = {"Error": {"Code": code, "Message": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
        return ClientError(response, "Struck")

    return make


def _no_answer() -> Exception:
    return ReadTimeoutError(endpoint_url="in process")


BEFORE: Mapping[str, Callable[[], BaseException]] = {
    "5xx before": _error("InternalFailure", 500),
    "throttled": _error("ThrottlingException", 400),
    "timed out by the service": _error("RequestTimeout", 408),
    "denied": _error("AccessDeniedException", 400),
    "killed before": Killed,
}
"""The call has no effect."""

AFTER: Mapping[str, Callable[[], BaseException]] = {
    "5xx after": _error("InternalFailure", 500),
    "no answer": _no_answer,
    "killed after": Killed,
}
"""The call has its effect, and nobody hears of it."""


@dataclass
class StruckClients(WorldClients):
    """The world's clients, with a fault at each of the calls in ``plan``; calls are counted from 1."""

    plan: dict[int, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    strikes_s3: bool = False
    """What a job reads there it can do without; a queue cannot."""

    @property
    def sagemaker(self) -> Any:
        return Through(self.world.sagemaker, self.call)

    @property
    def cloudformation(self) -> Any:
        return Through(self.world.cloudformation, self.call)

    @property
    def s3(self) -> Any:
        return Through(self.world.s3, self.call) if self.strikes_s3 else self.world.s3

    @property
    def stepfunctions(self) -> Any:
        return Through(self.world.stepfunctions, self.call)

    def call(self, name: str, function: Callable[..., Any], request: dict[str, Any]) -> Any:
        """The call, or what strikes it."""
        self.calls.append(name)
        kind = self.plan.get(len(self.calls), "")
        if kind in BEFORE:
            raise BEFORE[kind]()
        answer = function(**request)
        if kind in AFTER:
            raise AFTER[kind]()
        return answer
