"""The stacks that others' rules judge: a trainer of every feature, and what stands beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aws_cdk import App, RemovalPolicy, Stack, Validations
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from synth.app import ACCOUNT, PACKAGE_ARN, REGION, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft import CustomAgentLambda, Dataset, JobDashboard, JobQueue, MlflowApp, MultiTurnRLTrainer, Sweep


def imported_vpc(stack: Stack) -> ec2.IVpc:
    return ec2.Vpc.from_vpc_attributes(
        stack,
        "Vpc",
        vpc_id="vpc-0123456789abcdef0",
        availability_zones=["us-west-2a", "us-west-2b"],
        private_subnet_ids=["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"],
    )


STACKS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "plain": lambda _: {},
    "function and asset": lambda _: {
        "agent_env": f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent",
        "training_dataset": Dataset.from_asset("cli/agent_rft_cli/project/datasets/wordle.jsonl"),
    },
    "runtime id": lambda _: {"agent_env": "my-AbCdEfGhIj"},
    "app": lambda stack: {"mlflow_app": MlflowApp(stack, "Mlflow")},
    "package": lambda _: {"model": PACKAGE_ARN, "output_model_package_group": "tuned-further"},
    "nova": lambda _: {"model": "amazon.nova-2-lite-v1", "removal_policy": RemovalPolicy.DESTROY},
    "key": lambda stack: {"kms_key": kms.Key(stack, "Key", enable_key_rotation=True)},
    "network": lambda stack: {"vpc": imported_vpc(stack)},
    "given bucket": lambda _: {"s3_output_path": "s3://acme-rl-out/runs"},
    "agent": lambda stack: {"agent_env": CustomAgentLambda(stack, "Agent", code="def handler(event, context): ...")},
    "told and shown": lambda _: {},
    "queue": lambda _: {"dry_run": True},
    "queue in a bucket": lambda _: {"dry_run": True},
    "sweep": lambda stack: {"dry_run": True, "mlflow_app": MlflowApp(stack, "Mlflow")},
    "sweep with a key": lambda stack: {"dry_run": True, "kms_key": kms.Key(stack, "Key", enable_key_rotation=True)},
}
BESIDE: dict[str, Callable[[MultiTurnRLTrainer], object]] = {
    "told and shown": lambda job: told_and_shown(job),
    "queue": lambda job: JobQueue(job.stack, "Queue", jobs=[job, evaluator(job.stack)]),
    "queue in a bucket": lambda job: JobQueue(job.stack, "Queue", jobs=[job], output_bucket=job.output_bucket),
    "sweep": lambda job: Sweep(job.stack, "Sweep", base=job, variants={"fast": {"max_epochs": 1}}),
    "sweep with a key": lambda job: Sweep(job.stack, "Sweep", base=job, variants={"fast": {"max_epochs": 1}}),
}
"""What stands beside the trainer of some of them."""


def told_and_shown(job: MultiTurnRLTrainer) -> None:
    job.on_failed("Told")
    job.notify(
        sns.Topic(job.stack, "Topic", enforce_ssl=True, master_key=kms.Alias.from_alias_name(job.stack, "K", "alias/k"))
    )
    job.evaluate_on_completion(evaluator(job.stack))
    JobDashboard(job.stack, "Dashboard", job=job)


def declared(stack: Stack, name: str) -> None:
    """The trainer of that name, with what stands beside it."""
    job = trainer(stack, **STACKS[name](stack))
    if name in BESIDE:
        BESIDE[name](job)


def synthesized(name: str, directory: Path, *packs: Any) -> Path:
    """The stack's template; raises what the packs of rules find."""
    app = App(outdir=str(directory))
    declared(stack_of(app), name)
    if packs:
        Validations.of(app).add_plugins(*(pack(app) for pack in packs))
    app.synth()
    return directory / "S.template.json"
