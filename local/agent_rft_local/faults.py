"""What a test may make go wrong with an operation, a given number of times.

Each fault is a dict: ``operation`` (``CreateJob``, or ``*``; ``Invoke`` for a function that a state machine calls),
``kind`` (below), ``times`` (1 without it), and ``chance``: the part of the calls that it strikes (all without it). How
often it has struck, it has in ``struck``.
"""

import random
import time

from agent_rft_local import job_api, store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

BEFORE = {
    "throttled": ServiceError("ThrottlingException", "Rate exceeded"),
    "error_before": ServiceError("InternalFailure", "An internal error has occurred.", 500),
    "denied": ServiceError("AccessDeniedException", "User is not authorized to perform this action"),
    "role_not_ready": ServiceError(
        "ValidationException", "Could not assume role. Please ensure that the role exists and allows the principal."
    ),
    "gone": ServiceError("ResourceNotFound", "Requested resource not found."),
}
"""The call has no effect; with ``gone``, the job that it names has just been deleted."""

AFTER = {"error_after": ServiceError("InternalFailure", "An internal error has occurred.", 500)}
"""The call has its effect, and the answer says otherwise."""

LOST = ("reset", "slow")
"""The call has its effect, and no answer arrives: the connection breaks, or the client stops listening."""

SLOW_SECONDS = 25.0

KINDS = (*BEFORE, *AFTER, *LOST)


_draws = random.Random(0)  # noqa: S311 - the same in every run


class ConnectionReset(Exception):
    """Tells the server to break the connection in the middle of the answer."""


def before(operation: str, request: Row) -> str:
    """Takes the next fault of the operation and raises it; returns its kind when it strikes after the call."""
    if not store.takes_token(operation):
        raise BEFORE["throttled"]
    for fault in store.behaviour.faults:
        if _strikes(fault, operation):
            fault["times"] -= 1
            fault["struck"] = fault.get("struck", 0) + 1
            if fault["kind"] == "gone":
                job_api.forget(request.get("JobCategory", ""), request.get("JobName", ""))
            if fault["kind"] in BEFORE:
                raise BEFORE[fault["kind"]]
            return str(fault["kind"])
    return ""


def _strikes(fault: Row, operation: str) -> bool:
    is_meant = fault["operation"] in (operation, "*") and fault.setdefault("times", 1) > 0
    return is_meant and _draws.random() < fault.get("chance", 1)


def after(kind: str) -> None:
    """What strikes when the call has had its effect."""
    if kind in AFTER:
        raise AFTER[kind]
    if kind == "reset":
        raise ConnectionReset
    if kind == "slow":
        time.sleep(SLOW_SECONDS)
