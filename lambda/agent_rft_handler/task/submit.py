"""The function that submits a task's job, with the plan and the submission of a deployment."""

import functools
from collections.abc import Mapping
from typing import Any

from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained
from agent_rft_handler.job import history, plan
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import Submission
from agent_rft_handler.job_event import first_state
from agent_rft_handler.patience import PatientClients
from agent_rft_handler.task.request import Task

CLIENTS = AwsClients()


def handler(raw: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Lambda's entry point. What it raises is the task's error: ``OverQuota`` is tried again, ``Refused`` is not."""
    deadline = Deadline.of(context)
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
    return first_state(job.name, job.category, str(raw["EverySeconds"]), task.stack_id, request.owner.logical_id)


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
