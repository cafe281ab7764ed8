"""What each event of the custom resource does. docs/lifecycle.md says it in five sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent_rft_handler import facts, jobs, plan, submission
from agent_rft_handler.clients import Clients
from agent_rft_handler.contract import Declaration, Replacement, digest, from_properties
from agent_rft_handler.errors import JobRefused
from agent_rft_handler.jobs import Found, Job, Time
from agent_rft_handler.names import dry_run_id, is_attempt_of, is_dry_run_id, job_name
from agent_rft_handler.owner import Owner


@dataclass(frozen=True)
class Request:
    """An event of CloudFormation, parsed."""

    kind: str
    owner: Owner
    declaration: Declaration
    former: Declaration
    physical_id: str

    @classmethod
    def of(cls, event: Mapping[str, object]) -> "Request":
        """The request in an event; what is malformed in it reads as absent."""
        return cls(
            kind=str(event["RequestType"]),
            owner=Owner(str(event["StackId"]), str(event["LogicalResourceId"])),
            declaration=_declaration(event.get("ResourceProperties")),
            former=_declaration(event.get("OldResourceProperties")),
            physical_id=str(event.get("PhysicalResourceId") or ""),
        )

    @property
    def category(self) -> str:
        return self.declaration.job_category or facts.AGENT_RFT.name

    @property
    def first_name(self) -> str:
        """The name of the declaration's first attempt."""
        return job_name(self.declaration, self.owner.stack_id, self.owner.logical_id)

    @property
    def former_name(self) -> str:
        """The same for the declaration before this event; empty where it submitted nothing."""
        if not self.former.role_arn or self.former.dry_run:
            return ""
        return job_name(self.former, self.owner.stack_id, self.owner.logical_id)

    @property
    def own_tags(self) -> dict[str, str]:
        return self.owner.tags(digest(self.declaration, self.owner.stack_id, self.owner.logical_id))


def create(request: Request, clients: Clients, time: Time) -> dict[str, object]:
    """Submits the job, or finds the one that an earlier delivery of the event submitted."""
    if request.declaration.dry_run:
        return _rehearse(request, clients)
    found = _find(request, clients)
    if found.job:
        return _answer(found.job)
    if request.owner.is_going_back(clients):
        raise JobRefused("The stack is rolling back or being deleted, so nothing was submitted.")
    planned = plan.make(request.declaration, request.owner, clients)
    return _answer(submission.submit(found.name, planned, request.owner, clients, time))


def update(request: Request, clients: Clients, time: Time) -> dict[str, object]:
    """The same job with its tags brought up to date, or another job when what defines it changed."""
    if request.declaration.dry_run:
        return _rehearse(request, clients)
    if is_attempt_of(request.physical_id, request.first_name):
        return _keep(request, clients)
    found = _find(request, clients)
    if found.job:
        return _answer(found.job)
    if request.owner.is_going_back(clients):
        return _answer_without_job(found.name, request)
    planned = plan.make(request.declaration, request.owner, clients)
    _make_room(request, clients, time)
    return _answer(submission.submit(found.name, planned, request.owner, clients, time))


def delete(request: Request, clients: Clients, _time: Time) -> dict[str, object]:
    """Stops what runs and is ours, and lets go of it; anything else is success already."""
    for job in _to_let_go(request, clients):
        _let_go(job, clients)
    return {"PhysicalResourceId": request.physical_id}


def _rehearse(request: Request, clients: Clients) -> dict[str, object]:
    """Checks all that a submission checks and submits nothing; going back, only takes back what was submitted."""
    if request.owner.is_going_back(clients):
        _let_go_of_failed_update(request, clients)
        return _answer_rehearsed(request.first_name, "", request)
    planned = plan.make(request.declaration, request.owner, clients)
    _refuse_while_running(request, clients)
    name = jobs.name_after(_find(request, clients), request.first_name)
    return _answer_rehearsed(name, planned.base_model_arn, request)


def _refuse_while_running(request: Request, clients: Clients) -> None:
    """A dry run takes its job's place in the stack, and CloudFormation's clean-up would then stop the job."""
    earlier = _own_job(request, clients)
    if earlier and earlier.status == "InProgress":
        raise JobRefused(
            f"dry_run is set, but the job {earlier.name} is InProgress and would be stopped, so nothing changed. "
            f"Wait until it ends; or stop it ({_stop_command(earlier)}); or leave dry_run out."
        )


