"""What can be done with a resource, whether it was made here or elsewhere."""

from typing import TYPE_CHECKING, Protocol

from aws_cdk import IResource
from aws_cdk import aws_iam as iam

if TYPE_CHECKING:  # a third of the import's time
    from aws_cdk import aws_ec2 as ec2


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
