"""Every job that a resource ever submitted, as far as the service shows it.

ListJobs finds them by the owner's digest in their names; DescribeJob on the names that follow from the declarations
stands beside it, as a list may lag behind.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from agent_rft_handler import facts, stack
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.contract import from_properties
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained
from agent_rft_handler.facts import OWN_TAGS, TERMINAL_STATUSES
from agent_rft_handler.job import jobs
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.names import ATTEMPTS_MAX, attempt, attempt_in, is_name_of
from agent_rft_handler.job.request import Request, request_of
from agent_rft_handler.owner import Owner

LAG = 180.0
"""Seconds for which a new job's tags may be missing."""


@dataclass(frozen=True)
class History:
    """The resource's own jobs, and the taken names of the declaration that are not its own."""

    request: Request
    jobs: tuple[Job, ...]
    foreign: tuple[str, ...] = ()

    @property
    def of_this_request(self) -> Job | None:
        """The job that an earlier delivery of this very event submitted."""
        return next((job for job in self.jobs if job.request_id == self.request.request_id), None)

    @property
    def known(self) -> Job | None:
        """The job by whose name CloudFormation knows the resource."""
        return self.named(self.request.known_name)

    @property
    def latest(self) -> Job | None:
        """The last of the declaration's own jobs."""
        return max(self._attempts(), key=lambda job: attempt_in(job.name, self.request.first_name), default=None)

    @property
    def running(self) -> tuple[Job, ...]:
        return tuple(job for job in self.jobs if job.is_running)

    def named(self, name: str) -> Job | None:
        """The own job of that name, or None."""
        return next((job for job in self.jobs if job.name == name), None)

    def does_not_show(self, name: str) -> bool:
        """Whether there is no job of that name, own or foreign."""
        return name not in self.foreign and self.named(name) is None

    def next_name(self) -> str:
        """The name of the declaration's next job.

        Raises:
            Refused: when the name is taken by what is not this resource's, or there were too many already.
        """
        first = self.request.first_name
        for name in self.foreign:
            if attempt_in(name, first):
                raise conflict(name)
        return name_after(self.latest.name if self.latest else "", first)

    def strays(self, keep: Collection[str]) -> tuple[Job, ...]:
        """What runs although no stack knows it: not kept, nor replaced under a policy to retain what is replaced."""
        retained = {job.predecessor for job in self.jobs} if self.request.keeps_replaced else set()
        return tuple(job for job in self.running if job.name not in retained and job.name not in keep)

    def _attempts(self) -> tuple[Job, ...]:
        return tuple(job for job in self.jobs if attempt_in(job.name, self.request.first_name))


def read(request: Request, clients: Clients, deadline: Deadline) -> History:
    """The history, with what only just happened: a job without any of its tags is waited for."""
    own: list[Job] = []
    foreign: list[Job] = []
    for job in _described(request, clients):
        settled = _settled(job, request, clients, deadline)
        (own if settled and _is_own(settled, request) else foreign).append(settled or job)
    return History(request, tuple(own), tuple(job.name for job in foreign))


def running_of(owner: Owner, clients: Clients, deadline: Deadline) -> Iterator[Job]:
    """Whatever runs of an owner whose jobs have many declarations: an execution, or a queue."""
    for category in facts.CATEGORIES:
        request = request_of(owner, replace(from_properties({}), job_category=category))
        yield from read(request, clients, deadline).running


def stop_strays(history: History, keep: Collection[str], clients: Clients) -> tuple[Job, ...]:
    """Stops what runs although no stack knows it; the jobs that are stopping now.

    What CloudFormation itself knows the resource by is never stopped, whatever this event says.
    """
    request = history.request
    strays = history.strays(keep)
    if strays:
        known = stack.known_id(request.owner.stack_id, request.owner.logical_id, clients)
        strays = tuple(job for job in strays if job.name != known)
    for job in strays:
        jobs.stop(job, clients)
    return strays


def name_after(name: str, first: str) -> str:
    """The attempt after that of ``name``; the first one where it is none.

    Raises:
        Refused: when there were too many already.
    """
    number = attempt_in(name, first)
    if number >= ATTEMPTS_MAX:
        raise Refused(f"The declaration of {first} was submitted {number} times. Change run_id to submit it again.")
    return attempt(first, number + 1)


def conflict(name: str) -> Refused:
    """The refusal to touch a namesake."""
    return Refused(
        f"A job named {name} exists, but its role and tags are not this resource's, so it is left alone and nothing "
        "was submitted. Change run_id or base_job_name to get another name."
    )


def unless_withdrawn(job: Job) -> Job:
    """The job of an event that is delivered again, unless an earlier delivery took it back and could not say so.

    Raises:
        Refused: when it is stopping or stopped: whoever stopped it, nothing would run.
    """
    if job.status in ("Stopping", "Stopped"):
        raise Refused(f"The job {job.name} was submitted, and is {job.status} already. Deploy again.", job.name)
    return job


def is_settled(job: Job) -> bool:
    """Whether the service shows the tags with which the job was submitted."""
    return OWN_TAGS["stack"] in job.tags


def _is_own(job: Job, request: Request) -> bool:
    """By name, tags and, where this event says with which one it was declared, role."""
    role = request.role_of(job.name)
    return request.owner.owns(job.tags) and role in ("", job.role_arn)


def _described(request: Request, clients: Clients) -> Iterator[Job]:
    rows = {row["JobName"]: row for row in _listed(request, clients)}
    firsts = dict.fromkeys(first for first in (request.first_name, request.former_name) if first)
    names = [
        name for name, row in rows.items() if row["JobStatus"] not in TERMINAL_STATUSES
    ]  # the others never run again
    names += [name for name in rows if any(attempt_in(name, first) for first in firsts)]
    names += [request.named_in_id] if request.named_in_id else []
    seen: set[str] = set()
    for name in names:
        if name not in seen and (job := jobs.describe(name, request.category, clients)):
            yield job
        seen.add(name)
    for first in firsts:
        yield from _unlisted(first, seen, request, clients)


def _unlisted(first: str, seen: set[str], request: Request, clients: Clients) -> Iterator[Job]:
    """Attempts that the list does not show yet: those that follow the ones it shows, until one is missing."""
    last = max((attempt_in(name, first) for name in seen), default=0)
    for number in range(last + 1, ATTEMPTS_MAX + 1):
        job = jobs.describe(attempt(first, number), request.category, clients)
        if job is None:
            return
        yield job


def _listed(request: Request, clients: Clients) -> list[dict[str, Any]]:
    having: dict[str, Any] = {"NameContains": f"-{request.owner.digest}-", "MaxResults": 100}
    try:
        rows = listed(clients.sagemaker.list_jobs, "JobSummaries", JobCategory=request.category, **having)
        return [row for row in rows if is_name_of(row["JobName"], request.owner)]
    except AWS_ERRORS as error:
        raise explained(error, "Listing the jobs of this resource") from error


def _settled(job: Job, request: Request, clients: Clients, deadline: Deadline) -> Job | None:
    """The job once its tags are there, where nothing but their absence speaks against it; None if it vanished."""
    pauses = deadline.pauses(longest=16, in_all=LAG)
    now: Job | None = job
    while now and not is_settled(now) and request.role_of(now.name) in ("", now.role_arn) and next(pauses, 0.0):
        now = jobs.describe(job.name, request.category, clients)
    return now
