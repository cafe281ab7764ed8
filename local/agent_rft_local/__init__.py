"""A local AWS that runs AgentRFT jobs: ministack, and what it lacks, on the loopback interface.

Its SageMaker answers come from botocore's model and from guesses, never from AWS.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_rft_local.local_aws import LocalAws

__all__ = ["LocalAws"]


def __getattr__(name: str) -> Any:
    """Imports boto3 only for who asks for ``LocalAws``: pytest loads this package in every project that has it."""
    if name == "LocalAws":
        from agent_rft_local.local_aws import LocalAws

        return LocalAws
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
