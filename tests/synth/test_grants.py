"""Apps in which one thing waits for another, or seems to: none waits for itself."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3_notifications as notifications
from constructs import Construct
from synth.app import function_in, stack_of, trainer
from synth.graph import circle_in

from agent_rft import Dataset, MlflowApp, MultiTurnRLTrainer, grant_job_runtime

JOBS_ROLE = iam.ServicePrincipal("job.sagemaker.amazonaws.com")


def ordered(app: App) -> None:
    stack = stack_of(app)
    trainer(stack, "Second").node.add_dependency(trainer(stack, "First"))


def ordered_on_one_role(app: App) -> None:
    stack = stack_of(app)
    first, second, third = (trainer(stack, id, role="rft") for id in ("First", "Second", "Third"))
    second.node.add_dependency(first)
    third.node.add_dependency(second)


def ordered_backwards(app: App) -> None:
    stack = stack_of(app)
    first, second = trainer(stack, "First", role="rft"), trainer(stack, "Second", role="rft")
    first.node.add_dependency(second)


def ordered_sweeps(app: App) -> None:
    """Each sweep has what its trainer uses in itself, and waits for the one before."""
    stack = stack_of(app)
    before: Construct | None = None
    for name in ("One", "Two", "Three"):
        sweep = Construct(stack, name)
        own = iam.Role(sweep, "Role", assumed_by=JOBS_ROLE)
        given: dict[str, Any] = {"output_bucket": s3.Bucket(sweep, "Out"), "kms_key": kms.Key(sweep, "Key")}
        given |= {"agent_env": lambda_.Function(sweep, "Agent", **FUNCTION)}
        given |= {"role": own, "mlflow_app": MlflowApp(sweep, "Mlflow", role=own)}
        MultiTurnRLTrainer(sweep, "Trainer", model="openai-gpt", training_dataset="s3://data/train.jsonl", **given)
        if before:
            sweep.node.add_dependency(before)
        before = sweep


def ordered_nova(app: App) -> None:
    stack = stack_of(app)
    first = trainer(stack, "First", model="amazon.nova-2-lite-v1")
    trainer(stack, "Second", model="amazon.nova-2-lite-v1").node.add_dependency(first)


def chained_by_data(app: App) -> None:
    stack = stack_of(app)
    first = trainer(stack, "First", role="rft")
    trainer(stack, "Second", role="rft", training_dataset=Dataset.from_bucket(first.output_bucket, first.job_name))


def stopped_by_its_agent(app: App) -> None:
    stack = stack_of(app)
    agent = function_in(stack)
    job = trainer(stack, agent_env=agent)
    job.grant_stop(agent)
    job.grant_describe(agent)
    job.grant_describe(job.role)


def stopped_by_an_agent_of_another_stack(app: App) -> None:
    agent = function_in(stack_of(app, "Agents"))
    job = trainer(stack_of(app), agent_env=agent)
    job.grant_stop(agent)


def told_by_the_output(app: App) -> None:
    stack = stack_of(app)
    told = lambda_.Function(stack, "Told", **FUNCTION)
    job = trainer(stack)
    told.add_environment("JOB", job.job_name)
    job.output_bucket.add_event_notification(s3.EventType.OBJECT_CREATED, notifications.LambdaDestination(told))


def told_by_a_given_output(app: App) -> None:
    stack = stack_of(app)
    told = lambda_.Function(stack, "Told", **FUNCTION)
    bucket = s3.Bucket(stack, "Bucket")
    bucket.add_event_notification(s3.EventType.OBJECT_CREATED, notifications.LambdaDestination(told))
    told.add_environment("JOB", trainer(stack, output_bucket=bucket).job_name)


def role_of_another_stack(app: App) -> None:
    role = iam.Role(stack_of(app, "Iam"), "Role", assumed_by=JOBS_ROLE)
    trainer(stack_of(app), role=role, mlflow_app=None)


def mlflow_role_of_another_stack(app: App) -> None:
    role = iam.Role(stack_of(app, "Iam"), "Role", assumed_by=iam.ServicePrincipal("sagemaker.amazonaws.com"))
    stack = stack_of(app)
    trainer(stack, mlflow_app=MlflowApp(stack, "Mlflow", role=role))


def runtime_with_a_key_of_another_stack(app: App) -> None:
    agent = function_in(stack_of(app, "Agents"))
    stack = stack_of(app)
    key = kms.Key(stack, "Key")
    grant_job_runtime(stack, agent, kms_key=key)
    trainer(stack, agent_env=agent, kms_key=key)


FUNCTION: dict[str, Any] = {
    "runtime": lambda_.Runtime.PYTHON_3_13,
    "handler": "index.handler",
    "code": lambda_.Code.from_inline("def handler(event, context): return {}"),
    "timeout": Duration.minutes(10),
}

APPS: list[Callable[[App], None]] = [
    ordered,
    ordered_on_one_role,
    ordered_backwards,
    ordered_sweeps,
    ordered_nova,
    chained_by_data,
    stopped_by_its_agent,
    stopped_by_an_agent_of_another_stack,
    told_by_the_output,
    told_by_a_given_output,
    role_of_another_stack,
    mlflow_role_of_another_stack,
    runtime_with_a_key_of_another_stack,
]


@pytest.mark.parametrize("declare", APPS)
def test_no_resource_waits_for_itself(declare: Callable[[App], None]) -> None:
    app = App()
    declare(app)
    assert circle_in(app) == []
