"""What each event of a job's custom resource does. docs/lifecycle.md says it in five sentences.

Every event also reconciles: afterwards no job of the resource runs that the stack does not know, but for the one that
an update is about to replace.
"""

from agent_rft_handler import facts, stack, validation
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.event import Event
from agent_rft_handler.job import dry_run, history, jobs, plan, replacement
from agent_rft_handler.job.history import History
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.names import DRY_RUN, NOT_SUBMITTED, UNCONFIRMED, attempt_in
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import Submission, require_deploying
from agent_rft_handler.response import Response


def create(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Submits the job, or finds the one that an earlier delivery of the event submitted."""
    request = Request.of(event)
    require_deploying(request, clients)
    past = history.read(request, clients, deadline)
    if request.declaration.dry_run:
        return dry_run.rehearse(past, clients)
    return _answer(_submitted(past, clients, deadline))


def update(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """The same job with its tags brought up to date, another job when what defines it changed, or the way back."""
    request = Request.of(event)
    if stack.status(request.owner.stack_id, clients).is_rolling_back_or_deleting:
        return _way_back(request, clients, deadline)
    require_deploying(request, clients)
    past = history.read(request, clients, deadline)
    if request.declaration.dry_run:
        return dry_run.rehearse(past, clients)
    if attempt_in(request.physical_id, request.first_name):
        return _kept(past, clients)
    return _answer(_submitted(past, clients, deadline))


def delete(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Stops what runs and is ours, and keeps its record; anything else is success already."""
    request = Request.of(event)
    past = history.read(request, clients, deadline)
    if request.physical_id.startswith(UNCONFIRMED):
        past = _once_it_shows(past, clients, deadline)
    name = request.named_in_id
    if name and not request.physical_id.startswith(DRY_RUN) and past.does_not_show(name):
        jobs.stop_unseen(name, request.category, clients)
    for job in _to_stop(past, clients):
        jobs.stop(job, clients)
    return Response(request.physical_id)


def failed_id(event: Event, *, in_the_middle: bool) -> str:
    """The physical id of a resource whose event failed: a create has none yet, but its Delete must reach us."""
    if event.kind != "Create":
        return event.physical_id
    return (UNCONFIRMED if in_the_middle else NOT_SUBMITTED) + Request.of(event).first_name


def _submitted(past: History, clients: Clients, deadline: Deadline) -> Job:
    if past.of_this_request:
        # nothing else either: what the stack has done since is not known here
        return history.unless_withdrawn(past.of_this_request)
    request = past.request
    stopping = history.stop_strays(past, {request.known_name}, clients)
    planned = plan.make(request, clients)
    replacement.make_room(past.known, request, clients, deadline)
    return Submission(past.next_name(), planned, request, stopping, clients, deadline).submit()


def _kept(past: History, clients: Clients) -> Response:
    request = past.request
    history.stop_strays(past, {request.physical_id}, clients)
    if past.known is None:
        return request.answer(request.physical_id)
    _retag(past.known, request, clients)
    return _answer(past.known)


def _retag(job: Job, request: Request, clients: Clients) -> None:
    """The declared tags; those of the SDK's that were added while there was room make way."""
    new, old = request.declaration.tags, request.former.tags
    plan.refuse(validation.tag_problems(new))
    in_the_way = () if plan.has_room(new) else (facts.MODEL_TAG, facts.HUB_TAG)
    jobs.retag(job, new, {*old, *in_the_way}, clients)


def _way_back(request: Request, clients: Clients, deadline: Deadline) -> Response:
    """The job that the stack had before, whatever its state, even when it is gone; nothing is started."""
    past = history.read(request, clients, deadline)
    if request.declaration.dry_run:
        history.stop_strays(past, {request.known_name}, clients)
        return dry_run.answer(request)
    name = _earlier_name(past)
    history.stop_strays(past, {name, request.known_name}, clients)
    job = past.named(name)
    return _answer(job) if job else request.answer(name)


def _earlier_name(past: History) -> str:
    """The id that the resource has, or had when what it has was submitted; else the declaration's last job's."""
    request, known = past.request, past.known
    for name in (request.physical_id, known.predecessor if known else ""):
        if attempt_in(name, request.first_name):
            return name
    return past.latest.name if past.latest else request.first_name


def _once_it_shows(past: History, clients: Clients, deadline: Deadline) -> History:
    """A job whose creation was never confirmed may take a while to be seen."""
    pauses = deadline.pauses(longest=16, in_all=history.LAG)
    while not past.named(past.request.named_in_id) and next(pauses, 0.0):
        past = history.read(past.request, clients, deadline)
    return past


def _to_stop(past: History, clients: Clients) -> tuple[Job, ...]:
    """The resource's job; every job when all of the stack goes; and where it was replaced, what the stack has not."""
    request, owner = past.request, past.request.owner
    now = stack.status(owner.stack_id, clients)
    own = [job for job in past.running if _is_meant(job.name, request)]
    if now.is_ending:
        return _each_once(*own, *past.strays(keep=()))
    known = stack.known_id(owner.stack_id, owner.logical_id, clients)
    if known != request.physical_id:
        return _each_once(*(job for job in own if job.name != known), *(past.strays(keep={known}) if known else ()))
    return () if now.is_resting else _each_once(*own)


def _is_meant(name: str, request: Request) -> bool:
    """Whether a Delete of this id means this job; an id that names none means what the declaration submitted."""
    if request.known_name:
        return name == request.known_name
    is_submitted = not request.declaration.dry_run and not request.physical_id.startswith(DRY_RUN)
    return is_submitted and bool(attempt_in(name, request.first_name))


def _each_once(*found: Job) -> tuple[Job, ...]:
    return tuple({job.name: job for job in found}.values())


def _answer(job: Job) -> Response:
    return Response(job.name, data={"JobName": job.name, "JobArn": job.arn, "BaseModelArn": job.base_model_arn})
