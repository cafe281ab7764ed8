"""The server as a whole: loopback only, IAM enforced, faults over HTTP, and a reset that brings the hub back."""

import json
import socket
from typing import Any
from urllib.parse import urlparse

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from local.roles import allow, limited

from agent_rft_local import LocalAws
from agent_rft_local.local_aws import CdkFailed


def impatient(aws: LocalAws) -> Any:
    """A SageMaker client that does not retry."""
    return aws.client("sagemaker", retries={"total_max_attempts": 1})


def test_a_role_may_do_what_its_policy_says_and_nothing_else(local_aws: LocalAws) -> None:
    client = limited(local_aws, "lister", allow("sagemaker:ListJobs"))
    client.list_jobs(JobCategory="AgentRFT")
    with pytest.raises(ClientError, match=r"not authorized to perform: sagemaker:ListMlflowApps"):
        client.list_mlflow_apps()


def test_passing_a_role_needs_its_own_permission(local_aws: LocalAws) -> None:
    client = limited(local_aws, "creator", allow("sagemaker:*"))
    with pytest.raises(ClientError, match=r"not authorized to perform: iam:PassRole"):
        client.create_job(
            JobName="a",
            RoleArn="arn:aws:iam::000000000000:role/any-role",
            JobCategory="AgentRFT",
            JobConfigSchemaVersion="1.0.0",
            JobConfigDocument="{}",
        )


def test_objects_under_a_key_need_the_right_to_the_key_too(local_aws: LocalAws) -> None:
    key = local_aws.client("kms").create_key()["KeyMetadata"]["Arn"]
    s3 = local_aws.client("s3")
    s3.create_bucket(Bucket="under-a-key")
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}
    s3.put_bucket_encryption(
        Bucket="under-a-key",
        ServerSideEncryptionConfiguration={"Rules": [{"ApplyServerSideEncryptionByDefault": default}]},
    )
    objects = allow("s3:*")
    without = limited(local_aws, "keyless", objects, service="s3")
    with pytest.raises(ClientError, match=r"(?i)kms:GenerateDataKey|AccessDenied"):
        without.put_object(Bucket="under-a-key", Key="a", Body=b"a")
    holder = limited(
        local_aws, "holder", objects, allow("kms:Decrypt", key), allow("kms:GenerateDataKey", key), service="s3"
    )
    holder.put_object(Bucket="under-a-key", Key="a", Body=b"a")
    assert holder.get_object(Bucket="under-a-key", Key="a")["Body"].read() == b"a"
    with pytest.raises(ClientError, match="AccessDenied"):
        without.get_object(Bucket="under-a-key", Key="a")


def test_it_listens_on_the_loopback_interface_only(local_aws: LocalAws) -> None:
    port = urlparse(local_aws.endpoint).port
    others = {row[4][0] for row in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)}
    for address in others - {"127.0.0.1", "127.0.1.1"}:
        with socket.socket() as outside:
            outside.settimeout(2)
            assert outside.connect_ex((str(address), port)) != 0
    assert local_aws.endpoint.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("kind", "code"),
    [("throttled", "ThrottlingException"), ("denied", "AccessDeniedException"), ("gone", "ResourceNotFound")],
)
def test_a_fault_strikes_as_often_as_asked(local_aws: LocalAws, kind: str, code: str) -> None:
    once = impatient(local_aws)
    local_aws.set(faults=[{"operation": "ListJobs", "kind": kind, "times": 1}])
    with pytest.raises(ClientError) as struck:
        once.list_jobs(JobCategory="AgentRFT")
    assert struck.value.response["Error"]["Code"] == code
    assert once.list_jobs(JobCategory="AgentRFT")


def test_a_broken_connection_comes_after_the_effect(local_aws: LocalAws) -> None:
    once = impatient(local_aws)
    local_aws.set(faults=[{"operation": "CreateModelPackageGroup", "kind": "reset"}])
    with pytest.raises(BotoCoreError):
        once.create_model_package_group(ModelPackageGroupName="broken-answer")
    assert once.describe_model_package_group(ModelPackageGroupName="broken-answer")


def test_recipes_lie_in_a_bucket_of_another_account_that_can_be_read(local_aws: LocalAws) -> None:
    from agent_rft_local import recipe_tables
    from agent_rft_local.model_hub import recipe_bucket, recipe_key

    s3 = local_aws.client("s3")
    bucket = recipe_bucket("us-east-1")
    assert bucket not in [row["Name"] for row in s3.list_buckets()["Buckets"]]
    body = s3.get_object(Bucket=bucket, Key=recipe_key("openai-reasoning-gpt-oss-20b"))["Body"].read()
    assert json.loads(body) == recipe_tables.of("openai-reasoning-gpt-oss-20b")


def test_a_failing_command_line_says_what_it_printed(local_aws: LocalAws) -> None:
    with pytest.raises(CdkFailed, match=r"exit 3|exited with|Subprocess"):
        local_aws.cdk("synth", app="exit 3", cwd=local_aws.directory)
