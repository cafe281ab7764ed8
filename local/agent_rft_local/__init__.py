"""A local AWS that runs AgentRFT jobs: ministack, and what it lacks, on the loopback interface.

Its SageMaker answers come from botocore's model and from guesses, never from AWS.
"""

from agent_rft_local.local_aws import LocalAws

__all__ = ["LocalAws"]
