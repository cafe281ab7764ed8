"""A stack for each set of features whose permissions are tried; the context says which."""

from collections.abc import Callable
from typing import Any

from aws_cdk import App, Environment, RemovalPolicy, Stack, Tags
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import function_in

from agent_rft import MlflowApp, ModelPackageGroup, MultiTurnRLEvaluator, MultiTurnRLTrainer
from agent_rft_local.local_aws import ACCOUNT, REGION

PREFIX = f"{REGION}:{ACCOUNT}"
PACKAGE_ARN = f"arn:aws:sagemaker:{PREFIX}:model-package/earlier/1"


def known_at_deploy(stack: Stack) -> dict[str, Any]:
    """An agent by its ARN, data and output by bucket names, all of the app: each bucket has a key of its own."""
    data, output = (s3.Bucket(stack, id, encryption_key=kms.Key(stack, f"{id}Key")) for id in ("Data", "Output"))
    return {
        "agent_env": function_in(stack).current_version.function_arn,
        "training_dataset": f"s3://{data.bucket_name}/prompts/train.parquet",
        "s3_output_path": f"s3://{output.bucket_name}/runs/",
    }


def nova(stack: Stack) -> dict[str, Any]:
    """A Nova model, and a Restricted group with another name for each number of epochs: the earlier one is deleted."""
    ModelPackageGroup(
        stack,
        "Renamed",
        model_package_group_name=f"renamed-{stack.node.try_get_context('epochs') or 1}",
        managed_storage_type="Restricted",
        removal_policy=RemovalPolicy.DESTROY,
    )
    return {"model": "amazon.nova-2-lite-v1", "mlflow_app": MlflowApp(stack, "Mlflow")}


FEATURES: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "plain": lambda stack: {"mlflow_app": MlflowApp(stack, "Mlflow")},
    "found": lambda stack: {
        "agent_env": stack.node.try_get_context("runtime"),
        "model": f"arn:aws:sagemaker:{REGION}:aws:hub-content/SageMakerPublicHub/Model/openai-reasoning-gpt-oss-20b",
        "training_dataset": f"arn:aws:sagemaker:{PREFIX}:hub-content/Hub/DataSet/prompts/1.0.0",
        "validation_dataset": "s3://data-bucket/prompts/validation/",
    },
    "package": lambda stack: {"model": PACKAGE_ARN, "mlflow_app": MlflowApp(stack, "Mlflow")},
    "newest": lambda stack: {
        "model": PACKAGE_ARN.replace("model-package", "model-package-group").removesuffix("/1"),
        "mlflow_app": MlflowApp(stack, "Mlflow"),
    },
    "elsewhere": lambda stack: {
        "model": PACKAGE_ARN,
        "output_model_package_group": "elsewhere",
        "mlflow_app": MlflowApp(stack, "Mlflow"),
    },
    "nova": nova,
    "evaluation": lambda stack: {"model": PACKAGE_ARN, "mlflow_app": MlflowApp(stack, "Mlflow")},
    "tokens": lambda stack: {**known_at_deploy(stack), "mlflow_app": MlflowApp(stack, "Mlflow")},
    "protected": lambda stack: {
        "mlflow_app": MlflowApp(stack, "Mlflow"),
        "kms_key": kms.Key(stack, "Key"),
        "vpc": ec2.Vpc(stack, "Vpc", nat_gateways=0, availability_zones=["us-east-1a", "us-east-1b"]),
        "vpc_subnets": ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
    },
}


def featured(app: App) -> None:
    """The stack of the context's feature."""
    get = app.node.try_get_context
    stack = Stack(app, get("stack"), env=Environment(account=ACCOUNT, region=REGION))
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "agent_env": f"arn:aws:lambda:{PREFIX}:function:agent:live",
        "training_dataset": "s3://data-bucket/prompts/train.parquet",
        "hyperparameters": {"max_epochs": int(get("epochs") or 1), "max_steps": 10},
        "replacement": "stop_first",
        "tags": {get("tag") or "Owner": "me"},
    }
    if get("feature") == "nova":
        Tags.of(stack).add(plain["tags"].popitem()[0], "me")  # reaches the groups, too
    make = _evaluate if get("feature") == "evaluation" else _train
    make(stack, **{**plain, **FEATURES[get("feature")](stack)})


def _train(stack: Stack, **given: Any) -> None:
    MultiTurnRLTrainer(stack, "Trainer", **given)


def _evaluate(stack: Stack, agent_env: Any, training_dataset: Any, hyperparameters: Any, **given: Any) -> None:
    """What a trainer was to have, as an evaluator takes it."""
    MultiTurnRLEvaluator(
        stack,
        "Evaluator",
        agent_config=agent_env,
        dataset=training_dataset,
        hyperparameters={"eval_group_size": hyperparameters["max_epochs"]},
        evaluate_base_model=False,
        **given,
    )
