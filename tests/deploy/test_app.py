"""The app of the README, deployed by the real CDK command line and read back."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_rft_local import LocalAws

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "cli" / "agent_rft_cli" / "project"
APP = f"{sys.executable} {PROJECT}/app.py"


@pytest.fixture
def app(local_aws: LocalAws) -> LocalAws:
    """The app, deployed."""
    local_aws.cdk("deploy", "--require-approval", "never", app=APP, cwd=ROOT)
    return local_aws


def physical_ids(aws: LocalAws) -> dict[str, str]:
    rows: list[Any] = aws.client("cloudformation").describe_stack_resources(StackName="WordleTraining")[
        "StackResources"
    ]
    return {row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows}


def test_the_apps_job_is_what_was_declared_diff_is_empty_and_destroy_stops_it(app: LocalAws) -> None:
    sagemaker = app.client("sagemaker")
    outputs = app.outputs("WordleTraining")
    job = sagemaker.describe_job(JobName=outputs["JobName"], JobCategory="AgentRFT")
    assert (job["JobArn"], job["JobStatus"]) == (outputs["JobArn"], "InProgress")
    document = document_of(job)
    uri = document["InputDataConfig"][0]["DataSource"]["S3DataSource"]["S3Uri"]
    assert document == expected(physical_ids(app), uri)
    assert uploaded(app, uri) == (PROJECT / "datasets" / "wordle.jsonl").read_bytes()
    assert len(app.calls("CreateJob")) == 1

    assert "There were no differences" in app.cdk("diff", app=APP, cwd=ROOT)
    synthesized = str(app.directory / "cdk.out")  # by the diff just now; the app says nothing else to the next two
    assert "no changes" in app.cdk("deploy", "--require-approval", "never", app=synthesized, cwd=ROOT)

    ids = physical_ids(app)
    app.cdk("destroy", "--force", app=synthesized, cwd=ROOT)
    after = sagemaker.describe_job(JobName=outputs["JobName"], JobCategory="AgentRFT")
    assert after["JobStatus"] in ("Stopping", "Stopped")
    kept = [
        row["ModelPackageGroupArn"] for row in sagemaker.list_model_package_groups()["ModelPackageGroupSummaryList"]
    ]
    assert {arn for id, arn in ids.items() if "Group" in id} <= set(kept)
    buckets = [bucket["Name"] for bucket in app.client("s3").list_buckets()["Buckets"]]
    assert next(name for id, name in ids.items() if id.startswith("TrainerOutputBucket5")) in buckets


def document_of(job: dict[str, Any]) -> dict[str, Any]:
    """What was submitted: DescribeJob's echo without what the service adds."""
    document: dict[str, Any] = json.loads(job["JobConfigDocument"])
    document.pop("ServiceOutput")
    return document


def uploaded(aws: LocalAws, uri: str) -> bytes:
    bucket, _, key = uri.removeprefix("s3://").partition("/")
    return bytes(aws.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read())


def expected(ids: dict[str, str], uri: str) -> dict[str, Any]:
    """The document that app.py declares, written down anew from app.py; only the asset's address is taken over."""

    def of(prefix: str) -> str:
        return next(id for name, id in ids.items() if name.startswith(prefix))

    return {
        "AgentConfig": {
            "CustomAgentLambdaConfig": {"LambdaArn": f"arn:aws:lambda:us-east-1:000000000000:function:{of('Agent2')}"}
        },
        "InputDataConfig": [
            {
                "ChannelName": "train",
                "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": uri}},
            }
        ],
        "OutputDataConfig": {"S3OutputPath": f"s3://{of('TrainerOutputBucket5')}/output"},
        "ModelPackageConfig": {
            "OutputModelPackageGroupArn": of("TrainerOutputGroup"),
            "IntermediateCheckpointModelPackageGroupArn": of("TrainerCheckpointGroup"),
        },
        "TrainingConfig": {
            "BaseModelArn": "arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model/"
            "huggingface-reasoning-qwen3-32b/1.0.0",
            "MlflowConfig": {"MlflowResourceArn": of("MlflowE")},
            "AcceptEula": False,
            "HyperParameters": {"max_epochs": "2", "max_steps": "40", "learning_rate": "1e-05"},
        },
    }
