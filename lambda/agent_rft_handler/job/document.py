"""The JobConfigDocument: a pure function of the declaration and of what was looked up for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from agent_rft_handler import facts
from agent_rft_handler.contract import Declaration
from agent_rft_handler.errors import Refused

Section = dict[str, object]


@dataclass(frozen=True)
class Resolved:
    """What only the account knows: full ARNs for what was declared by name, or not at all."""

    base_model_arn: str
    base_model_name: str
    agent_arn: str
    qualifier: str
    mlflow_app_arn: str
    output_model_package_group_arn: str
    checkpoint_model_package_group_arn: str
    input_model_package_arn: str = ""


def build(declaration: Declaration, resolved: Resolved) -> Section:
    """The sections in the order in which the SDK sends them; what is absent is left out, never null."""
    return _BUILDERS[facts.category_of(declaration.job_category).name](declaration, resolved)


def text(document: Mapping[str, object]) -> str:
    """The document as CreateJob takes it; refused when it is too long."""
    result = json.dumps(document, indent=2)
    if len(result) > facts.DOCUMENT_MAX_LENGTH:
        raise Refused(
            f"The JobConfigDocument has {len(result)} characters, but CreateJob takes {facts.DOCUMENT_MAX_LENGTH}. "
            "Shorten the hyperparameters, or put what is long into the dataset."
        )
    return result


def _training(declaration: Declaration, resolved: Resolved) -> Section:
    """Source: sagemaker-train 1.27.0, ``MultiTurnRLTrainer._build_job_config``."""
    document: Section = {
        "AgentConfig": _agent(resolved),
        "InputDataConfig": _channels(train=declaration.training_dataset, validation=declaration.validation_dataset),
        "OutputDataConfig": _output(declaration),
        "ModelPackageConfig": _present(
            OutputModelPackageGroupArn=resolved.output_model_package_group_arn,
            InputModelPackageArn=resolved.input_model_package_arn,
            IntermediateCheckpointModelPackageGroupArn=resolved.checkpoint_model_package_group_arn,
        ),
        "TrainingConfig": {
            "BaseModelArn": resolved.base_model_arn,
            "MlflowConfig": _mlflow(resolved, declaration.mlflow_experiment_name, declaration.mlflow_run_name),
            "AcceptEula": declaration.accept_eula,
            **_present(HyperParameters=dict(declaration.hyperparameters)),
        },
    }
    if declaration.subnets:
        document["VpcConfig"] = {
            "SecurityGroupIds": list(declaration.security_group_ids),
            "Subnets": list(declaration.subnets),
        }
    return document


def _evaluation(declaration: Declaration, resolved: Resolved) -> Section:
    """Source: sagemaker-train 1.27.0, ``MultiTurnRLEvaluator._build_template_context``."""
    of_package = {"InputModelPackageArn": resolved.input_model_package_arn} if resolved.input_model_package_arn else {}
    experiment = declaration.mlflow_experiment_name or f"mtrl-eval-{resolved.base_model_name}"
    run = declaration.mlflow_run_name or ("fine-tuned-model-eval" if of_package else "base-model-eval")
    return {
        "AgentConfig": _agent(resolved),
        "InputDataConfig": _channels(evaluation=declaration.dataset),
        "OutputDataConfig": {**_output(declaration), "MlflowConfig": _mlflow(resolved, experiment, run)},
        "EvaluationConfig": {
            "BaseModelArn": resolved.base_model_arn,
            "AcceptEula": declaration.accept_eula,
            **_present(HyperParameters=dict(declaration.hyperparameters)),
        },
        **_present(ModelPackageConfig=of_package),
        "StoppingCondition": {
            "MaxRuntimeInSeconds": int(declaration.stopping_condition or facts.STOPPING_CONDITION_DEFAULT)
        },
    }


_BUILDERS = {facts.AGENT_RFT.name: _training, facts.AGENT_RFT_EVALUATION.name: _evaluation}


def _agent(resolved: Resolved) -> Section:
    if ":lambda:" in resolved.agent_arn:
        return {"CustomAgentLambdaConfig": {"LambdaArn": resolved.agent_arn}}
    return {"BedrockAgentCoreConfig": _present(AgentRuntimeArn=resolved.agent_arn, Qualifier=resolved.qualifier)}


def _channels(**datasets: str) -> list[Section]:
    return [{"ChannelName": name, "DataSource": _data_source(value)} for name, value in datasets.items() if value]


def _data_source(value: str) -> Section:
    if value.startswith("s3://"):
        return {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": value}}
    return {"DatasetSource": {"DatasetArn": value}}


def _output(declaration: Declaration) -> Section:
    return _present(S3OutputPath=declaration.s3_output_path, KmsKeyArn=declaration.kms_key_arn)


def _mlflow(resolved: Resolved, experiment_name: str, run_name: str) -> Section:
    return _present(
        MlflowResourceArn=resolved.mlflow_app_arn, MlflowExperimentName=experiment_name, MlflowRunName=run_name
    )


def _present(**members: object) -> Section:
    return {name: value for name, value in members.items() if value}
