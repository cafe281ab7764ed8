"""The SDK's ``MultiTurnRLTrainer`` as a construct: one declaration, one submitted job."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsii
from aws_cdk import CustomResource, Duration, ITaggableV2, RemovalPolicy, Stack, TagManager, TagType
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct, IValidation

from agent_rft.agent_environment import AgentEnvironment
from agent_rft.dataset import Dataset
from agent_rft.encryption import key_of
from agent_rft.execution_role import ExecutionRole
from agent_rft.hyperparameters import HyperParameters, sent
from agent_rft.job import AttachedJob, IAgentRFTJob, Job
from agent_rft.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft.mlflow_app import MlflowApp
from agent_rft.model import Model
from agent_rft.model_package_group import Group, groups_of
from agent_rft.network import network_of, required_vpc_endpoints
from agent_rft.output import output_of
from agent_rft.refusal import known_account, known_region, refuse, unresolved
from agent_rft.traps import warn_of_traps
from agent_rft_handler import contract, facts, validation
from agent_rft_handler.contract import Declaration

if TYPE_CHECKING:
    from aws_cdk import aws_ec2 as ec2

RESOURCE_TYPE = "Custom::AgentRFTJob"


@jsii.implements(ITaggableV2)
class MultiTurnRLTrainer(Job):
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

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        model: Model | str,
        agent_env: Any,
        training_dataset: Dataset | str,
        validation_dataset: Dataset | str | None = None,
        accept_eula: bool = False,
        hyperparameters: HyperParameters | Mapping[str, object] | None = None,
        overrides: Mapping[str, object] | None = None,
        recipe: str | Path | None = None,
        output_bucket: s3.IBucket | None = None,
        output_prefix: str | None = None,
        s3_output_path: str | None = None,
        kms_key: kms.IKey | str | None = None,
        output_model_package_group: Group | None = None,
        intermediate_checkpoint_model_package_group: Group | None = None,
        mlflow_app: MlflowApp | sagemaker.CfnMlflowApp | str | None = None,
        mlflow_experiment_name: str | None = None,
        mlflow_run_name: str | None = None,
        bedrock_agentcore_qualifier: str | None = None,
        vpc: "ec2.IVpc | None" = None,
        vpc_subnets: "ec2.SubnetSelection | Sequence[str] | None" = None,
        security_groups: "Sequence[ec2.ISecurityGroup | str] | None" = None,
        role: iam.IRole | str | None = None,
        base_job_name: str | None = None,
        run_id: str | None = None,
        replacement: str = "refuse",
        dry_run: bool = False,
        tags: Mapping[str, str] | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the job.

        Args:
            scope: Where it is declared.
            id: Its id there.
            model: A hub name, a Bedrock alias, a hub-content ARN or a model package ARN, or a ``Model``.
            agent_env: An AgentCore runtime or endpoint, a Lambda function, version or alias; or an ARN or a bare
                runtime id; or an ``AgentEnvironment``.
            training_dataset: An S3 URI or a DataSet ARN, or a ``Dataset``.
            validation_dataset: The same; without it, no validation.
            accept_eula: Your own yes to the licence of a gated model; never inferred.
            hyperparameters: Values by the recipe's names, at most 50. What is written here is sent, a default
                included; None and "" count as absent; what is absent, the service takes from the recipe.
            output_bucket: Where the job writes; without it, a private, encrypted bucket is made.
            output_prefix: The prefix in it; ``output`` without it.
            s3_output_path: Instead of the two: an S3 URI.
            kms_key: A symmetric key, or its ARN, for everything that the job writes; S3's own key without it.
            output_model_package_group: The tuned model's group, by construct, name or ARN; without it, the group of
                the model package that training continues from, else one is made.
            intermediate_checkpoint_model_package_group: The checkpoints' group; it must be another one.
            mlflow_app: An app or its ARN; without it, the account's default app or its first ready one at deploy.
            mlflow_experiment_name: The experiment; the service's choice without it.
            mlflow_run_name: The run; the service's choice without it.
            bedrock_agentcore_qualifier: The runtime's endpoint; DEFAULT without it, nothing is sent for "".
            vpc: The VPC that the job reaches; none without it.
            vpc_subnets: Which of its subnets, its private ones without it; or a list of subnet ids.
            security_groups: Security groups or their ids; without them, one is made that lets HTTPS and DNS out.
            role: The execution role, its ARN or its name; without it, one is made. A role that can be changed gets
                the job's statements.
            base_job_name: The start of the job's name, cut where it is long; the model's name without it.
            run_id: Any text; a new one submits a new job of an otherwise equal declaration.
            replacement: What a deployment that needs a new job does while the earlier one runs: ``refuse`` (an error
                that changes nothing), ``stop_first`` (stops it, waits, submits), ``submit_first`` (submits at once).
            dry_run: Checks everything, at deploy too, and submits nothing; the attributes are those that the job would
                have. Without it, the job is submitted.
            tags: The job's own tags, beside those of ``Tags.of()``; at most 46, and none that starts with aws:.
            removal_policy: Of the bucket and the groups made here; RETAIN without it.

        Raises:
            ValueError: for anything known at synth that the service would refuse: the construct's path, the value,
                what is allowed and what to change.
        """
        super().__init__(scope, id)
        self._tags = TagManager(TagType.MAP, RESOURCE_TYPE, dict(tags or {}))
        self.node.add_validation(_TagCheck(self._tags))
        key = key_of(self, kms_key)
        execution = ExecutionRole.of(self, role)
        agent = AgentEnvironment.of(agent_env, bedrock_agentcore_qualifier)
        chosen_model = Model.of(model)
        network = network_of(self, vpc, vpc_subnets, security_groups)
        output = output_of(
            self,
            output_bucket=output_bucket,
            output_prefix=output_prefix,
            s3_output_path=s3_output_path,
            kms_key=key,
            removal_policy=removal_policy,
        )
        tuned = output_model_package_group or chosen_model.model_package_group_name or None
        values = sent(self, hyperparameters, overrides, recipe)
        groups = groups_of(
            self,
            tuned,
            intermediate_checkpoint_model_package_group,
            removal_policy,
            managed_storage_type="Restricted" if chosen_model.is_nova else None,
        )
        declaration = Declaration(
            job_category=facts.AGENT_RFT.name,
            role_arn=execution.role.role_arn,
            model=chosen_model.reference,
            agent_env=agent.agent_env,
            bedrock_agentcore_qualifier=agent.qualifier,
            training_dataset=Dataset.of(training_dataset).bind(self, "TrainingDataset", execution),
            validation_dataset=_bound(validation_dataset, self, execution),
            s3_output_path=output.s3_output_path,
            kms_key_arn=key.key_arn if key else "",
            output_model_package_group=groups.output.model_package_group_arn,
            intermediate_checkpoint_model_package_group=groups.checkpoint.model_package_group_arn,
            accept_eula=accept_eula,
            hyperparameters=values.texts,
            unchecked_hyperparameters=values.unchecked,
            mlflow_app=MlflowApp.arn_of(mlflow_app),
            mlflow_experiment_name=mlflow_experiment_name or "",
            mlflow_run_name=mlflow_run_name or "",
            security_group_ids=network.security_group_ids,
            subnets=network.subnets,
            base_job_name=base_job_name or "",
            run_id=run_id or "",
            replacement=replacement,
            dry_run=dry_run,
        )
        self._refuse(declaration)
        agent.bind(self, execution)
        output.bind(execution)
        execution.allow_model(chosen_model, in_output_group=output_model_package_group is None)
        execution.allow_training(groups.arns, declaration.mlflow_app)
        if declaration.subnets:
            execution.allow_network(network)
        if key:
            execution.allow_key(key.key_arn)
        warn_of_traps(self, declaration, chosen_model, groups)

        self.role = execution.role
        self.required_vpc_endpoints = required_vpc_endpoints(Stack.of(self).region, agent_is_function=agent.is_function)
        self.output_bucket = output.bucket
        self.s3_output_path = output.s3_output_path
        self.output_model_package_group = groups.output
        self.checkpoint_model_package_group = groups.checkpoint
        resource = self._resource(declaration, chosen_model)
        resource.node.add_dependency(self.role, self.output_bucket, *network.needs)
        self.job_name = resource.get_att_string("JobName")
        self.job_arn = resource.get_att_string("JobArn")
        self.base_model_arn = resource.get_att_string("BaseModelArn")

    @staticmethod
    def from_job_name(scope: Construct, id: str, job_name: str) -> IAgentRFTJob:
        """A job of the stack's own account and region that was submitted elsewhere [the SDK's ``attach``].

        Args:
            scope: Where it is named.
            id: Its id there.
            job_name: The job's name.

        Raises:
            ValueError: for a name that no job has.
        """
        job = AttachedJob(scope, id, job_name)
        if not unresolved(job_name):
            refuse(job, [validation.form_problem("job_name", job_name, (facts.JOB_NAME,))])
        return job

    @property
    def cdk_tag_manager(self) -> TagManager:
        """The job's tags; ``Tags.of()`` finds them here (a property, as jsii sees no attribute)."""
        return self._tags

    def _refuse(self, declaration: Declaration) -> None:
        place = {"region": known_region(self), "account": known_account(self)}
        refuse(self, validation.problems(declaration, unresolved=unresolved, **place))

    def _resource(self, declaration: Declaration, model: Model) -> CustomResource:
        provider = JobProvider.of(self)
        provider.allow_job(declaration, model)
        properties = {**contract.to_properties(declaration), "Tags": self._tags.rendered_tags}
        resource = CustomResource(
            self,
            "Job",
            service_token=provider.service_token,
            resource_type=RESOURCE_TYPE,
            properties=properties,
            service_timeout=Duration.minutes(SERVICE_TIMEOUT_MINUTES),
        )
        resource.node.add_dependency(provider)
        return resource


@jsii.implements(IValidation)
class _TagCheck:
    """The job's tags are all known only when CDK's aspects have run."""

    def __init__(self, tags: TagManager) -> None:
        self._tags = tags

    def validate(self) -> list[str]:
        return list(validation.tag_problems(self._tags.tag_values(), unresolved))


def _bound(dataset: Dataset | str | None, scope: Construct, role: ExecutionRole) -> str:
    return Dataset.of(dataset).bind(scope, "ValidationDataset", role) if dataset else ""
