"""The Lambda function: CloudFormation sends it an event, and it answers CloudFormation."""

import contextlib
import logging
import os
import signal
import traceback
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from agent_rft_handler import contract, response
from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.deadline import ANSWER, Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained, shorten
from agent_rft_handler.event import Event
from agent_rft_handler.job import lifecycle as job
from agent_rft_handler.job_queue import lifecycle as job_queue
from agent_rft_handler.model_package_group import lifecycle as model_package_group
from agent_rft_handler.patience import PatientClients
from agent_rft_handler.response import Response
from agent_rft_handler.task import lifecycle as task
from agent_rft_handler.watch import lifecycle as watch

logging.getLogger().setLevel(logging.INFO)
log = logging.getLogger(__name__)

CLIENTS = AwsClients()
"""Kept while Lambda keeps the process: to make them takes longer than most events do."""


class Resource(Protocol):
    """What a module does for its resource type."""

    def create(self, event: Event, clients: Clients, deadline: Deadline) -> Response: ...

    def update(self, event: Event, clients: Clients, deadline: Deadline) -> Response: ...

    def delete(self, event: Event, clients: Clients, deadline: Deadline) -> Response: ...

    def failed_id(self, event: Event, *, in_the_middle: bool) -> str: ...


RESOURCES: Mapping[str, Resource] = {
    contract.JOB_RESOURCE_TYPE: job,
    contract.GROUP_RESOURCE_TYPE: model_package_group,
    contract.QUEUE_RESOURCE_TYPE: job_queue,
    contract.TASKS_RESOURCE_TYPE: task,
    contract.WATCH_RESOURCE_TYPE: watch,
}


class OutOfTime(BaseException):
    """The function's time is nearly over; no handler of ordinary errors may stop it."""


def handler(raw: object, context: Any) -> None:
    """Lambda's entry point. Never logs the event: its ResponseURL lets anyone answer for the stack."""
    deadline = Deadline.of(context)
    event = Event.of(raw)
    try:
        with _alarm(deadline):
            answer = respond(event, os.environ.get(contract.STACK_ID_VARIABLE, ""), CLIENTS, deadline)
    except OutOfTime:
        reason = f"{event.doing} took longer than the function may run. Deploy again."
        answer = Response(_failed_id(event, in_the_middle=True), reason)
    response.send(event, answer)


def respond(event: Event, stack_id: str, clients: Clients, deadline: Deadline) -> Response:
    """The answer to an event of the stack ``stack_id``, or the one sentence that says why not."""
    problem = event.problem() or _not_served(event, stack_id)
    if problem:
        # a Delete of what was never made here is done
        return Response(_failed_id(event), "" if event.kind == "Delete" else problem)
    try:
        answer = _answered(event, PatientClients(clients, deadline), deadline)
    except Refused as refused:
        return _refusal(event, refused)
    except AWS_ERRORS as error:
        return _refusal(event, explained(error, event.doing))
    except Exception as error:  # noqa: BLE001 - whatever it is, CloudFormation must be told
        return _refusal(event, _unexpected(event, error))
    log.info("%s: %s", event.doing, answer.physical_id)
    return answer


def _answered(event: Event, clients: Clients, deadline: Deadline) -> Response:
    resource = RESOURCES[event.resource_type]
    verbs = {"Create": resource.create, "Update": resource.update, "Delete": resource.delete}
    return verbs[event.kind](event, clients, deadline)


def _not_served(event: Event, stack_id: str) -> str:
    if event.resource_type not in RESOURCES:
        return f"ResourceType is {shorten(event.resource_type, 100)!r}, but must be one of {', '.join(RESOURCES)}."
    if event.stack_id == stack_id:
        return ""
    return (
        f"This function serves the stack {stack_id}, and no other. Let each stack have a JobProvider of its own: "
        "declare the trainer in the stack that deploys it."
    )


def _refusal(event: Event, refused: Refused) -> Response:
    """The sentence may quote a hyperparameter: CloudFormation's event shows it, the log only when debugging."""
    log.error("%s was refused; the stack's events say why", event.doing)
    log.debug("%s: %s", event.doing, refused)
    given = refused.physical_id if event.kind == "Create" else ""
    return Response(given or _failed_id(event), str(refused))


def _unexpected(event: Event, error: Exception) -> Refused:
    """Where it happened, without the values that an error's own text may hold."""
    log.error("%s: %s\n%s", event.doing, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
    return Refused(
        f"{event.doing} met a {type(error).__name__} that the handler does not expect; its log says where. "
        "Please report it with that log."
    )


def _failed_id(event: Event, *, in_the_middle: bool = False) -> str:
    """The id of a resource whose event failed; the event's own where none can be known."""
    resource = RESOURCES.get(event.resource_type)
    with contextlib.suppress(Exception):
        if resource and (found := resource.failed_id(event, in_the_middle=in_the_middle)):
            return found
    return event.physical_id


@contextlib.contextmanager
def _alarm(deadline: Deadline) -> Iterator[None]:
    """Interrupts whatever goes on when just enough time is left to answer."""

    def ring(*_: object) -> None:
        raise OutOfTime

    former = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(deadline.remaining() - ANSWER, 1.0))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
