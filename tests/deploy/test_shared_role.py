"""One role of the account, several stacks and trainers: nobody loses what the other is granted."""

import json
from collections.abc import Iterator

import pytest
from aws_cdk import App, CfnOutput
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_lambda as lambda_
from deploy.apps import stack_in, trainer_in
from deployment import Deployment

from agent_rft import JobProvider, MultiTurnRLTrainer
from agent_rft_local import LocalAws

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": "job.sagemaker.amazonaws.com"},
            "Action": ["sts:AssumeRole", "sts:TagSession"],
        }
    ],
}


@pytest.fixture
def role(local_aws: LocalAws) -> Iterator[str]:
    """A role of the account that no stack owns."""
    local_aws.set(running_jobs=10)
    client = local_aws.client("iam")
    client.create_role(RoleName="rft", AssumeRolePolicyDocument=json.dumps(TRUST))
    yield "rft"
    for name in client.list_role_policies(RoleName="rft")["PolicyNames"]:
        client.delete_role_policy(RoleName="rft", PolicyName=name)
    client.delete_role(RoleName="rft")


def on_one_role(app: App) -> None:
    stack = stack_in(app)
    before: MultiTurnRLTrainer | None = None
    for number in range(int(app.node.try_get_context("trainers") or 1)):
        job = trainer_in(stack, f"Trainer{number or ''}", role="rft")
        CfnOutput(stack, f"JobName{number or ''}", value=job.job_name)
        if before:
            job.node.add_dependency(before)
        before = job


def test_two_stacks_on_one_role_keep_their_rights_when_one_is_destroyed(local_aws: LocalAws, role: str) -> None:
    training, sweep = (Deployment(local_aws, name, on_one_role) for name in ("Training", "Sweep"))
    for each in (training, sweep):
        assert each.deploy() == "CREATE_COMPLETE", each.reasons()
    jobs = [each.outputs()["JobName"] for each in (training, sweep)]
    assert [local_aws.run_service(job) for job in jobs] == [[], []]
    sweep.delete()
    assert local_aws.run_service(jobs[0]) == []
    assert local_aws.run_service(jobs[1]) != []
    training.delete()
    assert local_aws.client("iam").list_role_policies(RoleName=role)["PolicyNames"] == []


def test_two_trainers_in_order_on_one_role_all_have_their_rights(local_aws: LocalAws, role: str) -> None:
    many = Deployment(local_aws, "Many", on_one_role)
    assert many.deploy(trainers="2") == "CREATE_COMPLETE", many.reasons()
    jobs = [job for name, job in many.outputs().items() if name.startswith("JobName")]
    assert [local_aws.run_service(job) for job in jobs] == [[]] * 2
    many.delete()


def told_and_in_a_vpc(app: App) -> None:
    """A handler in a VPC, and a function that knows the job, stops it, and is told of its output."""
    stack = stack_in(app)
    vpc = ec2.Vpc(stack, "Vpc", nat_gateways=0, availability_zones=["us-east-1a", "us-east-1b"])
    isolated = ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
    JobProvider(stack, vpc=vpc, vpc_subnets=isolated)
    told = lambda_.Function(
        stack,
        "Told",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline("def handler(event, context): return {}"),
    )
    job = trainer_in(stack, "Trainer")
    told.add_environment("JOB", job.job_name)
    job.grant_stop(told)
    CfnOutput(stack, "JobName", value=job.job_name)


def test_a_handler_in_a_vpc_and_a_function_that_knows_the_job_deploy(local_aws: LocalAws) -> None:
    told = Deployment(local_aws, "Told", told_and_in_a_vpc)
    assert told.deploy() == "CREATE_COMPLETE", told.reasons()
    assert local_aws.run_service(told.outputs()["JobName"]) == []
    told.delete()
