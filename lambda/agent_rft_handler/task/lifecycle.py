"""What the tasks of a stack leave behind: when they leave the stack, their state machines are gone, not their jobs."""

from collections.abc import Iterator

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.event import Event, text
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job import jobs
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.response import Response
from agent_rft_handler.tags import is_of_an_execution


def create(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Nothing but the function's ARN, through which state machines come to need this resource and end before it."""
    arn = text(event.properties.get("FunctionArn"))
    return Response(event.physical_id or failed_id(event), data={"FunctionArn": arn})


def update(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """The same."""
    return create(event, clients, deadline)


def delete(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Stops what the stack's executions left running."""
    for job in _running(event.stack_id, clients):
        jobs.stop(job, clients)
    return Response(event.physical_id)


def failed_id(event: Event, *, in_the_middle: bool = False) -> str:
    """The physical id, whatever happens: it names nothing, so no update replaces it."""
    return event.physical_id or f"tasks:{event.logical_id}"


def _running(stack_id: str, clients: Clients) -> Iterator[Job]:
    """The jobs of the stack's executions that run; few run in an account at a time."""
    for category in facts.CATEGORIES:
        for name in jobs.names_of(category, "InProgress", clients):
            job = jobs.describe(name, category, clients)
            if job and _is_of_its_executions(job, stack_id):
                yield job


def _is_of_its_executions(job: Job, stack_id: str) -> bool:
    return job.tags.get(OWN_TAGS["stack"]) == stack_id and is_of_an_execution(job.tags.get(OWN_TAGS["resource"], ""))
