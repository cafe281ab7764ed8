"""The forms that the arguments of trainers and evaluators take: each is deployed with each other."""

from collections.abc import Callable, Mapping
from typing import Any

from aws_cdk import CfnParameter, Duration, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3

from agent_rft import CustomAgentLambda, Dataset, JobProvider, MlflowApp, Model, ModelPackageGroup
from agent_rft_local.local_aws import ACCOUNT, REGION

Form = Callable[[Stack], Any]

PREFIX = f"{REGION}:{ACCOUNT}"
JOBS = iam.ServicePrincipal("job.sagemaker.amazonaws.com")
AGENT = "def handler(event, context): return {}"


def function(stack: Stack) -> lambda_.Function:
    return lambda_.Function(
        stack,
        "Agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline(AGENT),
        timeout=Duration.minutes(10),
    )


def bucket(stack: Stack, id: str, **given: Any) -> s3.Bucket:
    return s3.Bucket(stack, id, **given)


def key(stack: Stack, id: str) -> kms.Key:
    return kms.Key(stack, id)


def vpc(stack: Stack) -> ec2.Vpc:
    found = stack.node.try_find_child("Vpc")
    if isinstance(found, ec2.Vpc):
        return found
    return ec2.Vpc(stack, "Vpc", nat_gateways=0, availability_zones=[f"{REGION}a", f"{REGION}b"])


ISOLATED = ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)


def network(stack: Stack, **given: Any) -> dict[str, Any]:
    return {"vpc": vpc(stack), "vpc_subnets": ISOLATED, **given}


def provider_in_a_vpc(stack: Stack) -> dict[str, Any]:
    JobProvider(stack, vpc=vpc(stack), vpc_subnets=ISOLATED)
    return {}


def parameter(stack: Stack, id: str, default: str) -> str:
    return CfnParameter(stack, f"{id}Parameter", default=default).value_as_string


def group(stack: Stack) -> ModelPackageGroup:
    return ModelPackageGroup(stack, "Group")


FORMS: Mapping[str, Mapping[str, Form]] = {
    "job": {"trainer": lambda stack: {}, "evaluator": lambda stack: {}},
    "provider": {"plain": lambda stack: {}, "in a VPC": provider_in_a_vpc},
    "role": {
        "made": lambda stack: {},
        "own": lambda stack: {"role": iam.Role(stack, "Role", assumed_by=JOBS)},
        "name": lambda stack: {"role": "rft"},
        "path": lambda stack: {"role": iam.Role(stack, "Role", assumed_by=JOBS, path="/team/")},
        "parameter": lambda stack: {"role": parameter(stack, "Role", f"arn:aws:iam::{ACCOUNT}:role/rft")},
    },
    "model": {
        "hub name": lambda stack: {"model": "openai-reasoning-gpt-oss-20b"},
        "Nova": lambda stack: {"model": "amazon.nova-2-lite-v1"},
        "private hub": lambda stack: {"model": f"arn:aws:sagemaker:{PREFIX}:hub-content/MyHub/Model/mine/1.0.0"},
        "parameter": lambda stack: {"model": parameter(stack, "Model", "openai-reasoning-gpt-oss-20b")},
        "package": lambda stack: {"model": f"arn:aws:sagemaker:{PREFIX}:model-package/earlier/1"},
        "newest package": lambda stack: {
            "model": Model.from_model_package_group(
                ModelPackageGroup.from_model_package_group_name(stack, "Earlier", "earlier")
            )
        },
    },
    "agent_env": {
        "function": lambda stack: {"agent_env": function(stack)},
        "version": lambda stack: {"agent_env": function(stack).current_version},
        "alias": lambda stack: {"agent_env": function(stack).add_alias("live")},
        "custom": lambda stack: {"agent_env": CustomAgentLambda(stack, "Agent", code=AGENT)},
        "ARN": lambda stack: {"agent_env": f"arn:aws:lambda:{PREFIX}:function:agent:live"},
        "parameter": lambda stack: {
            "agent_env": parameter(stack, "Agent", f"arn:aws:lambda:{PREFIX}:function:agent:live")
        },
        "runtime": lambda stack: {"agent_env": f"arn:aws:bedrock-agentcore:{PREFIX}:runtime/my-AbCdEfGhIj"},
    },
    "training_dataset": {
        "URI": lambda stack: {"training_dataset": "s3://data-bucket/prompts/train.parquet"},
        "bucket": lambda stack: {"training_dataset": Dataset.from_bucket(bucket(stack, "Data"), "train.jsonl")},
        "bucket with key": lambda stack: {
            "training_dataset": Dataset.from_bucket(bucket(stack, "Data", encryption_key=key(stack, "DataKey")), "p/")
        },
        "bucket by parameter": lambda stack: {
            "training_dataset": Dataset.from_bucket(
                s3.Bucket.from_bucket_name(stack, "Data", parameter(stack, "Data", "data-bucket")), "prompts/a.jsonl"
            )
        },
        "DataSet": lambda stack: {
            "training_dataset": f"arn:aws:sagemaker:{PREFIX}:hub-content/Hub/DataSet/prompts/1.0.0"
        },
    },
    "validation_dataset": {
        "none": lambda stack: {},
        "URI": lambda stack: {"validation_dataset": "s3://data-bucket/prompts/validation/"},
        "token": lambda stack: {"validation_dataset": f"s3://{bucket(stack, 'Validation').bucket_name}/v.jsonl"},
    },
    "output": {
        "made": lambda stack: {},
        "bucket": lambda stack: {"output_bucket": bucket(stack, "Out")},
        "bucket with key": lambda stack: {
            "output_bucket": bucket(stack, "Out", encryption_key=key(stack, "OutKey")),
            "output_prefix": "runs/one",
        },
        "path": lambda stack: {"s3_output_path": "s3://data-bucket/out/"},
        "token": lambda stack: {"s3_output_path": f"s3://{bucket(stack, 'Out').bucket_name}/runs/"},
    },
    "kms_key": {
        "none": lambda stack: {},
        "own": lambda stack: {"kms_key": key(stack, "Key")},
        "ARN": lambda stack: {"kms_key": key(stack, "Key").key_arn},
        "alias": lambda stack: {"kms_key": key(stack, "Key").add_alias("alias/forms")},
    },
    "groups": {
        "made": lambda stack: {},
        "construct": lambda stack: {"output_model_package_group": group(stack)},
        "name": lambda stack: {"intermediate_checkpoint_model_package_group": "elsewhere"},
        "both": lambda stack: {
            "output_model_package_group": "elsewhere",
            "intermediate_checkpoint_model_package_group": group(stack),
        },
    },
    "mlflow_app": {
        "made": lambda stack: {"mlflow_app": MlflowApp(stack, "Mlflow")},
        "found": lambda stack: {},
        "named": lambda stack: {
            "mlflow_app": MlflowApp(stack, "Mlflow"),
            "mlflow_experiment_name": "e",
            "mlflow_run_name": "r",
        },
    },
    "network": {
        "none": lambda stack: {},
        "VPC": network,
        "groups": lambda stack: network(stack, security_groups=[ec2.SecurityGroup(stack, "Sg", vpc=vpc(stack))]),
        "ids": lambda stack: {
            "vpc_subnets": [each.subnet_id for each in vpc(stack).isolated_subnets],
            "security_groups": [ec2.SecurityGroup(stack, "Sg", vpc=vpc(stack)).security_group_id],
        },
    },
}
