"""MLflow apps as resources, made here and elsewhere."""

import pytest
from aws_cdk import CfnResource, Fn, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from synth.app import ACCOUNT, REGION, Synthesized, readable, stack_of, trainer

from agent_rft import MlflowApp

ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:mlflow-app/app-1"


def test_an_app_says_its_name_bucket_and_role() -> None:
    stack = stack_of()
    bucket = s3.Bucket(stack, "Bucket")
    app = MlflowApp(stack, "Mlflow", mlflow_app_name="wordle", artifact_bucket=bucket)
    assert (app.mlflow_app_name, app.artifact_bucket) == ("wordle", bucket)
    generated = MlflowApp(stack, "Other")
    (name,) = [
        each["Properties"]["Name"]
        for id, each in Synthesized(stack).resources("AWS::SageMaker::MlflowApp").items()
        if "Other" in id
    ]
    assert stack.resolve(generated.mlflow_app_name) == name
    assert generated.artifact_bucket.node.path == "S/Other/Artifacts"
    assert isinstance(generated.node.default_child, CfnResource)


def test_an_app_lets_someone_track_and_open_it() -> None:
    stack = stack_of()
    role = iam.Role(stack, "Scientist", assumed_by=iam.AccountRootPrincipal())
    app = MlflowApp(stack, "Mlflow")
    assert app.grant_track(role).success
    assert app.grant_open(role).success
    made, arn = Synthesized(stack), [readable(stack.resolve(app.mlflow_app_arn))]
    assert made.allowed("sagemaker-mlflow:CreateRun", "Scientist") == arn
    assert made.allowed("sagemaker:CreatePresignedMlflowAppUrl", "Scientist") == arn


def test_an_app_made_elsewhere_is_a_construct_that_a_trainer_takes() -> None:
    stack = stack_of()
    app = MlflowApp.from_mlflow_app_arn(stack, "Mlflow", ARN)
    trainer(stack, mlflow_app=app)
    app.grant_track(iam.Role(stack, "Scientist", assumed_by=iam.AccountRootPrincipal()))
    made = Synthesized(stack)
    assert (app.stack, app.env.region, app.env.account) == (stack, REGION, ACCOUNT)
    assert made.job()["MlflowApp"] == ARN
    assert made.allowed("sagemaker:CallMlflowAppApi", "Scientist") == [ARN]
    assert made.allowed("sagemaker:CallMlflowAppApi", "ExecutionRole") == [ARN]


def test_an_apps_arn_is_checked_unless_it_is_known_at_deploy_only() -> None:
    stack = stack_of()
    MlflowApp.from_mlflow_app_arn(stack, "Later", Fn.import_value("App"))
    with pytest.raises(ValueError, match=r"\[S/Wrong\] arn is '.*mlflow-tracking-server/.*', but must be"):
        MlflowApp.from_mlflow_app_arn(stack, "Wrong", ARN.replace("mlflow-app", "mlflow-tracking-server"))


def test_an_apps_removal_policy_can_be_changed() -> None:
    stack = stack_of()
    MlflowApp(stack, "Mlflow").apply_removal_policy(RemovalPolicy.DESTROY)
    (app,) = Synthesized(stack).resources("AWS::SageMaker::MlflowApp").values()
    assert app["DeletionPolicy"] == "Delete"
