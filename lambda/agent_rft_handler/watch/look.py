"""The function that a watcher calls: one look at the job, and what that means."""

import time
from collections.abc import Mapping
from typing import Any

from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.errors import AWS_ERRORS, is_missing
from agent_rft_handler.facts import TERMINAL_STATUSES
from agent_rft_handler.job_event import LAG, detail, wait

CLIENTS = AwsClients()


def handler(state: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Lambda's entry point."""
    return look(state, CLIENTS, time.time())


def look(state: Mapping[str, Any], clients: Clients, now: float) -> dict[str, Any]:
    """The watcher's next state: the status, whether it changed, whether it is the last, and how long to wait.

    Args:
        state: The watcher's state, which ``Watched.execution_input`` starts, with what each look adds.
        clients: The AWS clients.
        now: Unix time in seconds.
    """
    job = _described(state, clients)
    since = float(state.get("Since") or now)
    if job is None:
        is_over = bool(state["JobStatus"]) or now - since >= LAG
        unseen = {
            "IsChanged": False,
            "IsEnded": is_over,
            "HasFailed": False,
            "Reason": "There is no such job.",
            "Wait": 30,
        }
        return {**state, **unseen, "Since": since}
    status = str(job["JobStatus"])
    return {
        **state,
        "Since": since,
        "JobStatus": status,
        "IsChanged": status != state["JobStatus"],
        "IsEnded": status in TERMINAL_STATUSES,
        "HasFailed": status == "Failed",
        "Reason": str(job.get("FailureReason") or f"The job is {status}."),
        "Wait": wait(job["CreationTime"].timestamp(), float(state["EverySeconds"]), now),
        "JobArn": job["JobArn"],
        "Detail": detail(job, state),
    }


def _described(state: Mapping[str, Any], clients: Clients) -> dict[str, Any] | None:
    """The job, or None; another failure is the state machine's to try again."""
    try:
        return dict(clients.sagemaker.describe_job(JobName=state["JobName"], JobCategory=state["JobCategory"]))
    except AWS_ERRORS as error:
        if is_missing(error):
            return None
        raise
