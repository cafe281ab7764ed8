"""A dry run: all is checked that a submission checks, and nothing is submitted."""

from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import Refused
from agent_rft_handler.job import history, jobs, plan
from agent_rft_handler.job.history import History
from agent_rft_handler.job.names import DRY_RUN
from agent_rft_handler.job.request import Request
from agent_rft_handler.response import Response


def rehearse(past: History, clients: Clients) -> Response:
    """The answer of a submission, without the job."""
    request = past.request
    history.stop_strays(past, {request.known_name}, clients)
    planned = plan.make(request, clients)
    _refuse_while_running(past)
    return answer(request, past.next_name(), planned.base_model_arn)


def answer(request: Request, name: str = "", base_model_arn: str = "") -> Response:
    """What a submission would have answered, under an id that is not a job's name.

    The id follows from the declaration alone, so that a rollback leads back to it.
    """
    return request.answer(name or request.first_name, base_model_arn, physical_id=DRY_RUN + request.first_name)


def _refuse_while_running(past: History) -> None:
    """A dry run takes its job's place in the stack, and CloudFormation's clean-up would then stop the job."""
    earlier = past.known
    if earlier and earlier.status == "InProgress":
        raise Refused(
            f"dry_run is set, but the job {earlier.name} is InProgress and would be stopped, so nothing changed. "
            f"Wait until it ends; or stop it ({jobs.stop_command(earlier)}); or leave dry_run out."
        )
