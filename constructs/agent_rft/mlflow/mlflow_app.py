"""An MLflow app with its role and artifact store: a job logs to one, and the service takes no job without."""

from aws_cdk import RemovalPolicy, Resource
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft import permissions
from agent_rft.arguments.arn import splittable
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import refuse, text_problem, unresolved
from agent_rft.iam.grants import granted
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.interfaces import IMlflowApp
from agent_rft.naming import generated_name
from agent_rft.output.encryption_key import through_s3
from agent_rft.output.private_bucket import private_bucket
from agent_rft.output.s3_prefix import objects_below, prefix_problem
from agent_rft.permissions import Statement, statement
from agent_rft_handler.facts import MLFLOW_APP_ARN, MLFLOW_APP_NAME
from agent_rft_handler.validation import bucket_problem

ROOM = 2_100
"""Characters of inline policies for the store: a job that logs to the app may have the same role, and waits for it."""


class _App(Resource):
    """What apps made here and elsewhere have in common."""

    mlflow_app_arn: str
    """Its ARN, which is its tracking URI, too: ``mlflow.set_tracking_uri(arn)``, with the package sagemaker-mlflow.

    There is no lasting URL: who may ``grant_open`` gets one for minutes from CreatePresignedMlflowAppUrl.
    """

    @checked
    def grant_track(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone log runs to the app and read them, with the rights that a job has.

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        return granted(self, grantee, permissions.TRACK, self.mlflow_app_arn)

    @checked
    def grant_open(self, grantee: iam.IGrantable) -> iam.Grant:
        """Lets someone open the app's pages, by the URLs of CreatePresignedMlflowAppUrl.

        Args:
            grantee: A role, a function, or whatever else has one.
        """
        return granted(self, grantee, permissions.OPEN_APP, self.mlflow_app_arn)


class MlflowApp(_App):
    """An MLflow app that the stack owns.

    Example::

        MultiTurnRLTrainer(self, "Trainer", mlflow_app=MlflowApp(self, "Mlflow"), ...)
    """

    mlflow_app_name: str
    """Its name, which is no part of its ARN."""

    artifact_bucket: s3.IBucket
    """The bucket in which runs keep their artifacts."""

    role: iam.IRole
    """The role with which the app reaches the bucket."""

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        mlflow_app_name: str | None = None,
        artifact_bucket: s3.IBucket | None = None,
        artifact_prefix: str = "mlflow-artifacts",
        role: iam.IRole | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the app.

        Args:
            scope: Where it is declared.
            id: Its id there.
            mlflow_app_name: At most 256 letters, digits and inner hyphens; without it, a generated name.
            artifact_bucket: Where runs keep their artifacts; the role may use its key, if it has one. Without it, a
                private bucket is made.
            artifact_prefix: The prefix in that bucket; ``""`` for all of it.
            role: The role with which the app reaches the bucket; without it, one is made.
            removal_policy: Of the app and of a bucket made for it; RETAIN without it, as runs are history.

        Raises:
            ValueError: for a name that SageMaker would refuse, a prefix that no object has, and a bucket that is none.
        """
        super().__init__(scope, id)
        refuse(self, [_name_problem(mlflow_app_name), _bucket_problem(artifact_bucket), _prefix(artifact_prefix)])
        bucket = self.artifact_bucket = artifact_bucket or private_bucket(self, "Artifacts", None, removal_policy)
        self.role = role or iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("sagemaker.amazonaws.com"),
            description="Assumed by an MLflow app to store its artifacts",
        )
        stored = RolePolicies.of(self, self.role, "Artifacts", ROOM).allow(self, *_to_store(bucket, artifact_prefix))
        self.mlflow_app_name = mlflow_app_name or generated_name(self, 63)
        app = sagemaker.CfnMlflowApp(
            self,
            "Resource",
            name=self.mlflow_app_name,
            artifact_store_uri="/".join(filter(None, (f"s3://{bucket.bucket_name}", artifact_prefix))),
            role_arn=self.role.role_arn,
        )
        app.apply_removal_policy(removal_policy)
        app.node.add_dependency(stored)
        self.mlflow_app_arn = app.attr_arn

    @staticmethod
    @checked
    def from_mlflow_app_arn(scope: Construct, id: str, arn: str) -> IMlflowApp:
        """An app made elsewhere; its ``env`` is the ARN's account and region.

        Args:
            scope: Where it is named.
            id: Its id there.
            arn: Its ARN.

        Raises:
            ValueError: for an ARN that no app has.
        """
        refuse(scope, [text_problem("arn", arn, (MLFLOW_APP_ARN,))], id)
        app = _App(scope, id, environment_from_arn=splittable(arn))
        app.mlflow_app_arn = arn
        return app


def _to_store(bucket: s3.IBucket, prefix: str) -> list[Statement]:
    """What the app's role needs to keep runs and artifacts below the prefix."""
    store = statement(permissions.STORE_ARTIFACTS, bucket.bucket_arn, bucket.arn_for_objects(objects_below(prefix)))
    key = bucket.encryption_key
    return [store, through_s3(permissions.USE_STORE_KEY, key)] if key else [store]


def _name_problem(name: str | None) -> str:
    return "" if name is None else text_problem("mlflow_app_name", name, (MLFLOW_APP_NAME,))


def _bucket_problem(bucket: s3.IBucket | None) -> str:
    name = bucket.bucket_name if bucket else ""
    return "" if unresolved(name) else bucket_problem("artifact_bucket", name, name)


def _prefix(prefix: str) -> str:
    return prefix_problem("artifact_prefix", prefix, "Give the bucket as artifact_bucket.")
