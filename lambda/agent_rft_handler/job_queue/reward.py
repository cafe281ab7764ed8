"""The final reward of a job that has ended, from its MLflow app: what SageMaker's API says of a job has none."""

import logging
from collections.abc import Mapping
from typing import Any

from agent_rft_handler import mlflow
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused
from agent_rft_handler.mlflow import MlflowRun
from agent_rft_handler.patience import patiently

LOGGER = logging.getLogger(__name__)

LONGEST = 20.0
"""Seconds for which an app that is busy is asked again: the queue waits meanwhile."""

UNREADABLE = (Refused, ValueError, LookupError, *AWS_ERRORS)
"""Whatever may come of reading what is not ours: no reason to fail a turn."""


def final(job: Mapping[str, Any], clients: Clients, deadline: Deadline) -> str:
    """The mean reward of the last step of a job, as DescribeJob gives it.

    Empty where it has none, it cannot be read, or there is no time.
    """
    if not deadline.allows(SUBMIT):
        return ""
    try:
        run = MlflowRun.of(job, clients.mlflow)
        points = patiently(lambda: run.history(mlflow.REWARD), deadline, LONGEST) if run else []
    except UNREADABLE as error:
        LOGGER.warning("The reward of %s cannot be read: %s", job["JobName"], error)
        return ""
    return str(points[-1].value) if points else ""
