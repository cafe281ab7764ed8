"""The function that a queue's state machine calls, turn by turn: looks at what runs, and submits what comes next.

A turn trusts what is there, not what the last one meant to do: the list of what is wanted, the records, and the jobs
themselves. So a turn that is made twice, or that nobody heard of, submits nothing twice and loses nothing.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import Refused
from agent_rft_handler.job import history, jobs, plan
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import OverQuota, Submission
from agent_rft_handler.job_event import LAG, wait
from agent_rft_handler.job_queue import reward
from agent_rft_handler.job_queue.folder import Folder
from agent_rft_handler.job_queue.queue import Queue, Row
from agent_rft_handler.job_queue.record import GONE, Record, table
from agent_rft_handler.patience import PatientClients

CLIENTS = AwsClients()

TURNS = 1000
"""After so many turns another execution goes on: a turn is some ten of the 25,000 events that one may have."""

LONGEST = 900.0
"""Seconds between two attempts while the quota is used up."""


class NotWanted(Refused):
    """The queue has no such job any more."""


def handler(state: Mapping[str, Any], context: Any) -> dict[str, Any]:
    """Lambda's entry point."""
    return turn(state, CLIENTS, Deadline.of(context), time.time())


def turn(state: Mapping[str, Any], clients: Clients, deadline: Deadline, now: float) -> dict[str, Any]:
    """The execution's next state: whether the queue is done, and else how long to wait.

    Args:
        state: The execution's state, which ``Queue.start`` begins.
        clients: The AWS clients.
        deadline: The end of the function's time.
        now: Unix time in seconds.
    """
    patient = PatientClients(clients, deadline)
    folder = Folder.of(state["Bucket"], state["Folder"], clients, deadline)
    queue = folder.required()
    over = {**state, "IsEnded": True, "Wait": 1}
    if queue.generation != state["Generation"]:
        return over  # another execution has taken over
    try:
        taken = Turn(queue, folder, patient, deadline, now).take()
    except NotWanted:
        return over
    if taken.is_done:
        return over
    if state["Turn"] >= TURNS:
        queue.start(patient, part=state["Part"] + 1)
        return over
    idle = state["Idle"] + 1 if taken.is_idle else 0
    return {**state, "IsEnded": False, "Wait": taken.wait(idle), "Turn": state["Turn"] + 1, "Idle": idle}


@dataclass(frozen=True)
class Taken:
    """What came of a turn.

    Args:
        queue: The queue.
        waiting: How many jobs have not been submitted, and will be.
        running: Those that run.
        is_idle: Whether one was due and could not be submitted.
        now: Unix time in seconds.
    """

    queue: Queue
    waiting: int
    running: tuple[Record, ...]
    is_idle: bool
    now: float

    @property
    def is_done(self) -> bool:
        return not self.waiting and not self.running

    def wait(self, idle: int) -> int:
        """Seconds until the next turn: none to speak of while there is room, else as the jobs' ages say."""
        every = self.queue.every
        if self.waiting and len(self.running) < self.queue.concurrency and not self.is_idle:
            return 1
        looks = [wait(each.created_at, every, self.now) for each in self.running]
        attempt = [min(LONGEST, every * 1.5 ** (idle - 1))] if self.is_idle else []
        return max(1, round(min([*looks, *attempt])))


@dataclass
class Turn:
    """One turn of a queue."""

    queue: Queue
    folder: Folder
    clients: Clients
    deadline: Deadline
    now: float
    ended: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """What DescribeJob says of the jobs that this turn saw to have ended, by their names."""

    def take(self) -> Taken:
        """Looks, submits one job at most, and writes down what changed."""
        before = self.folder.records()
        seen = {row.key: self._seen(before.get(row.key) or Record(row.name)) for row in self.queue.rows}
        is_idle = False
        if due := self._due(seen):
            seen[due.key] = self._submitted(due, seen[due.key])
            is_idle = seen[due.key].is_waiting
        known = self._keep(before, seen)
        rewarded = {key: self._rewarded(each) for key, each in seen.items()}
        self._keep(known, rewarded)
        self.folder.publish(table(self.queue.rows, rewarded))
        running = tuple(each for each in seen.values() if each.is_running)
        waiting = sum(each.is_waiting for each in seen.values()) if self._goes_on(seen) else 0
        return Taken(self.queue, waiting, running, is_idle, self.now)

    def _goes_on(self, seen: Mapping[str, Record]) -> bool:
        return not (self.queue.stops_on_failure and any(each.is_a_failure for each in seen.values()))

    def _due(self, seen: Mapping[str, Record]) -> Row | None:
        """The first job that waits, where there is room for it."""
        is_full = sum(each.is_running for each in seen.values()) >= self.queue.concurrency
        if is_full or not self._goes_on(seen):
            return None
        return next((row for row in self.queue.rows if seen[row.key].is_waiting), None)

    def _seen(self, record: Record) -> Record:
        if not record.is_running:
            return record
        job = jobs.described(record.job_name, record.category, self.clients)
        if job is None:
            is_gone = self.now - record.created_at >= LAG
            return replace(record, status=GONE) if is_gone else record
        return self._described(record, job)

    def _described(self, record: Record, job: Mapping[str, Any]) -> Record:
        now = record.described(job)
        if now.is_over:
            self.ended[now.job_name] = job
        return now

    def _submitted(self, row: Row, record: Record) -> Record:
        try:
            past = history.read(row.request, self.clients, self.deadline)
            latest = past.latest
            if latest and latest.status not in ("Stopping", "Stopped"):
                return self._described(record.submitted(latest, self.now), latest.described)
            return record.submitted(self._new_job(row, past.next_name()), self.now)
        except OverQuota:
            return record
        except NotWanted:
            raise
        except Refused as refused:
            return record.refused(str(refused))

    def _new_job(self, row: Row, name: str) -> Job:
        planned = plan.make(row.request, self.clients)
        return Submission(
            name, planned, row.request, (), self.clients, self.deadline, require_wanted=self._require_wanted
        ).submit()

    def _require_wanted(self, request: Request, _: Clients) -> None:
        queue = self.folder.required()
        if request.first_name not in {row.key for row in queue.rows}:
            raise NotWanted(f"The queue no longer has the job {request.first_name}, so nothing was submitted.")

    def _rewarded(self, record: Record) -> Record:
        """With the final reward, if the job was seen to end in this turn: it is asked for once."""
        job = self.ended.get(record.job_name)
        return replace(record, reward=reward.final(job, self.clients, self.deadline)) if job else record

    def _keep(self, before: Mapping[str, Record], seen: Mapping[str, Record]) -> Mapping[str, Record]:
        """Writes what changed; what has ended stays known when its row leaves the queue, in case it comes back."""
        known = {key: each for key, each in before.items() if each.is_over} | dict(seen)
        if known != before:
            self.folder.keep(known)
        return known
