"""What each event of a watch does: one watcher for each job, by the job's name. docs/orchestration.md says it.

No event fails because a watcher cannot be started: a failure would roll the stack back, and stop a job that is fine.
"""

import logging
from collections.abc import Mapping

from agent_rft_handler import stack
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, code_of
from agent_rft_handler.event import Event
from agent_rft_handler.response import Response
from agent_rft_handler.watch.watched import Watched

log = logging.getLogger(__name__)


def create(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Starts the job's watcher, or finds it started."""
    watched = Watched.of(event.properties)
    if watched.is_whole and not _is_going_back(event, clients):
        _start(watched, clients)
    return Response(event.physical_id or failed_id(event))


def update(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Another job has a watcher of its own; that of the earlier one tells how it ends. A rollback starts none."""
    return create(event, clients, deadline)


def delete(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Ends the watcher; nobody listens any more."""
    watched = Watched.of(event.properties)
    if watched.is_whole:
        try:
            clients.stepfunctions.stop_execution(executionArn=watched.execution_arn, cause="The watch was deleted.")
        except AWS_ERRORS as error:  # ended, or never started; deleting the state machine ends it as well
            log.info("StopExecution %s: %s", watched.job_name, error)
    return Response(event.physical_id)


def failed_id(event: Event, *, in_the_middle: bool = False) -> str:
    """The physical id, whatever happens: it names no job, so no update replaces it."""
    return event.physical_id or f"watch:{event.logical_id}"


def _is_going_back(event: Event, clients: Clients) -> bool:
    """Whether the stack takes back what it did; where it cannot be asked, it goes forward."""
    try:
        return stack.status(event.stack_id, clients).is_rolling_back_or_deleting
    except Refused as refused:
        log.info("%s", refused)
        return False


def _start(watched: Watched, clients: Clients) -> None:
    """Once for each job: Step Functions takes an execution's name once in 90 days [API: StartExecution]."""
    request: Mapping[str, str] = {
        "stateMachineArn": watched.state_machine_arn,
        "name": watched.job_name,
        "input": watched.execution_input,
    }
    try:
        clients.stepfunctions.start_execution(**request)
    except AWS_ERRORS as error:
        if code_of(error) != "ExecutionAlreadyExists":
            log.error("The job %s runs, but nobody is told about it: %s", watched.job_name, error)
