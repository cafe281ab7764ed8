"""The account in which both sides run: what is in it, and ids that stand for those made up at creation."""

import json
from typing import Any

from agent_rft_local import model_hub, recipe_tables
from agent_rft_local.local_aws import ACCOUNT, REGION

_SAGEMAKER = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}"

ROLE_NAME, ROLE_ARN = "rft", f"arn:aws:iam::{ACCOUNT}:role/rft"
TRUSTED = ("job.sagemaker.amazonaws.com", "sagemaker.amazonaws.com")
"""The job's own service, and the one that the SDK looks for."""

MODEL, GATED_MODEL = "huggingface-reasoning-qwen3-32b", "meta-textgeneration-llama-3-3-70b-instruct"
NOVA_MODEL = "nova-textgeneration-lite-v2"
PRIVATE_HUB, PRIVATE_MODEL = "MyHub", "mine"
PRIVATE_CONTENT = f"{_SAGEMAKER}:hub-content/{PRIVATE_HUB}/Model/{PRIVATE_MODEL}/1.0.0"

OTHER_TYPES: dict[str, dict[str, Any]] = {
    "max_prompt_length": {"type": "integer", "default": 1024},
    "max_response_length": {"type": "integer", "default": 1024},
    "factor": {"type": "float", "default": 2.0, "enum": [1.0, 2.0]},
    "flag": {"type": "boolean", "default": False},
    "values": {"type": "array", "default": [1]},
}
"""Parameters of the private hub's model beside the others': types and a sequence that their table lacks."""

TUNED, CHECKPOINTS = "tuned", "checkpoints"
TUNED_ARN = f"{_SAGEMAKER}:model-package-group/{TUNED}"
CHECKPOINTS_ARN = f"{_SAGEMAKER}:model-package-group/{CHECKPOINTS}"

PACKAGE, GATED_PACKAGE, FOREIGN_PACKAGE = (f"{_SAGEMAKER}:model-package/{TUNED}/{version}" for version in (1, 2, 3))

RUNTIME_ID = "agent-Recording0"
RUNTIME_ARN = f"arn:aws:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/{RUNTIME_ID}"
APP_ID, OTHER_APP_ID = "app-RECORDING001", "app-RECORDING002"
APP_ARN, OTHER_APP_ARN = (f"{_SAGEMAKER}:mlflow-app/{each}" for each in (APP_ID, OTHER_APP_ID))

TOPIC_ARN = f"arn:aws:sns:{REGION}:{ACCOUNT}:jobs"
BUCKETS = ("data-bucket", "out-bucket")
RECIPE_KEY = "recipes/mine.json"


def trust_policy() -> dict[str, Any]:
    """The execution role's trust."""
    actions = ["sts:AssumeRole", "sts:TagSession"]
    statement = {"Effect": "Allow", "Principal": {"Service": list(TRUSTED)}, "Action": actions}
    return {"Version": "2012-10-17", "Statement": [statement]}


def packages() -> list[dict[str, Any]]:
    """Model packages of an open model, of a gated one, and of none of the hub's."""
    return [_package(PACKAGE, MODEL), _package(GATED_PACKAGE, GATED_MODEL), _package(FOREIGN_PACKAGE, "")]


def private_model() -> dict[str, Any]:
    """The document of the private hub's model."""
    document = model_hub.document_of(PRIVATE_MODEL, REGION, recipes=True)
    document["RecipeCollection"][-1]["SmtjOverrideParamsS3Uri"] = f"s3://{BUCKETS[0]}/{RECIPE_KEY}"
    return document


def recipe() -> str:
    """The hyperparameters that the private hub's model takes."""
    return json.dumps({**recipe_tables.OVERRIDE_PARAMS, **OTHER_TYPES})


def _package(arn: str, base: str) -> dict[str, Any]:
    container: dict[str, Any] = {"Image": "image"}
    if base:
        container["BaseModel"] = {"HubContentName": base, "HubContentVersion": "1.0.0"}
    return {
        "ModelPackageArn": arn,
        "ModelPackageName": arn.partition("/")[2],
        "ModelPackageGroupName": TUNED,
        "ModelPackageVersion": int(arn[-1]),
        "ModelPackageStatus": "Completed",
        "ModelPackageStatusDetails": {"ValidationStatuses": []},
        "CreationTime": 1_800_000_000,
        "InferenceSpecification": {"Containers": [container]},
    }
