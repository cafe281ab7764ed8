"""The function that submits a task's job, with the plan and the submission of a deployment."""

import functools
import time
from collections.abc import Mapping
from typing import Any

from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained
from agent_rft_handler.job import history, plan
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import Submission
from agent_rft_handler.patience import PatientClients
from agent_rft_handler.task.request import Task

CLIENTS = AwsClients()


def handler(raw: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Lambda's entry point. What it raises is the task's error: ``OverQuota`` is tried again, ``Refused`` is not."""
    deadline = Deadline(remaining=lambda: float(context.get_remaining_time_in_millis()) / 1000, sleep=time.sleep)
    return submitted(raw, CLIENTS, deadline)


def submitted(raw: Mapping[str, Any], clients: Clients, deadline: Deadline) -> dict[str, Any]:
    """Submits the task's job, or finds it submitted; the state in which it is watched."""
    task, patient = Task.of(raw), PatientClients(clients, deadline)
    request = task.request
    past = history.read(request, patient, deadline)
    if past.of_this_request:
        job = history.unless_withdrawn(past.of_this_request)
    else:
        job = _submit(task, request, past.next_name(), patient, deadline)
    return _state(job, task, str(raw["EverySeconds"]))


def _submit(task: Task, request: Request, name: str, clients: Clients, deadline: Deadline) -> Job:
    planned = plan.make(request, clients)
    wanted = functools.partial(require_running, task.execution_arn)
    return Submission(name, planned, request, (), clients, deadline, require_wanted=wanted).submit()


def require_running(execution_arn: str, _: Request, clients: Clients) -> None:
    """Refuses to start anything for an execution that is over.

    Raises:
        Refused: when it was aborted, or has ended in another way.
    """
    try:
        status = clients.stepfunctions.describe_execution(executionArn=execution_arn)["status"]
    except AWS_ERRORS as error:
        raise explained(error, "Asking for the execution's status") from error
    if status != "RUNNING":
        raise Refused(f"The execution is {status}, so nothing was submitted.")


def _state(job: Job, task: Task, every: str) -> dict[str, Any]:
    """What ``watch.look`` goes on from."""
    return {
        "JobName": job.name,
        "JobCategory": job.category,
        "EverySeconds": every,
        "StackId": task.stack_id,
        "LogicalResourceId": task.request.owner.logical_id,
        "JobStatus": "",
    }
