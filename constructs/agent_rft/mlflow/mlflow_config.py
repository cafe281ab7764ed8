"""Where a job logs its metrics and traces: the MlflowConfig of its document."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from agent_rft import permissions
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.interfaces import IMlflowApp
from agent_rft.permissions import statement
from agent_rft.place import Place


@dataclass(frozen=True)
class MlflowConfig:
    """An app, or none where the account's own is found at deploy; and what the job is called there."""

    mlflow_app_arn: str
    experiment_name: str
    run_name: str

    @classmethod
    def of(
        cls, app: IMlflowApp | sagemaker.CfnMlflowApp | str | None, experiment_name: str | None, run_name: str | None
    ) -> "MlflowConfig":
        """The app given, by construct, L1 or ARN."""
        if app is None or isinstance(app, str):
            arn = app or ""
        else:
            arn = app.attr_arn if isinstance(app, sagemaker.CfnMlflowApp) else app.mlflow_app_arn
        return cls(arn, experiment_name or "", run_name or "")

    @property
    def declared(self) -> Mapping[str, object]:
        """The app's ARN, the experiment and the run."""
        return {
            "mlflow_app": self.mlflow_app_arn,
            "mlflow_experiment_name": self.experiment_name,
            "mlflow_run_name": self.run_name,
        }

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to log to the app, or to any of the account where it is found at deploy."""
        any_app = Place.of(scope).arn("sagemaker", "mlflow-app", "*")
        role.allow(statement(permissions.TRACK, self.mlflow_app_arn or any_app))
