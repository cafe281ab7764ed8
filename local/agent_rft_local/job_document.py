"""What the JobConfigDocument may hold, as a botocore-style model; from what the SDK sends and the docs show.

The service's own JSON schema is published nowhere, so this is stricter than what is known of it: unknown members
are refused, as the service was seen to do for hyperparameters.
"""

import functools
import json
from typing import Any

from botocore.model import ShapeResolver

from agent_rft_handler import facts
from agent_rft_handler.facts import CATEGORIES
from agent_rft_local.validation import SerializationError, ServiceError, require


def _text(fact: facts.Fact | None = None, **constraints: object) -> dict[str, object]:
    return {"type": "string", **({"pattern": fact.pattern} if fact else {}), **constraints}


def _structure(required: str = "", **members: str) -> dict[str, object]:
    return {
        "type": "structure",
        "required": required.split(),
        "members": {name: {"shape": shape} for name, shape in members.items()},
    }


_SHAPES: dict[str, Any] = {
    "Text": _text(min=1),
    "Boolean": {"type": "boolean"},
    "RuntimeArn": _text(pattern=facts.AGENT_RUNTIME_ARN.pattern.partition("(/runtime-endpoint/")[0]),
    "LambdaArn": _text(facts.LAMBDA_ARN),
    "S3Uri": _text(facts.S3_URI),
    "S3DataType": _text(enum=["S3Prefix"]),
    "ChannelName": _text(enum=["train", "validation"]),
    "EvaluationChannelName": _text(enum=["evaluation"]),
    "DatasetArn": _text(facts.DATA_SET_ARN),
    "GroupArn": _text(facts.MODEL_PACKAGE_GROUP_ARN),
    "PackageArn": _text(facts.MODEL_PACKAGE_ARN),
    "ModelArn": _text(facts.HUB_CONTENT_ARN),
    "MlflowArn": _text(facts.MLFLOW_APP_ARN),
    "KeyArn": _text(facts.KMS_KEY_ARN),
    "GroupId": _text(facts.SECURITY_GROUP_ID),
    "SubnetId": _text(facts.SUBNET_ID),
    "GroupIds": {"type": "list", "member": {"shape": "GroupId"}, "min": 1, "max": 5},
    "SubnetIds": {"type": "list", "member": {"shape": "SubnetId"}, "min": 1, "max": 16},
    "HyperParameters": {"type": "map", "key": {"shape": "Text"}, "value": {"shape": "Text"}},
    "AgentCore": _structure("AgentRuntimeArn", AgentRuntimeArn="RuntimeArn", Qualifier="Text"),
    "Lambda": _structure("LambdaArn", LambdaArn="LambdaArn"),
    "Agent": _structure(BedrockAgentCoreConfig="AgentCore", CustomAgentLambdaConfig="Lambda"),
    "S3Source": _structure("S3DataType S3Uri", S3DataType="S3DataType", S3Uri="S3Uri"),
    "DatasetSource": _structure("DatasetArn", DatasetArn="DatasetArn"),
    "DataSource": _structure(S3DataSource="S3Source", DatasetSource="DatasetSource"),
    "Channel": _structure("ChannelName DataSource", ChannelName="ChannelName", DataSource="DataSource"),
    "Channels": {"type": "list", "member": {"shape": "Channel"}, "min": 1, "max": 2},
    "EvaluationChannel": _structure(
        "ChannelName DataSource", ChannelName="EvaluationChannelName", DataSource="DataSource"
    ),
    "EvaluationChannels": {"type": "list", "member": {"shape": "EvaluationChannel"}, "min": 1, "max": 1},
    "Output": _structure("S3OutputPath", S3OutputPath="S3Uri", KmsKeyArn="KeyArn"),
    "EvaluationOutput": _structure("S3OutputPath", S3OutputPath="S3Uri", KmsKeyArn="KeyArn", MlflowConfig="Mlflow"),
    "Packages": _structure(
        "OutputModelPackageGroupArn IntermediateCheckpointModelPackageGroupArn",
        OutputModelPackageGroupArn="GroupArn",
        InputModelPackageArn="PackageArn",
        IntermediateCheckpointModelPackageGroupArn="GroupArn",
    ),
    "EvaluatedPackage": _structure("InputModelPackageArn", InputModelPackageArn="PackageArn"),
    "Mlflow": _structure(
        "MlflowResourceArn", MlflowResourceArn="MlflowArn", MlflowExperimentName="Text", MlflowRunName="Text"
    ),
    "Training": _structure(
        "BaseModelArn MlflowConfig AcceptEula",
        BaseModelArn="ModelArn",
        MlflowConfig="Mlflow",
        AcceptEula="Boolean",
        HyperParameters="HyperParameters",
    ),
    "Evaluation": _structure(
        "BaseModelArn AcceptEula", BaseModelArn="ModelArn", AcceptEula="Boolean", HyperParameters="EvaluationParameters"
    ),
    "EvaluationParameters": {"type": "map", "key": {"shape": "EvaluationParameter"}, "value": {"shape": "Text"}},
    "EvaluationParameter": _text(
        enum=[
            "eval_group_size",
            "pass_k_values",
            "rollout_max_concurrency",
            "rollout_max_retries",
            "rollout_timeout",
            "sampling_max_tokens",
            "sampling_top_p",
            "success_threshold",
            "temperature",
        ]
    ),
    "MaxRuntime": {"type": "integer", "min": 1, "max": 259200},
    "Stopping": _structure("MaxRuntimeInSeconds", MaxRuntimeInSeconds="MaxRuntime"),
    "Vpc": _structure("SecurityGroupIds Subnets", SecurityGroupIds="GroupIds", Subnets="SubnetIds"),
    "AgentRFTEvaluation": _structure(
        "AgentConfig InputDataConfig OutputDataConfig EvaluationConfig",
        AgentConfig="Agent",
        InputDataConfig="EvaluationChannels",
        OutputDataConfig="EvaluationOutput",
        EvaluationConfig="Evaluation",
        ModelPackageConfig="EvaluatedPackage",
        StoppingCondition="Stopping",
        VpcConfig="Vpc",
    ),
    "AgentRFT": _structure(
        "AgentConfig InputDataConfig OutputDataConfig ModelPackageConfig TrainingConfig",
        AgentConfig="Agent",
        InputDataConfig="Channels",
        OutputDataConfig="Output",
        ModelPackageConfig="Packages",
        TrainingConfig="Training",
        VpcConfig="Vpc",
    ),
}
"""A category's document has its name; what the documents of the API's other categories hold is published nowhere."""


@functools.cache
def _shape_of(category: str) -> Any:
    """The shape, whose parts botocore reads once."""
    return ShapeResolver(_SHAPES).get_shape_by_name(category)


def parse(text: str, category: str) -> dict[str, Any]:
    """The document of a job of the category, or the ValidationException that says what is wrong with it."""
    if category not in CATEGORIES:
        raise ServiceError("ValidationException", f"Jobs of category {category} are not known here.")
    try:
        document = json.loads(text)
        require(_shape_of(category), document, closed=True)
    except SerializationError as error:
        raise ServiceError("ValidationException", f"Invalid JobConfigDocument: {error}") from error
    except ValueError as error:
        raise ServiceError("ValidationException", f"JobConfigDocument is not valid JSON: {error}") from error
    for path, union in (
        ("AgentConfig", document["AgentConfig"]),
        *(("DataSource", channel["DataSource"]) for channel in document["InputDataConfig"]),
    ):
        if len(union) != 1:
            raise ServiceError("ValidationException", f"{path} must hold exactly one member, but holds {list(union)}")
    return dict(document)
