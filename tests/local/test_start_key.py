"""Keys that nobody can work out: root's, made at each start, and those that functions run with."""

import hashlib
import json

import boto3
import pytest
from botocore.exceptions import ClientError
from local.stacks import TRUST, archive

from agent_rft_local import LocalAws
from agent_rft_local.signed_post import signed_post


def test_the_key_is_another_at_each_start_and_shown_nowhere(local_aws: LocalAws) -> None:
    with LocalAws.start() as other:
        assert other.key != local_aws.key
        assert other.key.secret_access_key not in repr(other) + repr(other.key) + other.process.log
        with pytest.raises(RuntimeError, match="403"):
            signed_post(other.endpoint, local_aws.key.credentials, "/_agent_rft/calls")


def test_a_functions_keys_cannot_be_worked_out_from_its_arn(local_aws: LocalAws) -> None:
    role = local_aws.client("iam").create_role(RoleName="f", AssumeRolePolicyDocument=json.dumps(TRUST))["Role"]["Arn"]
    functions = local_aws.client("lambda")
    made = functions.create_function(
        FunctionName="f", Role=role, Runtime="python3.13", Handler="index.handler", Code={"ZipFile": archive()}
    )
    assert functions.invoke(FunctionName="f")["Payload"].read() == b'"it ran"'
    digest = hashlib.sha256(f"{made['FunctionArn']}:{role}".encode()).hexdigest()
    secret, token = (hashlib.sha256(f"{each}:{digest}".encode()).hexdigest() for each in ("secret", "token"))
    derived = boto3.client(
        "sts",
        region_name="us-east-1",
        endpoint_url=local_aws.endpoint,
        aws_access_key_id=f"ASIA{digest[:16].upper()}",
        aws_secret_access_key=secret,
        aws_session_token=token,
    )
    with pytest.raises(ClientError, match="security token"):
        derived.get_caller_identity()
    functions.delete_function(FunctionName="f")
