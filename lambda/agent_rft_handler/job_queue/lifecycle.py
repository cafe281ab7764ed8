"""What each event of a queue does. docs/orchestration.md says it.

The list of what is wanted is written first, then an execution started that works through it. What an earlier list had
submitted and this one no longer has is stopped when CloudFormation cleans up: a rollback finds it running.
"""

import contextlib
from collections.abc import Collection, Iterator, Sequence

from agent_rft_handler import stack
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import Refused
from agent_rft_handler.event import Event
from agent_rft_handler.job import history, jobs, plan
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.names import attempt_in
from agent_rft_handler.job_queue.folder import Changed, Folder
from agent_rft_handler.job_queue.queue import Queue, Row
from agent_rft_handler.memory import RememberingClients
from agent_rft_handler.response import Response


def create(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Checks every job as its submission does, then starts the queue."""
    stack.require_deploying(event.stack_id, clients)
    queue = Queue.of(event)
    folder = _folder(queue, clients, deadline)
    former = folder.queue()
    if former and queue.generation in former.earlier:
        return Response(queue.physical_id)  # an old event, delivered again
    plan.refuse(_problems(queue, clients))
    stack.require_deploying(event.stack_id, clients)
    _start(queue.after(former), folder, clients)
    return Response(queue.physical_id)


def update(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """What is new or changed is submitted in its turn; the way back leads to the list before, and what it had."""
    if stack.status(event.stack_id, clients).is_rolling_back_or_deleting:
        return _way_back(event, clients, deadline)
    return create(event, clients, deadline)


def delete(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Stops what runs: all of it with the queue, or what the queue no longer has."""
    queue = Queue.of(event)
    now = stack.status(event.stack_id, clients)
    known = "" if now.is_ending else stack.known_id(event.stack_id, event.logical_id, clients)
    folder = _folder(queue, clients, deadline)
    if known and known != event.physical_id:
        _leave(queue, folder, folder.at(known), clients, deadline)
    elif not now.is_resting or now.is_ending:
        _end(queue, folder, clients, deadline)
    return Response(event.physical_id)


def failed_id(event: Event, *, in_the_middle: bool = False) -> str:
    """The physical id of a queue whose event failed: a create has none yet, but its Delete must reach us."""
    return event.physical_id if event.kind != "Create" else Queue.of(event).physical_id


def _way_back(event: Event, clients: Clients, deadline: Deadline) -> Response:
    """Nothing is checked, so that it cannot fail for that; what went forward meanwhile is stopped."""
    queue = Queue.of(event)
    folder = _folder(queue, clients, deadline)
    _start(queue.after(folder.queue()), folder, clients)
    _stop_what_left(queue, folder, clients, deadline)
    return Response(queue.physical_id)


def _start(queue: Queue, folder: Folder, clients: Clients) -> None:
    """Writes what is wanted, if it is what it was when it was read, and starts what works through it."""
    try:
        folder.want(queue)
    except Changed:
        now = folder.queue()
        if now is None or now.generation != queue.generation:  # else it was this event that changed it
            raise
    queue.start(clients)


def _problems(queue: Queue, clients: Clients) -> Iterator[str]:
    """Why a job cannot be submitted, for every job; what is the same for many of them is looked up once."""
    if not queue.rows:
        yield "The queue has no jobs. Add one."
    remembering = RememberingClients(clients)
    for row in queue.rows:
        try:
            plan.make(row.request, remembering)
        except Refused as refused:
            yield f"{row.name}: {refused}"


def _leave(queue: Queue, folder: Folder, now: Folder, clients: Clients, deadline: Deadline) -> None:
    """For the queue that came after it, which may have moved: then nothing is wanted here any more."""
    if not folder.is_at(now) and folder.exists():
        _want_nothing(queue, folder)
    _stop_what_left(queue, now, clients, deadline)


def _want_nothing(queue: Queue, folder: Folder) -> None:
    """So that no turn under way submits."""
    folder.want(queue.without_rows.after(folder.queue()))


def _end(queue: Queue, folder: Folder, clients: Clients, deadline: Deadline) -> None:
    """First nothing is wanted any more, then what runs is stopped."""
    if folder.exists():
        _want_nothing(queue, folder)
        _stop(queue, folder, (), clients, deadline)
    else:
        for job in history.running_of(queue.owner, clients, deadline):
            jobs.stop(job, clients)


def _stop_what_left(queue: Queue, folder: Folder, clients: Clients, deadline: Deadline) -> None:
    wanted = folder.queue()
    if wanted is not None:  # else nobody can say what left
        _stop(queue, folder, wanted.rows, clients, deadline)


def _stop(queue: Queue, folder: Folder, wanted: Sequence[Row], clients: Clients, deadline: Deadline) -> None:
    """Stops what runs and is not wanted, and forgets it: a row that comes back is then submitted anew."""
    for job in _running(queue, folder, clients, deadline):
        if not any(attempt_in(job.name, row.key) for row in wanted):
            jobs.stop(job, clients)
    _forget(folder, {row.key for row in wanted})


def _forget(folder: Folder, wanted: Collection[str]) -> None:
    """What has ended stays known; a turn that writes at the same time is let go first."""
    for _ in range(2):
        with contextlib.suppress(Changed):
            _forget_once(folder, wanted)
            return
    _forget_once(folder, wanted)


def _forget_once(folder: Folder, wanted: Collection[str]) -> None:
    found = folder.records()
    kept = {key: each for key, each in found.items() if key in wanted or each.is_over}
    if kept != found:
        folder.keep(kept)


def _running(queue: Queue, folder: Folder, clients: Clients, deadline: Deadline) -> Iterator[Job]:
    """The queue's jobs that run: those that the service lists, and those in its records that it does not list yet."""
    seen = set()
    for job in history.running_of(queue.owner, clients, deadline):
        seen.add(job.name)
        yield job
    for record in folder.records().values():
        if record.is_running and record.job_name not in seen:
            unlisted = jobs.describe(record.job_name, record.category, clients)
            if unlisted and unlisted.is_running and queue.owner.owns(unlisted.tags):
                yield unlisted


def _folder(queue: Queue, clients: Clients, deadline: Deadline) -> Folder:
    return Folder.of(queue.bucket, queue.folder, clients, deadline)
