"""SageMaker's Job Runtime, through which the agent itself samples the model it trains and reports rewards."""

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft import permissions
from agent_rft.nag_suppressions import acknowledge_wildcards
from agent_rft.permissions import Permission
from agent_rft_handler.facts import AGENT_RFT

Conditions = dict[str, dict[str, object]]


def grant_job_runtime(scope: Construct, grantee: iam.IGrantable, *, kms_key: kms.IKey | None = None) -> iam.Grant:
    """Lets an agent call the Job Runtime of the jobs of the stack's own account and region.

    Example::

        grant_job_runtime(self, agent_function)

    Args:
        scope: A construct of the stack in which the jobs run.
        grantee: The agent's function or role; an AgentCore runtime's role where the runtime is a construct.
        kms_key: The jobs' customer key, when they have one; none without it.
    """
    jobs = Stack.of(scope).format_arn(service="sagemaker", resource="job", resource_name=f"{AGENT_RFT.name}/*")
    grant = _grant(grantee, permissions.ANSWER_JOB, jobs).combine(_grant(grantee, permissions.BEAR_TOKEN, "*"))
    if kms_key:
        via: Conditions = {"StringLike": {"kms:ViaService": "sagemaker.*.amazonaws.com"}}
        grant = grant.combine(_grant(grantee, permissions.USE_KEY_AS_AGENT, kms_key.key_arn, via))
    return grant


def _grant(
    grantee: iam.IGrantable, permission: Permission, arn: str, conditions: Conditions | None = None
) -> iam.Grant:
    role = grantee.grant_principal
    if isinstance(role, iam.Role):
        acknowledge_wildcards(role, [arn])
    return iam.Grant.add_to_principal(
        grantee=grantee, actions=list(permission.actions), resource_arns=[arn], conditions=conditions
    )
