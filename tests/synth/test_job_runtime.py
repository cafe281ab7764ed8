"""The Job Runtime, granted to an agent."""

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from synth.app import (
    ACCOUNT,
    REGION,
    Synthesized,
    function_in,
    stack_of,
)

from agent_rft import (
    grant_job_runtime,
)


def test_an_agent_is_let_to_the_job_runtime_of_its_own_accounts_jobs() -> None:
    stack = stack_of()
    function, key = function_in(stack), kms.Key(stack, "Key")
    grant_job_runtime(stack, function, kms_key=key)
    made = Synthesized(stack)
    jobs = [f"arn:${{AWS::Partition}}:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT*/*"]
    for action in ("Sample", "SampleWithResponseStream", "CompleteRollout", "UpdateReward"):
        assert made.allowed(f"sagemaker:{action}", "AgentServiceRole") == jobs
    assert made.allowed("sagemaker:CallWithBearerToken", "AgentServiceRole") == ["*"]
    assert made.allowed("kms:Decrypt", "AgentServiceRole")


def test_an_immutable_agent_role_synthesizes_without_a_policy() -> None:
    stack = stack_of()
    role = iam.Role.from_role_arn(stack, "Theirs", f"arn:aws:iam::{ACCOUNT}:role/agent", mutable=False)
    grant_job_runtime(stack, role)
    assert Synthesized(stack).resources("AWS::IAM::Policy") == {}
