"""MLflow apps as resources, made here and elsewhere."""

import pytest
from aws_cdk import CfnResource, Fn, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
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


@pytest.mark.parametrize(
    ("prefix", "uri", "below"),
    [
        ("runs", "/runs", "runs/*"),
        ("runs/", "/runs/", "runs/*"),
        ("", "", "*"),
        ("a//b", "/a//b", "a//b/*"),
        ("runs*", "/runs*", "runs${*}/*"),
    ],
)
def test_an_apps_role_reaches_exactly_what_lies_below_the_prefix(prefix: str, uri: str, below: str) -> None:
    stack = stack_of()
    bucket = s3.Bucket.from_bucket_name(stack, "Bucket", "acme-runs")
    MlflowApp(stack, "Mlflow", artifact_bucket=bucket, artifact_prefix=prefix)
    made = Synthesized(stack)
    (app,) = made.resources("AWS::SageMaker::MlflowApp").values()
    assert app["Properties"]["ArtifactStoreUri"] == f"s3://acme-runs{uri}"
    arn = "arn:${AWS::Partition}:s3:::acme-runs"
    assert made.allowed("s3:PutObject", "Mlflow") == [arn, f"{arn}/{below}"]


def test_a_prefix_that_no_object_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^\[S/A\] artifact_prefix is '/runs', but S3 would .* Write 'runs'"):
        MlflowApp(stack_of(), "A", artifact_prefix="/runs")
    with pytest.raises(ValueError, match=r"artifact_prefix is 's3://x', but must be a prefix in the bucket"):
        MlflowApp(stack_of(), "A", artifact_prefix="s3://x")


def test_an_apps_role_may_use_the_key_of_its_bucket_through_s3_and_no_other() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    MlflowApp(stack, "Keyed", artifact_bucket=s3.Bucket(stack, "Bucket", encryption_key=key))
    MlflowApp(stack, "Plain")
    made = Synthesized(stack)
    for action in ("kms:Decrypt", "kms:GenerateDataKey"):
        assert made.allowed(action, "Keyed") == [readable(stack.resolve(key.key_arn))]
        assert made.allowed(action, "Plain") == []
    (used,) = [each for each in made.statements("Keyed") if "kms:Decrypt" in each["Action"]]
    assert used["Condition"] == {"StringLike": {"kms:ViaService": "s3.*.amazonaws.com"}}


def test_an_artifact_bucket_that_is_none_is_refused() -> None:
    stack = stack_of()
    alias = s3.Bucket.from_bucket_name(stack, "Alias", "runs-abcdefgh1234-s3alias")
    with pytest.raises(ValueError, match=r"artifact_bucket is .* is the alias of an access point"):
        MlflowApp(stack, "Mlflow", artifact_bucket=alias)
