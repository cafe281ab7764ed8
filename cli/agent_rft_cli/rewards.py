"""The rewards of a job so far, as far as its MLflow app gives them."""

from collections.abc import Sequence

from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import sentence
from agent_rft_cli.job import Job
from agent_rft_handler.errors import AWS_ERRORS, Refused
from agent_rft_handler.mlflow import REWARD, MlflowRun, Point


def so_far(job: Job, clients: Clients) -> tuple[Sequence[Point], str]:
    """The mean reward of each step, and why there are none where MLflow does not give them: no reason to fail."""
    try:
        run = MlflowRun.of(job.described, clients.mlflow)
        return (run.history(REWARD) if run else ()), ""
    except (Refused, *AWS_ERRORS) as error:
        return (), f"The reward cannot be read. {sentence(error)}"
