"""A job that the stack itself submits: what a trainer and an evaluator have in common beyond any job."""

from typing import TYPE_CHECKING, Any

import jsii
from aws_cdk import ITaggableV2, TagManager
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct, IDependable

from agent_rft.arguments.checked import checked
from agent_rft.hyperparameters.hyperparameter_sources import SentHyperparameters
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.job.job import Job
from agent_rft.job.job_resource import job_resource
from agent_rft.job.job_tags import JobTags
from agent_rft.model.model import Model
from agent_rft.output.encryption_key import EncryptionKey
from agent_rft.output.output import Output
from agent_rft.place import Place
from agent_rft_handler.declaration import Declaration

if TYPE_CHECKING:
    from aws_cdk import aws_ssm as ssm


@jsii.implements(ITaggableV2)
class SubmittedJob(Job):
    """A job by its declaration, with the role and the output that were chosen for it."""

    role: iam.IRole
    """The execution role, which the job assumes."""

    output_bucket: s3.IBucket
    """The bucket to which the job writes."""

    s3_output_path: str
    """The S3 URI below which the job writes."""

    _in_words = "a trainer or an evaluator"
    """What it is called in messages."""

    _tags: JobTags
    _execution_role: ExecutionRole
    _job_name_parameter: "ssm.IStringParameter | None" = None

    def __init__(self, scope: Construct, id: str) -> None:
        """Use a trainer or an evaluator instead."""
        super().__init__(scope, id)
        Place.of(scope).holds(self)

    @property
    def base_model_arn(self) -> str:
        """The hub-content ARN of the base model, as it was found at deploy."""
        return self._resource.attribute("BaseModelArn")

    @property
    def cdk_tag_manager(self) -> TagManager:
        """The job's tags; ``Tags.of()`` finds them here (a property, as jsii sees no attribute)."""
        return self._tags.manager

    @property
    def job_name_parameter(self) -> "ssm.IStringParameter":
        """An SSM parameter that holds ``job_name``, made when it is first asked for, for other stacks.

        Each new job has another name. ``job_name`` itself would be an export there, which CloudFormation does not
        change while it is used; the parameter's own name stays, and who reads it finds the newest job::

            function.add_environment("JOB_NAME_PARAMETER", trainer.job_name_parameter.parameter_name)
            trainer.job_name_parameter.grant_read(function)
        """
        if self._job_name_parameter is None:
            self._job_name_parameter = _parameter(self, self.job_name)
        return self._job_name_parameter

    @checked
    def add_to_role_policy(self, statement: iam.PolicyStatement) -> None:
        """Adds to what the job may do, before it is submitted.

        Args:
            statement: What it may do beside what its declaration needs.
        """
        self._resource.node.add_dependency(self._execution_role.add(statement))

    def _sent(self, scope: Construct, hyperparameters: Any, model: str) -> SentHyperparameters:
        """What such a job sends of the hyperparameters of a variant, read and judged as its own are."""
        raise NotImplementedError

    def _submit(
        self,
        declaration: Declaration,
        model: Model,
        role: ExecutionRole,
        output: Output,
        encryption_key: EncryptionKey,
        *needs: IDependable,
    ) -> None:
        """The custom resource, when every choice is bound, and what the job is known by."""
        self._execution_role = role
        self.role = self._role = role.role
        self._output, self._kms_key = output, encryption_key.key
        self.output_bucket = output.bucket
        self.s3_output_path = output.s3_output_path
        waits_for = (*role.granted(), *output.needs, *needs)
        self._resource = job_resource(self, declaration, model, self._tags, *waits_for)


def _parameter(scope: Construct, value: str) -> "ssm.IStringParameter":
    """A parameter that others know by its name alone: its value, too, would be an export."""
    from aws_cdk import aws_ssm as ssm

    made = ssm.StringParameter(scope, "JobName", string_value=value)
    return ssm.StringParameter.from_string_parameter_attributes(
        made, "ByName", parameter_name=made.parameter_name, simple_name=True, force_dynamic_reference=True
    )
