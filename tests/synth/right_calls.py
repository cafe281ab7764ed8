"""What a user calls, each with the arguments with which it is right."""

from collections.abc import Callable
from typing import Any

from aws_cdk import Stack
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_s3 as s3
from synth.app import ACCOUNT, LAMBDA_ARN, REGION, RUNTIME_ARN, function_in, trainer

from agent_rft import (
    AgentEnvironment,
    AgentRFTEvaluateTask,
    AgentRFTTrainTask,
    CustomAgentLambda,
    Dataset,
    EvaluationHyperParameters,
    HyperParameters,
    JobDashboard,
    JobProvider,
    JobQueue,
    MlflowApp,
    Model,
    ModelPackageGroup,
    MultiTurnRLEvaluator,
    MultiTurnRLTrainer,
    Sweep,
    grant_job_runtime,
)
from agent_rft_handler.facts import MLFLOW_APP_ARN, MODEL_PACKAGE_GROUP_ARN


def runtime_in(stack: Stack) -> agentcore.IBedrockAgentRuntime:
    return agentcore.Runtime.from_agent_runtime_attributes(
        stack,
        "Runtime",
        agent_runtime_arn=RUNTIME_ARN,
        agent_runtime_id="my-AbCdEfGhIj",
        agent_runtime_name="my",
        agent_runtime_version="1",
        role_arn="arn:aws:iam::111122223333:role/x",
    )


PLAIN: dict[str, Any] = {
    "model": "openai-reasoning-gpt-oss-20b",
    "agent_env": RUNTIME_ARN,
    "training_dataset": "s3://data-bkt/prompts/train.parquet",
}
Right = Callable[[Stack], dict[str, Any]]
JOB_ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/a"
EVALUATION = {"model": PLAIN["model"], "agent_config": RUNTIME_ARN, "dataset": PLAIN["training_dataset"]}
CODE = "def handler(event, context): return {}"

CALLS: dict[str, tuple[Callable[..., Any], Right]] = {
    "MultiTurnRLTrainer": (MultiTurnRLTrainer, lambda stack: {"scope": stack, "id": "X", **PLAIN}),
    "MultiTurnRLEvaluator": (MultiTurnRLEvaluator, lambda stack: {"scope": stack, "id": "X", **EVALUATION}),
    "JobQueue": (
        JobQueue,
        lambda stack: {"scope": stack, "id": "X", "jobs": [trainer(stack, dry_run=True)]},
    ),
    "Sweep": (
        Sweep,
        lambda stack: {"scope": stack, "id": "X", "base": trainer(stack, dry_run=True), "variants": {"a": {}}},
    ),
    "JobDashboard": (JobDashboard, lambda stack: {"scope": stack, "id": "X", "job": trainer(stack)}),
    "AgentRFTTrainTask": (
        AgentRFTTrainTask,
        lambda stack: {"scope": stack, "id": "X", "trainer": trainer(stack, dry_run=True)},
    ),
    "AgentRFTEvaluateTask": (
        AgentRFTEvaluateTask,
        lambda stack: {
            "scope": stack,
            "id": "X",
            "evaluator": MultiTurnRLEvaluator(stack, "Evaluator", **EVALUATION, dry_run=True),
        },
    ),
    "EvaluationHyperParameters": (EvaluationHyperParameters, lambda _: {}),
    "MultiTurnRLTrainer.from_job_name": (
        MultiTurnRLTrainer.from_job_name,
        lambda stack: {"scope": stack, "id": "X", "job_name": "a"},
    ),
    "AgentEnvironment.from_agent_runtime": (
        AgentEnvironment.from_agent_runtime,
        lambda stack: {"runtime": runtime_in(stack)},
    ),
    "AgentEnvironment.from_agent_runtime_arn": (
        AgentEnvironment.from_agent_runtime_arn,
        lambda _: {"arn": RUNTIME_ARN},
    ),
    "AgentEnvironment.from_agent_runtime_id": (
        AgentEnvironment.from_agent_runtime_id,
        lambda _: {"runtime_id": "my-AbCdEfGhIj"},
    ),
    "AgentEnvironment.from_function": (AgentEnvironment.from_function, lambda stack: {"function": function_in(stack)}),
    "AgentEnvironment.from_function_arn": (AgentEnvironment.from_function_arn, lambda _: {"arn": LAMBDA_ARN}),
    "Dataset.from_s3_uri": (Dataset.from_s3_uri, lambda _: {"uri": "s3://data-bkt/x.jsonl"}),
    "Dataset.from_bucket": (Dataset.from_bucket, lambda stack: {"bucket": s3.Bucket(stack, "B"), "key": "x.jsonl"}),
    "Dataset.from_asset": (Dataset.from_asset, lambda _: {"path": __file__}),
    "Dataset.from_data_set_arn": (Dataset.from_data_set_arn, lambda _: {"arn": "arn:aws:sagemaker:x"}),
    "Model": (Model, lambda _: {"reference": "a"}),
    "Model.from_hub": (Model.from_hub, lambda _: {"hub_content_name": "a"}),
    "Model.from_hub_content_arn": (Model.from_hub_content_arn, lambda _: {"hub_content_arn": "a"}),
    "Model.from_model_package": (Model.from_model_package, lambda _: {"model_package": "a"}),
    "HyperParameters": (HyperParameters, lambda _: {}),
    "MlflowApp": (MlflowApp, lambda stack: {"scope": stack, "id": "X"}),
    "ModelPackageGroup": (ModelPackageGroup, lambda stack: {"scope": stack, "id": "X"}),
    "ModelPackageGroup.from_model_package_group_name": (
        ModelPackageGroup.from_model_package_group_name,
        lambda stack: {"scope": stack, "id": "X", "name": "a"},
    ),
    "ModelPackageGroup.from_model_package_group_arn": (
        ModelPackageGroup.from_model_package_group_arn,
        lambda stack: {"scope": stack, "id": "X", "arn": MODEL_PACKAGE_GROUP_ARN.example},
    ),
    "MlflowApp.from_mlflow_app_arn": (
        MlflowApp.from_mlflow_app_arn,
        lambda stack: {"scope": stack, "id": "X", "arn": MLFLOW_APP_ARN.example},
    ),
    "MultiTurnRLTrainer.from_job_attributes": (
        MultiTurnRLTrainer.from_job_attributes,
        lambda stack: {"scope": stack, "id": "X", "job_name": "a"},
    ),
    "MultiTurnRLTrainer.from_job_arn": (
        MultiTurnRLTrainer.from_job_arn,
        lambda stack: {"scope": stack, "id": "X", "job_arn": JOB_ARN},
    ),
    "CustomAgentLambda": (CustomAgentLambda, lambda stack: {"scope": stack, "id": "X", "code": CODE}),
    "JobProvider": (JobProvider, lambda stack: {"stack": stack}),
    "grant_job_runtime": (grant_job_runtime, lambda stack: {"scope": stack, "grantee": function_in(stack)}),
}
