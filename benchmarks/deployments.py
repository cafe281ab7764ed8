"""From CloudFormation's create to CreateJob, on the local AWS: by our handler, and behind CDK's provider framework."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from aws_cdk import App, CfnResource, Environment, Stack
from aws_cdk import aws_lambda as lambda_
from aws_cdk.aws_s3_assets import Asset
from aws_cdk.custom_resources import Provider
from deployment import JOB, Deployment

import agent_rft_handler
from agent_rft import JobProvider, MlflowApp, MultiTurnRLTrainer
from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import LocalAws
from agent_rft_local.local_aws import ACCOUNT, REGION
from benchmarks.side_by_side import RUNS, Row, in_turn, ratio

ADAPTER = Path(__file__).with_name("framework_handler.py")
AGENT = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent:live"
UNWATCHED = 3.0
"""Seconds in which nobody asks the local AWS for the stack: to look at it slows it down."""


def rows() -> Iterator[Row]:
    """One row."""
    with LocalAws.start(running_jobs=1000) as aws, tempfile.TemporaryDirectory() as directory:
        aws.bootstrap()
        adapter = _adapter(Path(directory))
        both = in_turn(
            _seconds(aws, "Ours", ours), _seconds(aws, "Framework", lambda app: framework(app, adapter)), 2 * RUNS - 1
        )
    yield ratio(
        "CloudFormation create to CreateJob", "the same handler behind CDK's provider framework", *both, 0.99, "s"
    )


def ours(app: App) -> MultiTurnRLTrainer:
    """A trainer as anyone declares it."""
    stack = Stack(app, app.node.get_context("stack"), env=Environment(account=ACCOUNT, region=REGION))
    return MultiTurnRLTrainer(
        stack,
        "Trainer",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=AGENT,
        training_dataset="s3://data-bucket/prompts/train.parquet",
        mlflow_app=MlflowApp(stack, "Mlflow"),
    )


def framework(app: App, adapter: Path) -> None:
    """The same, its function called by the framework's."""
    trainer = ours(app)
    provider = JobProvider.of(trainer)
    function = provider.node.find_child("Handler")
    resource, job = function.node.default_child, trainer.node.default_child
    if not (isinstance(function, lambda_.Function) and isinstance(resource, CfnResource)):
        raise TypeError("the provider's function has moved")
    if not isinstance(job, CfnResource):
        raise TypeError("the trainer's custom resource has moved")
    code = Asset(provider, "Adapter", path=str(adapter))
    resource.add_property_override("Code", {"S3Bucket": code.s3_bucket_name, "S3Key": code.s3_object_key})
    resource.add_property_override("Handler", f"{ADAPTER.stem}.on_event")
    job.add_property_override("ServiceToken", Provider(provider, "Framework", on_event_handler=function).service_token)


def _adapter(directory: Path) -> Path:
    """The handler's package and the adapter beside it."""
    package = Path(agent_rft_handler.__file__).parent
    shutil.copytree(package, directory / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ADAPTER, directory)
    return directory


def _seconds(aws: LocalAws, name: str, declare: Callable[[App], object]) -> Callable[[], float]:
    """Creates a stack of its own at each call, and deletes it."""
    count = iter(range(1000))

    def seconds() -> float:
        deployment = Deployment(aws, f"{name}{next(count)}", declare)
        template = deployment.publish()
        aws.forget()
        begun = time.time()
        aws.client("cloudformation").create_stack(
            StackName=deployment.stack, TemplateBody=template, Capabilities=["CAPABILITY_NAMED_IAM"]
        )
        time.sleep(UNWATCHED)
        if deployment.settle() != "CREATE_COMPLETE":
            raise RuntimeError(f"{deployment.stack} failed: {deployment.reasons()}")
        job = aws.client("sagemaker").describe_job(JobName=deployment.physical_id(JOB), JobCategory=AGENT_RFT.name)
        deployment.delete()
        return float(job["CreationTime"].timestamp() - begun)

    return seconds
