"""The JobConfigDocument: a pure function of a declaration that names all by ARN, and of its base model."""

import json
from collections.abc import Mapping

from agent_rft_handler import facts
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import Refused
from agent_rft_handler.job.base_model import BaseModel
from agent_rft_handler.validation import length_problem

Section = dict[str, object]


def build(declaration: Declaration, base: BaseModel) -> Section:
    """The sections in the order in which the SDK sends them; what is absent is left out, never null."""
    return _BUILDERS[facts.category_of(declaration.job_category).name](declaration, base)


def text(document: Mapping[str, object]) -> str:
    """The document as CreateJob takes it; refused when it is too long."""
    result = json.dumps(document, indent=2)
    if problem := length_problem("The JobConfigDocument", len(result)):
        raise Refused(problem)
    return result


def _training(declaration: Declaration, base: BaseModel) -> Section:
    """Source: sagemaker-train 1.27.0, ``MultiTurnRLTrainer._build_job_config``."""
    document: Section = {
        "AgentConfig": _agent(declaration),
        "InputDataConfig": _channels(train=declaration.training_dataset, validation=declaration.validation_dataset),
        "OutputDataConfig": _output(declaration),
        "ModelPackageConfig": _present(
            OutputModelPackageGroupArn=declaration.output_model_package_group,
            InputModelPackageArn=base.input_model_package_arn,
            IntermediateCheckpointModelPackageGroupArn=declaration.intermediate_checkpoint_model_package_group,
        ),
        "TrainingConfig": {
            "BaseModelArn": base.arn,
            "MlflowConfig": _mlflow(declaration),
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


def _evaluation(declaration: Declaration, base: BaseModel) -> Section:
    """Source: sagemaker-train 1.27.0, ``MultiTurnRLEvaluator._build_template_context``."""
    package = "" if declaration.evaluate_base_model else base.input_model_package_arn
    run_name = "fine-tuned-model-eval" if package else "base-model-eval"
    mlflow = _mlflow(declaration, experiment_name=f"mtrl-eval-{base.name}", run_name=run_name)
    return {
        "AgentConfig": _agent(declaration),
        "InputDataConfig": _channels(evaluation=declaration.dataset),
        "OutputDataConfig": {**_output(declaration), "MlflowConfig": mlflow},
        "EvaluationConfig": {
            "BaseModelArn": base.arn,
            "AcceptEula": declaration.accept_eula,
            **_present(HyperParameters=dict(declaration.hyperparameters)),
        },
        **_present(ModelPackageConfig=_present(InputModelPackageArn=package)),
        "StoppingCondition": {
            "MaxRuntimeInSeconds": int(declaration.stopping_condition or facts.STOPPING_CONDITION_DEFAULT)
        },
    }


_BUILDERS = {facts.AGENT_RFT.name: _training, facts.AGENT_RFT_EVALUATION.name: _evaluation}


def _agent(declaration: Declaration) -> Section:
    agent, qualifier = declaration.agent_env, declaration.bedrock_agentcore_qualifier
    if ":lambda:" in agent:
        return {"CustomAgentLambdaConfig": {"LambdaArn": agent}}
    return {"BedrockAgentCoreConfig": _present(AgentRuntimeArn=agent, Qualifier=qualifier)}


def _channels(**datasets: str) -> list[Section]:
    return [{"ChannelName": name, "DataSource": _data_source(value)} for name, value in datasets.items() if value]


def _data_source(value: str) -> Section:
    if value.startswith("s3://"):
        return {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": value}}
    return {"DatasetSource": {"DatasetArn": value}}


def _output(declaration: Declaration) -> Section:
    return _present(S3OutputPath=declaration.s3_output_path, KmsKeyArn=declaration.kms_key_arn)


def _mlflow(declaration: Declaration, experiment_name: str = "", run_name: str = "") -> Section:
    return _present(
        MlflowResourceArn=declaration.mlflow_app,
        MlflowExperimentName=declaration.mlflow_experiment_name or experiment_name,
        MlflowRunName=declaration.mlflow_run_name or run_name,
    )


def _present(**members: object) -> Section:
    return {name: value for name, value in members.items() if value}
