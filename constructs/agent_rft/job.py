"""A job of the API: what a trainer submits, or what was submitted elsewhere."""

from typing import Protocol

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft import permissions
from agent_rft.permissions import Permission
from agent_rft_handler import facts


class IAgentRFTJob(Protocol):
    """A job, whoever submitted it."""

    job_name: str
    job_arn: str

    def grant_describe(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read the job."""
        ...

    def grant_stop(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone stop the job."""
        ...


class Job(Construct):
    """What trainers and attached jobs have in common."""

    category = facts.AGENT_RFT
    job_name: str
    job_arn: str

    @property
    def log_group_name(self) -> str:
        """Where the service writes the job's logs; its streams start with the job's name."""
        return self.category.log_group_name

    def grant_describe(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read the job (DescribeJob, ListTags)."""
        return self._grant(grantee, permissions.DESCRIBE_JOB)

    def grant_stop(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone stop the job (StopJob)."""
        return self._grant(grantee, permissions.STOP_JOB)

    def _grant(self, grantee: iam.IGrantable, permission: Permission) -> iam.Grant:
        return iam.Grant.add_to_principal(
            grantee=grantee, actions=list(permission.actions), resource_arns=[self.job_arn]
        )


class AttachedJob(Job):
    """A job that was submitted elsewhere [the SDK's ``attach``]."""

    def __init__(self, scope: Construct, id: str, job_name: str) -> None:
        """Use ``MultiTurnRLTrainer.from_job_name`` instead."""
        super().__init__(scope, id)
        self.job_name = job_name
        self.job_arn = Stack.of(self).format_arn(
            service="sagemaker", resource="job", resource_name=f"{self.category.name}/{job_name}"
        )
