"""CreateJob, so that a lost answer, a retry, a new role or a cancelled deployment leaves no job that nobody knows."""

import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from agent_rft_handler import stack
from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.errors import (
    AWS_ERRORS,
    Refused,
    code_of,
    explained,
    is_name_taken,
    is_role_too_new,
    is_throttled,
    is_unanswered,
    name_of,
)
from agent_rft_handler.job import jobs
from agent_rft_handler.job.history import conflict, is_settled, name_after, unless_withdrawn
from agent_rft_handler.job.jobs import RUNNING, Job
from agent_rft_handler.job.names import UNCONFIRMED
from agent_rft_handler.job.plan import Plan
from agent_rft_handler.job.request import Request

log = logging.getLogger(__name__)

LONGEST_PAUSE = 32.0
"""Seconds between two attempts at most."""

ROLE_LAG = 120.0
"""Seconds after which a role that cannot be assumed is wrong, not new; a new one takes some ten of them."""


def require_deploying(request: Request, clients: Clients) -> None:
    """Refuses to start anything unless the stack is going forward."""
    stack.require_deploying(request.owner.stack_id, clients)


class OverQuota(Refused):
    """As many jobs run as may; a task waits and tries again."""


@dataclass
class Submission:
    """One job on its way to the service, and what is known of it so far.

    Args:
        name: Its name; another attempt's when the service turns out to have a job of this one already.
        plan: What is submitted.
        request: Who submits it.
        stopping: Jobs that are stopping, so that a quota that is used up will be free again.
        clients: The AWS clients.
        deadline: The end of the function's time.
        require_wanted: Raises Refused when nobody wants the job any more; asked before each attempt and after the last.
    """

    name: str
    plan: Plan
    request: Request
    stopping: Sequence[Job]
    clients: Clients
    deadline: Deadline
    require_wanted: Callable[[Request, Clients], None] = require_deploying
    is_uncertain: bool = False
    """Whether there may be a job although the service did not say so."""
    job: Job | None = None

    def submit(self) -> Job:
        """Submits once, whatever is answered; what this event cannot answer for is stopped again.

        The stack is asked right before each attempt, and once after the last, whether it still goes forward.
        """
        try:
            self.job = self._until_there()
            self.require_wanted(self.request, self.clients)
        except Refused as refused:
            raise type(refused)(str(refused), self._withdraw()) from None
        return self.job

    def _until_there(self) -> Job:
        last: Exception | None = None
        for waited in chain([0.0], self.deadline.pauses(longest=LONGEST_PAUSE, reserve=SUBMIT)):
            if not self.deadline.allows(SUBMIT):
                break
            self.require_wanted(self.request, self.clients)
            try:
                return self._created()
            except AWS_ERRORS as error:
                log.info("CreateJob %s: %s", self.name, name_of(error))
                last = error
            if job := self._after(last, waited):
                return job
        if last is None:
            raise Refused(
                f"The job {self.name} was not submitted: too little of the function's time was left. Deploy again."
            )
        raise explained(last, f"Submitting the job {self.name}")

    def _created(self) -> Job:
        plan, request = self.plan, self.plan.request(self.name)
        arn = self.clients.sagemaker.create_job(**request)["JobArn"]
        return Job(self.name, arn, plan.job_category, "InProgress", plan.role_arn, plan.tags, described=request)

    def _after(self, error: Exception, waited: float) -> Job | None:
        """Our job, if a call that failed worked all the same; None to try again; else the reason not to."""
        self.is_uncertain |= is_name_taken(error) or is_unanswered(error)
        if self.is_uncertain:
            return self._looked_up()  # whatever else is said now: our own job may be what uses up the quota
        if code_of(error) == "ResourceLimitExceeded":
            if self.stopping:
                return None
            raise self._over_quota(error) from error
        if is_throttled(error) or (is_role_too_new(error) and waited < ROLE_LAG):
            return None
        raise explained(error, f"Submitting the job {self.name}") from error

    def _looked_up(self) -> Job | None:
        """The job of this request, if it is there; a job of another request has the name, so the next one is free."""
        job = self._described()
        if job is None or (not is_settled(job) and job.role_arn == self.plan.role_arn):
            return None
        self.is_uncertain = False
        if job.role_arn != self.plan.role_arn or not self.request.owner.owns(job.tags):
            raise conflict(self.name)
        if job.request_id == self.request.request_id:
            return unless_withdrawn(job)
        self.name = name_after(self.name, self.request.first_name)
        return None

    def _described(self) -> Job | None:
        try:
            return jobs.describe(self.name, self.plan.job_category, self.clients)
        except Refused as refused:
            log.info("looking for %s: %s", self.name, refused)
            return None

    def _withdraw(self) -> str:
        """Stops what may have been submitted; the physical id for it, empty where there is nothing."""
        if not self.job and not self.is_uncertain:
            return ""
        with contextlib.suppress(*AWS_ERRORS):  # the Delete that follows finds it by this id
            jobs.stop_unseen(self.name, self.plan.job_category, self.clients)
        return self.name if self.job else UNCONFIRMED + self.name

    def _over_quota(self, error: Exception) -> OverQuota:
        names = ", ".join(self._running()) or "none that this role can see"
        return OverQuota(
            f"The job {self.name} was not submitted: the account's quota of {self.plan.job_category} jobs running at a "
            f"time is used up (running: {names}). Wait for it or stop it and deploy again, or ask for a higher quota. "
            f"({error})"
        )

    def _running(self) -> list[str]:
        """The names of the jobs that count against the quota; where they cannot be listed, that is no other error."""
        names: list[str] = []
        with contextlib.suppress(Refused):
            for status in RUNNING:
                names += jobs.names_of(self.plan.job_category, status, self.clients)
        return names
