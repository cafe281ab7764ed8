"""The SDK's ``MultiTurnRLEvaluator`` as a construct: one declaration, one submitted evaluation, or two to compare."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aws_cdk import Duration, RemovalPolicy, Token
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft.agent.agent_environment import Agent, AgentEnvironment
from agent_rft.arguments.checked import checked
from agent_rft.arguments.choice import Choice, declaration_of, refuse_texts
from agent_rft.arguments.validation import Flag, unresolved
from agent_rft.dataset.dataset import Dataset, data_sources
from agent_rft.hyperparameters.hyperparameter_sources import SentHyperparameters
from agent_rft.hyperparameters.hyperparameters import EvaluationHyperParameters
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.interfaces import IAgentRFTJob, IMlflowApp
from agent_rft.job.job import Job
from agent_rft.job.job_resource import job_resource
from agent_rft.job.job_tags import JobTags
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.mlflow.mlflow_config import MlflowConfig
from agent_rft.model.evaluated_model import EvaluatedModel
from agent_rft.model.model import Model
from agent_rft.output.encryption_key import EncryptionKey
from agent_rft.output.output import Output
from agent_rft_handler import contract, facts
from agent_rft_handler.declaration import Declaration, Replacement


class MultiTurnRLEvaluator(SubmittedJob):
    """Submits one evaluation of a model when the stack deploys, with the lifecycle of a trainer.

    The SDK's evaluator starts a pipeline of SageMaker that it shares with every other caller of the account; here, the
    job is the stack's own. It takes no VPC: where the document of an evaluation has one is published nowhere.

    Example::

        MultiTurnRLEvaluator(
            self, "Evaluator",
            model=Model.from_model_package(package_arn),
            agent_config=agent_function,
            dataset=Dataset.from_asset("held-out.jsonl"),
            mlflow_app=app,
        )
    """

    _category = facts.AGENT_RFT_EVALUATION

    base_model_job: IAgentRFTJob | None
    """The job that evaluates the package's base model, with ``evaluate_base_model``; else None."""

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        model: Model | str,
        dataset: Dataset | str,
        agent_config: Agent,
        agent_qualifier: str | None = None,
        accept_eula: Flag = False,
        evaluate_base_model: bool = False,
        hyperparameters: EvaluationHyperParameters | Mapping[str, object] | None = None,
        stopping_condition: Duration | int = facts.STOPPING_CONDITION_DEFAULT,
        output_bucket: s3.IBucket | None = None,
        output_prefix: str | None = None,
        s3_output_path: str | None = None,
        kms_key: kms.IKey | str | None = None,
        mlflow_app: IMlflowApp | sagemaker.CfnMlflowApp | str | None = None,
        mlflow_experiment_name: str | None = None,
        mlflow_run_name: str | None = None,
        role: iam.IRole | str | None = None,
        base_eval_name: str | None = None,
        run_id: str | None = None,
        replacement: Replacement | str = Replacement.REFUSE,
        dry_run: Flag = False,
        tags: Mapping[str, str] | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the evaluation.

        Args:
            scope: Where it is declared.
            id: Its id there.
            model: A hub name, a Bedrock alias, a hub-content ARN, a model package ARN, or a ``Model``.
            dataset: Prompts that the model was not trained on: an S3 URI, a DataSet ARN, or a ``Dataset``.
            agent_config: An AgentCore runtime or endpoint; a Lambda function, version or alias; the ARN of one of
                them; a runtime id; or an ``AgentEnvironment``.
            agent_qualifier: The name of the runtime's endpoint; without it, the service chooses.
            accept_eula: Set True to accept the licence of a gated model; False without it, and never inferred.
            evaluate_base_model: Set True to evaluate a model package's base model too, as a second job that logs to
                the same experiment. The default quota is one evaluation at a time. False without it.
            hyperparameters: Values by the names that the service takes, or ``EvaluationHyperParameters``.
            stopping_condition: After how many seconds the job is stopped, at most 259,200 (72 hours); or a
                ``Duration``. 86,400 (24 hours) without it.
            output_bucket: The bucket to which the job writes; without it, a private, encrypted bucket is made.
            output_prefix: The prefix in the bucket; ``output`` without it.
            s3_output_path: An S3 URI, in place of ``output_bucket`` and ``output_prefix``.
            kms_key: A symmetric key, or its ARN, that encrypts what the job writes; S3's own key without it.
            mlflow_app: An app or its ARN; without it, the account's default app, or its first ready one, at deploy.
            mlflow_experiment_name: The experiment; ``mtrl-eval-`` and the base model's name without it.
            mlflow_run_name: The run; ``base-model-eval`` or ``fine-tuned-model-eval`` without it.
            role: The execution role, its ARN or its name. It gets the job's permissions if it can be changed from
                here. Without it, a role is made.
            base_eval_name: The start of the job's name, cut where it is too long; the model's name without it.
            run_id: Any text. A new text runs a declaration again that is otherwise unchanged; none without it.
            replacement: What a deployment that needs a new job does while the earlier one runs: a ``Replacement``.
                Without it ``Replacement.REFUSE``, an error that changes nothing.
            dry_run: Set True to check everything, at deploy too, and submit nothing. False without it.
            tags: The job's own tags, beside those of ``Tags.of()``, at most 46 together; none without it.
            removal_policy: What becomes of the bucket made here when it leaves the stack; RETAIN without it.

        Raises:
            ValueError: for anything known at synth that the service would refuse: the construct's path, the value,
                what is allowed and what to change.
        """
        super().__init__(scope, id)
        refuse_texts(self, role=role, kms_key=kms_key, s3_output_path=s3_output_path)
        self._tags = JobTags(self, contract.JOB_RESOURCE_TYPE, tags)
        execution_role = ExecutionRole.of(self, role)
        encryption_key = EncryptionKey.of(self, kms_key)
        chosen_model = Model.of(self, model)
        output = Output.of(self, output_bucket, output_prefix, s3_output_path, encryption_key.key, removal_policy)
        choices: list[Choice] = [
            *data_sources(self, dataset=dataset),
            AgentEnvironment.of(agent_config, agent_qualifier or ""),
            output,
            EvaluatedModel(chosen_model),
            MlflowConfig.of(mlflow_app, mlflow_experiment_name, mlflow_run_name),
            execution_role,
            encryption_key,
            SentHyperparameters.of_evaluation(self, hyperparameters),
        ]
        declaration = declaration_of(
            self,
            choices,
            job_category=self._category.name,
            accept_eula=accept_eula,
            stopping_condition=_seconds(stopping_condition),
            base_job_name=base_eval_name or "",
            run_id=run_id or "",
            replacement=replacement,
            dry_run=dry_run,
        )
        for choice in choices:
            choice.bind(self, execution_role)

        self._submit(declaration, chosen_model, execution_role, output, encryption_key)
        self.base_model_job = None
        if evaluate_base_model and chosen_model.model_package_arn:
            self.base_model_job = self._of_base_model(declaration, chosen_model)

    def _sent(self, scope: Construct, hyperparameters: Any, model: str) -> SentHyperparameters:
        return SentHyperparameters.of_evaluation(scope, hyperparameters)

    def _of_base_model(self, declaration: Declaration, model: Model) -> IAgentRFTJob:
        """The same evaluation of the package's base model, after the package's own, with role and output in common."""
        job = Job(self, "BaseModel")
        job._category = self._category
        job._resource = job_resource(job, replace(declaration, evaluate_base_model=True), model, self._tags)
        job._resource.node.add_dependency(self._resource)
        return job


def _seconds(stopping_condition: Duration | int) -> str:
    seconds = stopping_condition.to_seconds() if isinstance(stopping_condition, Duration) else stopping_condition
    return Token.as_string(seconds) if unresolved(seconds) else f"{seconds:g}"
