"""SageMaker's Job Runtime, through which the agent itself samples the model it trains and reports rewards."""

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft import permissions
from agent_rft.arguments.checked import checked
from agent_rft.iam.grants import granted
from agent_rft.job.job_arns import every_job
from agent_rft.output.encryption_key import symmetric_key


@checked
def grant_job_runtime(scope: Construct, grantee: iam.IGrantable, *, kms_key: kms.IKey | None = None) -> iam.Grant:
    """Lets an agent call the Job Runtime of the jobs of the stack's own account and region.

    Example::

        grant_job_runtime(self, agent_function)

    Args:
        scope: A construct of the stack in which the jobs run.
        grantee: The agent's function or role; an AgentCore runtime's role where the runtime is a construct.
        kms_key: The jobs' customer key, when they have one; none without it.
    """
    jobs = every_job(Stack.of(scope))
    grant = granted(scope, grantee, permissions.ANSWER_JOB, jobs)
    grant = grant.combine(granted(scope, grantee, permissions.BEAR_TOKEN, "*"))
    if key := symmetric_key(scope, "kms_key", kms_key):
        via = permissions.via("sagemaker")
        grant = grant.combine(granted(scope, grantee, permissions.USE_KEY_AS_AGENT, key.key_arn, conditions=via))
    return grant
