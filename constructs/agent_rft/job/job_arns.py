"""The ARNs of jobs that nobody can list beforehand."""

from constructs import IConstruct

from agent_rft.place import Place
from agent_rft_handler.facts import AGENT_RFT


def every_job(scope: IConstruct) -> str:
    """Trainings and evaluations of the stack's account and region, by any name.

    One pattern for both categories: when the last evaluator leaves a stack, its job must still be found and stopped.
    """
    return Place.of(scope).arn("sagemaker", "job", f"{AGENT_RFT.name}*/*")
