"""What a deployment that needs a new job does about the earlier one, while that still runs."""

from agent_rft_handler.clients import Clients
from agent_rft_handler.deadline import SUBMIT, Deadline
from agent_rft_handler.declaration import Replacement
from agent_rft_handler.errors import Refused
from agent_rft_handler.job import jobs
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import require_deploying


def make_room(earlier: Job | None, request: Request, clients: Clients, deadline: Deadline) -> None:
    """Leaves room for a new job, as ``replacement`` says."""
    chosen = request.declaration.replacement
    if earlier is None or not earlier.is_running or chosen == Replacement.SUBMIT_FIRST:
        return
    if chosen != Replacement.STOP_FIRST:
        raise Refused(
            f"The earlier job {earlier.name} is {earlier.status}, and one job runs at a time, so nothing was submitted "
            f"and nothing changed. Wait until it ends; or stop it ({jobs.stop_command(earlier)}); or set replacement="
            "Replacement.STOP_FIRST, or Replacement.SUBMIT_FIRST if your quota allows two."
        )
    jobs.stop(earlier, clients)
    _wait_until_stopped(earlier, request, clients, deadline)


def _wait_until_stopped(job: Job, request: Request, clients: Clients, deadline: Deadline) -> None:
    """Waits while enough time is left to submit, and the stack still goes forward."""
    while deadline.allows(SUBMIT + jobs.POLL):
        now = jobs.describe(job.name, job.category, clients)
        if now is None or not now.is_running:
            return
        deadline.sleep(jobs.POLL)
        require_deploying(request, clients)
    raise Refused(f"The job {job.name} is still stopping, so nothing was submitted. Deploy again in a few minutes.")
