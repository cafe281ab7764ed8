"""The SDK's ``MultiTurnRLTrainer`` as a construct: one declaration, one submitted job."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft.agent.agent_environment import Agent, AgentEnvironment
from agent_rft.arguments.checked import checked
from agent_rft.arguments.choice import Choice, declaration_of, refuse_texts
from agent_rft.arguments.validation import Flag
from agent_rft.dataset.dataset import Dataset, data_sources
from agent_rft.hyperparameters.hyperparameter_sources import SentHyperparameters
from agent_rft.hyperparameters.hyperparameters import HyperParameters
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.interfaces import Group, IMlflowApp, IModelPackageGroup
from agent_rft.job.job_tags import JobTags
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.mlflow.mlflow_config import MlflowConfig
from agent_rft.model.model import Model
from agent_rft.model_package_group.model_package_config import ModelPackageConfig
from agent_rft.network.network import Network, required_vpc_endpoints
from agent_rft.output.encryption_key import EncryptionKey
from agent_rft.output.output import Output
from agent_rft.place import Place
from agent_rft_handler import contract, facts
from agent_rft_handler.declaration import Replacement

if TYPE_CHECKING:
    from aws_cdk import aws_ec2 as ec2
    from aws_cdk import aws_stepfunctions as sfn


class MultiTurnRLTrainer(SubmittedJob):
    """Submits one multi-turn reinforcement learning job when the stack deploys.

    A deployment submits another job only when something that defines the job changed, or ``run_id``. A job that runs
    is never touched, except when the resource is deleted (it is stopped) or as ``replacement`` says.

    Example::

        MultiTurnRLTrainer(
            self, "Trainer",
            model="huggingface-reasoning-qwen3-32b",
            agent_env=agent_function,
            training_dataset=Dataset.from_asset("prompts.jsonl"),
            mlflow_app=MlflowApp(self, "Mlflow"),
            hyperparameters={"max_epochs": 2},
        )
    """

    _category = facts.AGENT_RFT

    output_model_package_group: IModelPackageGroup
    """The group that takes the tuned model."""

    checkpoint_model_package_group: IModelPackageGroup
    """The group that takes the checkpoints."""

    required_vpc_endpoints: list[str]
    """The endpoint services that the job needs in a VPC without a way to the internet."""

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        model: Model | str,
        agent_env: Agent,
        training_dataset: Dataset | str,
        validation_dataset: Dataset | str | None = None,
        accept_eula: Flag = False,
        hyperparameters: HyperParameters | Mapping[str, object] | None = None,
        overrides: Mapping[str, object] | None = None,
        recipe: str | Path | None = None,
        output_bucket: s3.IBucket | None = None,
        output_prefix: str | None = None,
        s3_output_path: str | None = None,
        kms_key: kms.IKey | str | None = None,
        output_model_package_group: Group | None = None,
        intermediate_checkpoint_model_package_group: Group | None = None,
        mlflow_app: IMlflowApp | sagemaker.CfnMlflowApp | str | None = None,
        mlflow_experiment_name: str | None = None,
        mlflow_run_name: str | None = None,
        bedrock_agentcore_qualifier: str | None = None,
        vpc: "ec2.IVpc | None" = None,
        vpc_subnets: "ec2.SubnetSelection | Sequence[str] | None" = None,
        security_groups: "Sequence[ec2.ISecurityGroup | str] | None" = None,
        role: iam.IRole | str | None = None,
        base_job_name: str | None = None,
        run_id: str | None = None,
        replacement: Replacement | str = Replacement.REFUSE,
        dry_run: Flag = False,
        tags: Mapping[str, str] | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the job.

        Args:
            scope: Where it is declared.
            id: Its id there.
            model: A hub name, a Bedrock alias, a hub-content ARN, a model package ARN, the ARN of a model package group
                (its newest package at deploy), or a ``Model``.
            agent_env: An AgentCore runtime or endpoint; a Lambda function, version or alias; the ARN of one of them;
                a runtime id; or an ``AgentEnvironment``.
            training_dataset: An S3 URI, a DataSet ARN, or a ``Dataset``.
            validation_dataset: The same; without it, the job does not validate.
            accept_eula: Set True to accept the licence of a gated model; False without it, and never inferred. A token,
                such as of a parameter, must become true or false at deploy, here and with ``dry_run``.
            hyperparameters: At most 50 values by the recipe's names, or ``HyperParameters``. What is written here is
                sent, even a default; None and ``""`` count as absent, and what is absent has the recipe's default.
            overrides: The same, flat or nested; ``hyperparameters`` come before it. None without it.
            recipe: The path of a YAML file with a ``training_config``, or of one that AWS publishes for multi-turn RL;
                ``overrides`` and ``hyperparameters`` come before it. The model's own recipe without it.
            output_bucket: The bucket to which the job writes; without it, a private, encrypted bucket is made.
            output_prefix: The prefix in the bucket; ``output`` without it.
            s3_output_path: An S3 URI, sent as it is, in place of ``output_bucket`` and ``output_prefix``.
            kms_key: A symmetric key, or its ARN, that encrypts what the job writes; S3's own key without it.
            output_model_package_group: The group that takes the tuned model: a construct, a name or an ARN. Without
                it, the group of the model package from which training continues; else a group is made, for a Nova
                model with Restricted storage.
            intermediate_checkpoint_model_package_group: The group that takes the checkpoints, which must be another
                one; without it, a group is made.
            mlflow_app: An app or its ARN; without it, the account's default app, or its first ready one, at deploy.
            mlflow_experiment_name: The experiment; without it, the service chooses.
            mlflow_run_name: The run; without it, the service chooses.
            bedrock_agentcore_qualifier: The name of the runtime's endpoint; ``DEFAULT`` without it. ``""`` sends none.
            vpc: The VPC to which the job gets access; without it, the job has no access to a VPC.
            vpc_subnets: Which subnets of ``vpc``, its private ones without it; or a list of subnet ids.
            security_groups: Security groups or their ids; without it, a group is made that lets HTTPS and DNS out.
            role: The execution role, its ARN or its name. It gets the job's permissions if it can be changed from
                here. Without it, a role is made.
            base_job_name: The start of the job's name, cut where it is too long; the model's name without it.
            run_id: Any text. A new text runs a declaration again that is otherwise unchanged; none without it.
            replacement: What a deployment that needs a new job does while the earlier one runs: a ``Replacement``.
                Without it ``Replacement.REFUSE``, an error that changes nothing.
            dry_run: Set True to check everything, at deploy too, and submit nothing. The attributes are then those
                that the job would have. False without it.
            tags: The job's own tags, beside those of ``Tags.of()``, at most 46 together; none without it.
            removal_policy: What becomes of the bucket and the groups made here when they leave the stack; RETAIN
                without it.

        Raises:
            ValueError: for anything known at synth that the service would refuse: the construct's path, the value,
                what is allowed and what to change.
        """
        super().__init__(scope, id)
        refuse_texts(
            self,
            role=role,
            kms_key=kms_key,
            s3_output_path=s3_output_path,
            output_model_package_group=output_model_package_group,
            intermediate_checkpoint_model_package_group=intermediate_checkpoint_model_package_group,
        )
        self._tags = JobTags(self, contract.JOB_RESOURCE_TYPE, tags)
        execution_role = ExecutionRole.of(self, role)
        encryption_key = EncryptionKey.of(self, kms_key)
        chosen_model = Model.of(self, model)
        agent = AgentEnvironment.of(agent_env, bedrock_agentcore_qualifier)
        network = Network.of(self, vpc, vpc_subnets, security_groups)
        output = Output.of(self, output_bucket, output_prefix, s3_output_path, encryption_key.key, removal_policy)
        groups = ModelPackageConfig.of(
            self, chosen_model, output_model_package_group, intermediate_checkpoint_model_package_group, removal_policy
        )
        mlflow = MlflowConfig.of(mlflow_app, mlflow_experiment_name, mlflow_run_name)
        data = data_sources(self, training_dataset=training_dataset, validation_dataset=validation_dataset)
        values = SentHyperparameters.of(self, hyperparameters, overrides, recipe, chosen_model.reference)
        choices: list[Choice] = [*data, agent, output, chosen_model, groups, mlflow, execution_role, network]
        choices += [encryption_key, values]
        declaration = declaration_of(
            self,
            choices,
            job_category=self._category.name,
            accept_eula=accept_eula,
            base_job_name=base_job_name or "",
            run_id=run_id or "",
            replacement=replacement,
            dry_run=dry_run,
        )
        for choice in choices:
            choice.bind(self, execution_role)
        data[0].warn_of_batch(self, values.texts.get("global_batch_size", ""))

        self._security_groups = network.security_groups
        self.required_vpc_endpoints = required_vpc_endpoints(Place.of(self).region, agent_is_function=agent.is_function)
        self.output_model_package_group = self._model_package_group = groups.output
        self.checkpoint_model_package_group = groups.checkpoint
        self._submit(declaration, chosen_model, execution_role, output, encryption_key, *network.needs)

    def _sent(self, scope: Construct, hyperparameters: Any, model: str) -> SentHyperparameters:
        return SentHyperparameters.of(scope, hyperparameters, None, None, model)

    @checked
    def evaluate_on_completion(self, evaluator: SubmittedJob) -> "sfn.StateMachine":
        """Evaluates what the job tuned once it is Completed, by an evaluator declared with ``dry_run=True``."""
        from agent_rft.task.evaluation_on_completion import evaluation_on_completion

        return self._watch().then(evaluation_on_completion(self, evaluator, self.output_model_package_group))
