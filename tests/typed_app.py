"""A user's app for the type checkers alone: every CDK object that a signature takes, and what none does.

Never run. An ignored error that is none is an error of both checkers. ``IRole`` and ``IKey`` are written for what is
made, as pyright finds that aws_cdk's own Role and Key do not implement them (tests/test_typed_app.py).
"""

from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker

from agent_rft import (
    Dataset,
    IAgentRFTJob,
    IMlflowApp,
    IModelPackageGroup,
    ManagedStorageType,
    MlflowApp,
    Model,
    ModelPackageGroup,
    MultiTurnRLTrainer,
    grant_job_runtime,
)


def every_object(
    stack: Stack,
    role: iam.IRole,
    bucket: s3.Bucket,
    key: kms.IKey,
    function: lambda_.Function,
    vpc: ec2.Vpc,
    group: ec2.SecurityGroup,
    l1_group: sagemaker.CfnModelPackageGroup,
) -> MultiTurnRLTrainer:
    """Whatever a trainer takes, as the object itself."""
    restricted = ModelPackageGroup(stack, "Nova", managed_storage_type=ManagedStorageType.RESTRICTED)
    app: IMlflowApp = MlflowApp(stack, "Mlflow", artifact_bucket=bucket, role=role)
    return MultiTurnRLTrainer(
        stack,
        "First",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=function,
        training_dataset=Dataset.from_bucket(bucket, "train/"),
        output_bucket=bucket,
        kms_key=key,
        role=role,
        output_model_package_group=restricted,
        intermediate_checkpoint_model_package_group=l1_group,
        mlflow_app=app,
        vpc=vpc,
        security_groups=[group],
        tags={"Owner": "me"},
    )


def every_grant(
    stack: Stack, first: MultiTurnRLTrainer, app: IMlflowApp, function: lambda_.Function, group: ec2.SecurityGroup
) -> list[IAgentRFTJob]:
    """Whoever may be granted something, and what a job may be granted as."""
    plain: IModelPackageGroup = ModelPackageGroup(stack, "Plain")
    second = MultiTurnRLTrainer(
        stack,
        "Second",
        model=Model.from_model_package_group(first.model_package_group, only_approved=True),
        agent_env=function.current_version,
        training_dataset="s3://bucket/train/",
        output_model_package_group=plain,
    )
    first.grant_describe(function)
    first.grant_stop(first.role)
    plain.grant_register(first)
    app.grant_track(second)
    first.output_bucket.grant_read(first)
    group.connections.allow_from(first, ec2.Port.tcp(443))
    grant_job_runtime(stack, function)
    return [first, second, MultiTurnRLTrainer.from_job_arn(stack, "Third", "arn")]


def what_none_takes(stack: Stack, bucket: s3.Bucket) -> None:
    """Each of these is an error where it stands."""
    ModelPackageGroup(stack, "A", managed_storage_type=True)  # type: ignore[arg-type]
    MlflowApp(stack, "B", artifact_bucket="name")  # type: ignore[arg-type]
    Model.from_model_package_group(bucket)  # type: ignore[arg-type]
    MultiTurnRLTrainer(stack, "C", model="m", agent_env="a", training_dataset=bucket)  # type: ignore[arg-type]
    MultiTurnRLTrainer(stack, "D", model="m", agent_env="a")  # type: ignore[call-arg]
    MultiTurnRLTrainer(stack, "E", model="m", agent_env="a", training_dataset="d", epochs=1)  # type: ignore[call-arg]
