"""The handler under a boto3 that predates CreateJob: what it knows, and a whole event against the local AWS."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Environment, Stack
from aws_cdk import aws_sqs as sqs
from deployment import Deployment
from inbox import Inbox

from agent_rft_handler import contract, facts
from agent_rft_handler.clients import OPERATIONS
from agent_rft_handler.declaration import Declaration
from agent_rft_local import LocalAws

ROOT = Path(__file__).parents[2]
LAMBDA_ROOT = ROOT / "lambda"
ACCOUNT, REGION = "000000000000", "us-east-1"
HERE = Environment(account=ACCOUNT, region=REGION)
RUN = """
import boto3, json, sys, types
from agent_rft_handler.index import handler
handler(json.loads(sys.argv[1]), types.SimpleNamespace(get_remaining_time_in_millis=lambda: 600_000))
print(boto3.__version__)
"""
PROBE = """
import boto3, json
from agent_rft_handler.clients import OPERATIONS, client
had = hasattr(boto3.client("sagemaker"), "create_job")
found = {service: sorted(client(service).meta.service_model.operation_names) for service in OPERATIONS}
print(json.dumps({"version": boto3.__version__, "had": had, "found": found,
                  "host": client("bedrock-agentcore-control").meta.endpoint_url,
                  "sagemaker": client("sagemaker").meta.endpoint_url}))
"""


@pytest.mark.slow
def test_an_old_boto3_gets_the_operations_from_our_models(old_python: Path) -> None:
    environment = {"PYTHONPATH": str(LAMBDA_ROOT), "AWS_DEFAULT_REGION": "us-west-2", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([old_python, "-c", PROBE], env=environment, check=True, capture_output=True, text=True)
    probe = json.loads(done.stdout)
    assert (probe["version"], probe["had"]) == ("1.34.0", False)
    assert probe["found"] == {service: sorted(names) for service, names in OPERATIONS.items()}
    assert probe["host"] == "https://bedrock-agentcore-control.us-west-2.amazonaws.com"
    assert probe["sagemaker"] == "https://api.sagemaker.us-west-2.amazonaws.com"


def declared(aws: LocalAws) -> Declaration:
    """A job, with what it needs."""
    sagemaker, iam = aws.client("sagemaker"), aws.client("iam")
    trust = {
        "Statement": [{"Effect": "Allow", "Principal": {"Service": facts.JOB_PRINCIPAL}, "Action": "sts:AssumeRole"}]
    }
    role = iam.create_role(RoleName="old-boto3", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
    tuned, checkpoints = (
        sagemaker.create_model_package_group(ModelPackageGroupName=name)["ModelPackageGroupArn"]
        for name in ("old-tuned", "old-checkpoints")
    )
    return Declaration(
        job_category=facts.AGENT_RFT.name,
        role_arn=role,
        model="openai-reasoning-gpt-oss-20b",
        agent_env=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent",
        training_dataset="s3://data-bucket/train.parquet",
        s3_output_path="s3://out-bucket/output",
        output_model_package_group=tuned,
        intermediate_checkpoint_model_package_group=checkpoints,
        mlflow_app=sagemaker.create_mlflow_app(Name="old", ArtifactStoreUri="s3://a/b", RoleArn=role)["Arn"],
        hyperparameters={"max_epochs": "1"},
    )


def delivered(aws: LocalAws, python: Path, event: dict[str, Any], inbox: Inbox) -> str:
    """Has the old runtime work on the event; the physical id that it answers."""
    environment = {"PYTHONPATH": str(LAMBDA_ROOT), contract.STACK_ID_VARIABLE: event["StackId"]}
    command = [str(python), "-c", RUN, json.dumps({**event, "ResponseURL": inbox.url})]
    done = subprocess.run(command, env={**aws.environment, **environment}, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "1.34.0"
    answer = inbox.answers[event["RequestId"]]
    assert answer["Status"] == "SUCCESS", answer
    return str(answer["PhysicalResourceId"])


@pytest.mark.slow
def test_the_handler_submits_and_stops_a_job_under_an_old_boto3(local_aws: LocalAws, old_python: Path) -> None:
    stack = Deployment(local_aws, "Old", lambda app: sqs.Queue(Stack(app, "Old", env=HERE), "Queue"))
    stack.deploy()
    event = {
        "StackId": local_aws.client("cloudformation").describe_stacks(StackName="Old")["Stacks"][0]["StackId"],
        "LogicalResourceId": "Job",
        "ResourceType": contract.JOB_RESOURCE_TYPE,
        "ResourceProperties": contract.to_properties(declared(local_aws)),
    }

    def status(name: str) -> str:
        described = local_aws.client("sagemaker").describe_job(JobName=name, JobCategory=facts.AGENT_RFT.name)
        return str(described["JobStatus"])

    with stack.while_updating(), Inbox.opened() as inbox:
        create = {**event, "RequestType": "Create", "RequestId": "create"}
        name = delivered(local_aws, old_python, create, inbox)
        assert status(name) == "InProgress"
        delete = {**event, "RequestType": "Delete", "RequestId": "delete", "PhysicalResourceId": name}
        delivered(local_aws, old_python, delete, inbox)
        assert status(name) != "InProgress"
