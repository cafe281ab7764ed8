"""A stack for each set of features that the permission tests deploy; chosen by the context."""

from typing import Any

from aws_cdk import App, Environment, Stack, Tags
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms

from agent_rft import MlflowApp, MultiTurnRLTrainer

ACCOUNT, REGION = "000000000000", "us-east-1"
PREFIX = f"{REGION}:{ACCOUNT}"
PACKAGE_ARN = f"arn:aws:sagemaker:{PREFIX}:model-package/earlier/1"

app = App()
feature = app.node.try_get_context("feature")
stack = Stack(app, app.node.try_get_context("stack"), env=Environment(account=ACCOUNT, region=REGION))

FEATURES: dict[str, Any] = {
    "plain": lambda: {"mlflow_app": MlflowApp(stack, "Mlflow")},
    "found": lambda: {
        "agent_env": app.node.try_get_context("runtime"),
        "model": f"arn:aws:sagemaker:{REGION}:aws:hub-content/SageMakerPublicHub/Model/openai-reasoning-gpt-oss-20b",
        "training_dataset": f"arn:aws:sagemaker:{PREFIX}:hub-content/Hub/DataSet/prompts/1.0.0",
        "validation_dataset": "s3://data-bucket/prompts/validation/",
    },
    "package": lambda: {"model": PACKAGE_ARN, "mlflow_app": MlflowApp(stack, "Mlflow")},
    "elsewhere": lambda: {
        "model": PACKAGE_ARN,
        "output_model_package_group": "elsewhere",
        "mlflow_app": MlflowApp(stack, "Mlflow"),
    },
    "nova": lambda: {"model": "amazon.nova-2-lite-v1", "mlflow_app": MlflowApp(stack, "Mlflow")},
    "protected": lambda: {
        "mlflow_app": MlflowApp(stack, "Mlflow"),
        "kms_key": kms.Key(stack, "Key"),
        "vpc": ec2.Vpc(stack, "Vpc", nat_gateways=0, availability_zones=["us-east-1a", "us-east-1b"]),
        "vpc_subnets": ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
    },
}
plain: dict[str, Any] = {
    "model": "openai-reasoning-gpt-oss-20b",
    "agent_env": f"arn:aws:lambda:{PREFIX}:function:agent:live",
    "training_dataset": "s3://data-bucket/prompts/train.parquet",
    "hyperparameters": {"max_epochs": int(app.node.try_get_context("epochs") or 1), "max_steps": 10},
    "replacement": "stop_first",
    "tags": {app.node.try_get_context("tag") or "Owner": "me"},
}
if feature == "nova":
    Tags.of(stack).add(plain["tags"].popitem()[0], "me")  # reaches the groups, too
MultiTurnRLTrainer(stack, "Trainer", **{**plain, **FEATURES[feature]()})
app.synth()