def _find(request: Request, clients: Clients) -> Found:
    role_arn = request.declaration.role_arn
    return jobs.find(request.first_name, request.category, request.own_tags, role_arn, clients)


def _keep(request: Request, clients: Clients) -> dict[str, object]:
    _let_go_of_failed_update(request, clients)
    job = jobs.describe(request.physical_id, request.category, clients)
    if job is None:
        return _answer_without_job(request.physical_id, request)
    new, old = request.declaration.tags, request.former.tags
    added = {key: value for key, value in new.items() if old.get(key) != value}
    jobs.retag(job.arn, added, tuple(key for key in old if key not in new), clients)
    return _answer(job)


def _let_go_of_failed_update(request: Request, clients: Clients) -> None:
    """Stops what an update submitted whose answer never arrived: the stack rolls back and knows no id of it."""
    failed = request.former_name
    if not failed or is_attempt_of(request.physical_id, failed):
        return
    for job in _kept_jobs(failed, request, clients):
        _let_go(job, clients)


def _make_room(request: Request, clients: Clients, time: Time) -> None:
    """What ``replacement`` says about the earlier job, when it still runs."""
    earlier = _own_job(request, clients)
    if earlier is None or not earlier.is_running or request.declaration.replacement == Replacement.SUBMIT_FIRST:
        return
    if request.declaration.replacement == Replacement.REFUSE:
        raise JobRefused(
            f"The earlier job {earlier.name} is {earlier.status}, and one job runs at a time, so nothing was submitted "
            f"and nothing changed. Wait until it ends; or stop it ({_stop_command(earlier)}); or set "
            f"replacement={Replacement.STOP_FIRST.value!r}, or {Replacement.SUBMIT_FIRST.value!r} if your quota "
            "allows two."
        )
    jobs.stop(earlier, clients)
    jobs.wait_until_stopped(earlier, clients, time)


def _stop_command(job: Job) -> str:
    return f"aws sagemaker stop-job --job-category {job.category} --job-name {job.name}"


def _to_let_go(request: Request, clients: Clients) -> list[Job]:
    """The job by its id; for an id that CloudFormation made up (a cancelled create), the declaration's own jobs."""
    if job := _own_job(request, clients):
        return [job]
    if request.declaration.dry_run or is_dry_run_id(request.physical_id):
        return []  # it submitted nothing; the declaration's job, if there is one, has an id of its own
    if is_attempt_of(request.physical_id, request.first_name) or not request.declaration.role_arn:
        return []
    return _kept_jobs(request.first_name, request, clients)


def _kept_jobs(first: str, request: Request, clients: Clients) -> list[Job]:
    """This resource's jobs under a declaration's names that no Delete has let go of."""
    found = jobs.attempts(first, request.category, clients)
    return [job for job in found if request.owner.owns(job.tags) and not job.is_released]


def _let_go(job: Job, clients: Clients) -> None:
    jobs.stop(job, clients)
    jobs.release(job, clients)


def _own_job(request: Request, clients: Clients) -> Job | None:
    if not facts.JOB_NAME.accepts(request.physical_id):
        return None
    job = jobs.describe(request.physical_id, request.category, clients)
    return job if job and request.owner.owns(job.tags) else None


def _answer(job: Job) -> dict[str, object]:
    data = {"JobName": job.name, "JobArn": job.arn, "BaseModelArn": job.base_model_arn}
    return {"PhysicalResourceId": job.name, "Data": data}


def _answer_rehearsed(name: str, base_model_arn: str, request: Request) -> dict[str, object]:
    """What a submission would have answered, under an id that is no job's name."""
    arn = request.owner.arn(f"job/{request.category}/{name}")
    data = {"JobName": name, "JobArn": arn, "BaseModelArn": base_model_arn}
    return {"PhysicalResourceId": dry_run_id(request.first_name), "Data": data}


def _answer_without_job(name: str, request: Request) -> dict[str, object]:
    """A job that is gone stays gone: its id, and no new one."""
    arn = request.owner.arn(f"job/{request.category}/{name}")
    return {"PhysicalResourceId": name, "Data": {"JobName": name, "JobArn": arn, "BaseModelArn": ""}}


def _declaration(properties: object) -> Declaration:
    return from_properties(properties if isinstance(properties, Mapping) else {})
