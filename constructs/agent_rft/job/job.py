"""A job of the API: what a trainer submits, or what was submitted elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import jsii
from aws_cdk import Fn, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from agent_rft import permissions
from agent_rft.arguments.arn import splittable
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import may_be, refuse, text_problem, unresolved
from agent_rft.iam.grants import granted, warn_of_immutable
from agent_rft.interfaces import IAgentRFTJob, IModelPackageGroup
from agent_rft.network.connections import IConnectable, connections_of
from agent_rft.output.encryption_key import symmetric_key
from agent_rft.output.output import Output
from agent_rft.watch.job_events import WatchedJob
from agent_rft_handler import facts
from agent_rft_handler.facts import Category
from agent_rft_handler.validation import given_problems, shown

if TYPE_CHECKING:  # a third of the import's time
    from aws_cdk import aws_ec2 as ec2


@jsii.implements(iam.IGrantable, IConnectable)
class Job(WatchedJob):
    """What trainers, evaluators and attached jobs have in common."""

    _role: iam.IRole | None = None
    _security_groups: "Sequence[ec2.ISecurityGroup | str]" = ()
    _connections: "ec2.Connections | None" = None
    _output: Output | None = None
    _kms_key: kms.IKey | None = None
    _model_package_group: IModelPackageGroup | None = None

    @property
    def log_group_name(self) -> str:
        """Where the service writes the job's logs; its streams start with the job's name."""
        return self._category.log_group_name

    @property
    def grant_principal(self) -> iam.IPrincipal:
        """The execution role, so that ``bucket.grant_read(job)`` grants what the job itself then may."""
        if self._role:
            return self._role.grant_principal
        return cast("iam.IPrincipal", iam.UnknownPrincipal(resource=self))  # which lacks what is optional there

    @property
    def connections(self) -> "ec2.Connections":
        """What the job's security groups let in and out: ``database.connections.allow_default_port_from(job)``.

        Raises:
            ValueError: for a job without security groups.
        """
        if self._connections is None:
            self._connections = connections_of(self, self._security_groups)
        return self._connections

    @property
    def model_package_group(self) -> IModelPackageGroup:
        """The group in which the job registers the model that it tuned.

        Its versions are counted by the service as jobs register them, so which of them is this job's is not known when
        the stack deploys. When the job has ended, its document (DescribeJob: ServiceOutput, OutputModelPackageArn) says
        it; ``Model.from_model_package_group`` continues from the newest at deploy.

        Raises:
            ValueError: for an attached job whose group was not given.
        """
        if self._model_package_group is None:
            raise self._not_given("model_package_group")
        return self._model_package_group

    @checked
    def grant_describe(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read the job (DescribeJob, ListTags).

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        return granted(self, grantee, permissions.DESCRIBE_JOB, self.job_arn)

    @checked
    def grant_stop(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone stop the job (StopJob).

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        return granted(self, grantee, permissions.STOP_JOB, self.job_arn)

    @checked
    def grant_read_output(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read what the job writes below ``s3_output_path``, with its key where it has one.

        Args:
            grantee: A role, a function, or whatever else has one.

        Raises:
            ValueError: for an attached job whose ``s3_output_path`` was not given.
        """
        if self._output is None:
            raise self._not_given("s3_output_path")
        warn_of_immutable(self, grantee)
        read = self._output.grant_read(grantee)
        return read.combine(self._kms_key.grant_decrypt(grantee)) if self._kms_key else read

    @classmethod
    @checked
    def from_job_name(cls, scope: Construct, id: str, job_name: str) -> IAgentRFTJob:
        """A job of the stack's own account and region that was submitted elsewhere [the SDK's ``attach``].

        Args:
            scope: Where it is named.
            id: Its id there.
            job_name: The job's name.

        Raises:
            ValueError: for a name that no job has.
        """
        return cls.from_job_attributes(scope, id, job_name=job_name)

    @classmethod
    @checked
    def from_job_arn(cls, scope: Construct, id: str, job_arn: str) -> IAgentRFTJob:
        """A job that was submitted elsewhere; its ``env`` is the ARN's account and region.

        Args:
            scope: Where it is named.
            id: Its id there.
            job_arn: The job's ARN.

        Raises:
            ValueError: for an ARN that no such job has.
        """
        return cls.from_job_attributes(scope, id, job_arn=job_arn)

    @classmethod
    @checked
    def from_job_attributes(
        cls,
        scope: Construct,
        id: str,
        *,
        job_name: str | None = None,
        job_arn: str | None = None,
        role: iam.IRole | None = None,
        security_groups: "Sequence[ec2.ISecurityGroup] | None" = None,
        s3_output_path: str | None = None,
        kms_key: kms.IKey | None = None,
        model_package_group: IModelPackageGroup | None = None,
    ) -> IAgentRFTJob:
        """A job that was submitted elsewhere, with what is known of it.

        Args:
            scope: Where it is named.
            id: Its id there.
            job_name: The job's name, of the stack's own account and region; or give ``job_arn``.
            job_arn: The job's ARN; or give ``job_name``.
            role: Its execution role; without it, nothing can be granted to the job.
            security_groups: Its security groups; without them it has no ``connections``.
            s3_output_path: The S3 URI below which it writes; without it, nobody can be granted to read that.
            kms_key: The key that encrypts what it writes; none without it.
            model_package_group: The group in which it registers its model; not known without it.

        Raises:
            ValueError: for a name or an ARN that no such job has, or when not exactly one of the two is given.
        """
        texts = given_problems({"s3_output_path": s3_output_path}, may_be)
        refuse(scope, [_identity_problem(cls._category, job_name, job_arn), *texts], id)
        kms_key = symmetric_key(scope, "kms_key", kms_key, id)
        job = cls._attached(scope, id, job_name, job_arn)
        job._role = role
        job._security_groups = security_groups or ()
        job._output = _output_at(job, s3_output_path, kms_key) if s3_output_path else None
        job._kms_key = kms_key
        job._model_package_group = model_package_group
        return job

    @classmethod
    def _attached(cls, scope: Construct, id: str, job_name: str | None, job_arn: str | None) -> "Job":
        job = Job(scope, id, environment_from_arn=splittable(job_arn) if job_arn else None)
        job._category = cls._category
        if job_arn is not None:
            parts = Fn.split("/", job_arn) if unresolved(job_arn) else job_arn.split("/")
            job._known_name, job._known_arn = Fn.select(2, parts), job_arn
        else:
            job._known_name = job_name or ""
            job._known_arn = Stack.of(job).format_arn(
                service="sagemaker", resource="job", resource_name=f"{cls._category.name}/{job_name}"
            )
        return job

    def _not_given(self, name: str) -> ValueError:
        return ValueError(
            f"[{self.node.path}] {name} is not known of a job that was submitted elsewhere. Give it to "
            "from_job_attributes."
        )


def _output_at(job: Job, s3_output_path: str, kms_key: kms.IKey | None) -> Output:
    return Output.of(job, None, None, s3_output_path, kms_key, RemovalPolicy.RETAIN)


def _identity_problem(category: Category, job_name: str | None, job_arn: str | None) -> str:
    if (job_name is None) == (job_arn is None):
        return "job_name and job_arn say the same thing. Give one of them."
    argument, value, form = (
        ("job_arn", job_arn or "", facts.JOB_ARN) if job_name is None else ("job_name", job_name, facts.JOB_NAME)
    )
    is_other = job_arn is not None and facts.JOB_ARN.accepts(job_arn) and f":job/{category.name}/" not in job_arn
    if is_other:
        return f"job_arn is {shown(value)}, but must be that of a job of the category {category.name}. Give another."
    return text_problem(argument, value, (form,))
