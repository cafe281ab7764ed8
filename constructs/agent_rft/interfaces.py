"""What can be done with a resource, whether it was made here or elsewhere."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from aws_cdk import IResource
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

if TYPE_CHECKING:  # a third of the import's time
    from aws_cdk import aws_cloudwatch as cloudwatch
    from aws_cdk import aws_ec2 as ec2
    from aws_cdk import aws_events as events
    from aws_cdk import aws_sns as sns


class IModelPackageGroup(IResource, Protocol):
    """A model package group, made here or elsewhere."""

    @property
    def model_package_group_name(self) -> str:
        """Its name."""
        ...

    @property
    def model_package_group_arn(self) -> str:
        """Its ARN."""
        ...

    def grant_read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone list and read its packages."""
        ...

    def grant_register(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone register packages in it."""
        ...


Group = IModelPackageGroup | sagemaker.CfnModelPackageGroup | str
"""What a group may be given as: the construct, the L1, its name or its ARN."""


class IMlflowApp(IResource, Protocol):
    """An MLflow app, made here or elsewhere."""

    @property
    def mlflow_app_arn(self) -> str:
        """Its ARN, which is its tracking URI, too: ``mlflow.set_tracking_uri(arn)``, with sagemaker-mlflow."""
        ...

    def grant_track(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone log runs to it and read them, as a job does."""
        ...

    def grant_open(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone open its pages."""
        ...


class IAgentRFTJob(IResource, Protocol):
    """A job, whoever submitted it; it is an ``iam.IGrantable`` and an ``ec2.IConnectable``, too."""

    @property
    def job_name(self) -> str:
        """Its name."""
        ...

    @property
    def job_arn(self) -> str:
        """Its ARN."""
        ...

    @property
    def log_group_name(self) -> str:
        """Where the service writes the job's logs; its streams start with the job's name."""
        ...

    @property
    def grant_principal(self) -> iam.IPrincipal:
        """The execution role; of a job submitted elsewhere, whose role is not given, nobody."""
        ...

    @property
    def connections(self) -> "ec2.Connections":
        """The network connections of the job."""
        ...

    @property
    def model_package_group(self) -> IModelPackageGroup:
        """The group in which the job registers the model that it tuned."""
        ...

    def grant_describe(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read the job."""
        ...

    def grant_stop(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone stop the job."""
        ...

    def grant_read_output(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone read what the job writes to S3."""
        ...

    def on_state_change(
        self,
        id: str,
        *,
        target: "events.IRuleTarget | None" = None,
        event_pattern: "events.EventPattern | Mapping[str, Any] | None" = None,
        rule_name: str | None = None,
        description: str | None = None,
        cross_stack_scope: Construct | None = None,
    ) -> "events.Rule":
        """A rule for every change of the job's status."""
        ...

    def on_completed(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for the job's success."""
        ...

    def on_failed(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for the job's failure."""
        ...

    def on_stopped(self, id: str, *, target: "events.IRuleTarget | None" = None, **options: Any) -> "events.Rule":
        """A rule for a job that was stopped."""
        ...

    def notify(self, topic: "sns.ITopic", *, statuses: Sequence[str] = ...) -> "events.Rule":
        """Sends a readable message to the topic when the job has ended."""
        ...

    def metric(self, metric_name: str, **options: Any) -> "cloudwatch.Metric":
        """A metric of the job's watcher."""
        ...

    def metric_failed(self, **options: Any) -> "cloudwatch.Metric":
        """How many jobs failed, or could not be watched any more."""
        ...

    def metric_duration(self, **options: Any) -> "cloudwatch.Metric":
        """How long jobs took, in milliseconds."""
        ...
