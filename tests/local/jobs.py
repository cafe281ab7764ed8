"""A running job in the local AWS, submitted through boto3."""

import json
from typing import Any

from agent_rft_handler.facts import JOB_PRINCIPAL
from agent_rft_local import LocalAws

ACCOUNT = "000000000000"


def submit(aws: LocalAws, name: str, *, client: Any = None, tags: dict[str, str] | None = None) -> str:
    """Submits a job that needs nothing but this; its ARN.

    Args:
        aws: Where.
        name: The job's.
        client: Whose client submits it; root's without it.
        tags: The job's.
    """
    return str((client or aws.client("sagemaker")).create_job(**request(aws, name, tags or {}))["JobArn"])


def request(aws: LocalAws, name: str, tags: dict[str, str]) -> dict[str, Any]:
    """CreateJob's request; role, groups and app are made for it."""
    sagemaker, iam = aws.client("sagemaker"), aws.client("iam")
    trust = {"Statement": [{"Effect": "Allow", "Principal": {"Service": JOB_PRINCIPAL}, "Action": "sts:AssumeRole"}]}
    role = iam.create_role(RoleName=f"{name}-role", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
    output, checkpoints = (
        sagemaker.create_model_package_group(ModelPackageGroupName=f"{name}-{use}")["ModelPackageGroupArn"]
        for use in ("tuned", "checkpoints")
    )
    app = sagemaker.create_mlflow_app(Name=name, ArtifactStoreUri="s3://artifacts/x", RoleArn=role)["Arn"]
    return {
        "JobName": name,
        "RoleArn": role,
        "JobCategory": "AgentRFT",
        "JobConfigSchemaVersion": "1.0.0",
        "JobConfigDocument": json.dumps(_document(output, checkpoints, app)),
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }


def _document(output: str, checkpoints: str, app: str) -> dict[str, Any]:
    return {
        "AgentConfig": {
            "CustomAgentLambdaConfig": {"LambdaArn": f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:agent:live"}
        },
        "InputDataConfig": [
            {
                "ChannelName": "train",
                "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://data/train/"}},
            }
        ],
        "OutputDataConfig": {"S3OutputPath": "s3://out/output"},
        "ModelPackageConfig": {
            "OutputModelPackageGroupArn": output,
            "IntermediateCheckpointModelPackageGroupArn": checkpoints,
        },
        "TrainingConfig": {
            "BaseModelArn": "arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model/"
            "openai-reasoning-gpt-oss-20b/1.0.0",
            "MlflowConfig": {"MlflowResourceArn": app},
            "AcceptEula": False,
        },
    }
