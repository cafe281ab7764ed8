"""The ARNs of jobs that nobody can list beforehand."""

from aws_cdk import Stack

from agent_rft_handler.facts import AGENT_RFT


def every_job(stack: Stack) -> str:
    """Trainings and evaluations of the stack's account and region, by any name.

    One pattern for both categories: when the last evaluator leaves a stack, its job must still be found and stopped.
    """
    return stack.format_arn(service="sagemaker", resource="job", resource_name=f"{AGENT_RFT.name}*/*")
