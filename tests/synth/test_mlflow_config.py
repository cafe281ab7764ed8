"""MLflow apps in every form."""

from aws_cdk import aws_sagemaker as sagemaker
from synth.app import (
    ACCOUNT,
    Synthesized,
    agnostic_stack,
    readable,
    stack_of,
    trainer,
)

from agent_rft import (
    MlflowApp,
)


def test_mlflow_apps_in_every_form() -> None:
    stack = stack_of()
    app = MlflowApp(stack, "Mlflow")
    l1 = sagemaker.CfnMlflowApp(
        stack, "L1", name="l1", artifact_store_uri="s3://a/b", role_arn=f"arn:aws:iam::{ACCOUNT}:role/mlflow"
    )
    gov = "arn:aws-us-gov:sagemaker:us-gov-west-1:111122223333:mlflow-app/app-1"
    trainer(stack, "A", mlflow_app=app)
    trainer(stack, "B", mlflow_app=l1)
    agnostic = agnostic_stack()
    trainer(agnostic, mlflow_app=gov)
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert jobs["A"]["MlflowApp"] == stack.resolve(app.mlflow_app_arn)
    assert jobs["B"]["MlflowApp"] == {"Fn::GetAtt": ["L1", "Arn"]}
    assert Synthesized(agnostic).job()["MlflowApp"] == gov
    assert made.allowed("sagemaker:CallMlflowAppApi", "AExecutionRole") == [readable(jobs["A"]["MlflowApp"])]
