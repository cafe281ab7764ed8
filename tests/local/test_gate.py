"""Who comes in: a web page and another user of the machine do not, by no service and no path."""

import base64
import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError
from local.stacks import TRUST, archive

from agent_rft_local import LocalAws
from agent_rft_local.local_aws import ACCOUNT
from agent_rft_local.signed_post import signed_post

FUNCTIONS = "/2015-03-31/functions"


@dataclass(frozen=True)
class Post:
    """A request that a browser sends to any address without asking it first: a "simple" one."""

    service: str
    path: str
    body: bytes
    content_type: str = "text/plain"


ROLE = {
    "Action": "CreateRole",
    "Version": "2010-05-08",
    "RoleName": "page",
    "AssumeRolePolicyDocument": json.dumps(TRUST),
}
FUNCTION = {
    "FunctionName": "page",
    "Role": f"arn:aws:iam::{ACCOUNT}:role/page",
    "Runtime": "python3.13",
    "Handler": "index.handler",
    "Code": {"ZipFile": base64.b64encode(archive()).decode()},
}
ATTACK = (
    Post("iam", "/", urlencode(ROLE).encode(), "application/x-www-form-urlencoded"),
    Post("lambda", FUNCTIONS, json.dumps(FUNCTION).encode()),
    Post("lambda", f"{FUNCTIONS}/page/invocations", b"{}"),
)
"""A role, a function and its call: so a web page ran code."""


def send(
    aws: LocalAws, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, method: str = "POST"
) -> tuple[int, str]:
    """A request as anybody can make it; its status and answer."""
    connection = http.client.HTTPConnection(urlsplit(aws.endpoint).netloc, timeout=60)
    try:
        connection.request(method, path, body, dict(headers or {}))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def signed(aws: LocalAws, post: Post, headers: Mapping[str, str], key: Credentials | None = None) -> dict[str, str]:
    """The headers with a signature, root's without a key."""
    host = headers.get("Host", urlsplit(aws.endpoint).netloc)
    request = AWSRequest("POST", f"http://{host}{post.path}", data=post.body, headers=dict(headers))
    SigV4Auth(key or aws.key.credentials, post.service, "us-east-1").add_auth(request)
    return dict(request.headers.items())


def session(aws: LocalAws, name: str) -> Credentials:
    """The keys of a role that may do everything, as a function holds them."""
    iam = aws.client("iam")
    trust = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]}
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
    everything = {"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    iam.put_role_policy(RoleName=name, PolicyName="all", PolicyDocument=json.dumps(everything))
    keys = aws.client("sts").assume_role(RoleArn=arn, RoleSessionName="test")["Credentials"]
    return Credentials(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"])


def test_the_attack_works_for_who_holds_the_key(local_aws: LocalAws) -> None:
    answers = [
        send(local_aws, post.path, post.body, signed(local_aws, post, {"Content-Type": post.content_type}))
        for post in ATTACK
    ]
    assert [status for status, _ in answers] == [200, 201, 200]
    assert answers[-1][1] == '"it ran"'
    local_aws.client("lambda").delete_function(FunctionName="page")
    local_aws.client("iam").delete_role(RoleName="page")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "page.example", "Origin": "http://page.example"},
        {"Origin": "http://page.example"},
        {"Origin": "null"},
        {"Host": "page.example"},
        {},
    ],
    ids=str,
)
def test_a_web_page_makes_and_calls_nothing(local_aws: LocalAws, headers: dict[str, str]) -> None:
    before = functions(local_aws)
    for post in ATTACK:
        assert send(local_aws, post.path, post.body, {"Content-Type": post.content_type, **headers})[0] == 403
    assert "page" not in [row["RoleName"] for row in local_aws.client("iam").list_roles()["Roles"]]
    assert functions(local_aws) == before


def functions(aws: LocalAws) -> list[str]:
    return [row["FunctionName"] for row in aws.client("lambda").list_functions()["Functions"]]


@pytest.mark.parametrize(
    "host", ["page.example:{port}", "localhost:{port}", "127.0.0.1", "127.0.0.1.:{port}", "[::1]:{port}"]
)
def test_another_name_for_its_address_does_not_come_in_even_when_signed(local_aws: LocalAws, host: str) -> None:
    given = {"Host": host.format(port=urlsplit(local_aws.endpoint).port)}
    status, said = send(local_aws, "/", ATTACK[0].body, signed(local_aws, ATTACK[0], given))
    assert (status, "Host must be 127.0.0.1:" in said) == (403, True)


def test_an_origin_does_not_come_in_even_when_signed(local_aws: LocalAws) -> None:
    given = signed(local_aws, ATTACK[0], {"Origin": local_aws.endpoint})
    status, said = send(local_aws, "/", ATTACK[0].body, given)
    assert (status, "Origin" in said) == (403, True)


def test_a_page_may_not_ask_what_it_may_send(local_aws: LocalAws) -> None:
    preflight = {"Origin": "http://page.example", "Access-Control-Request-Method": "PUT"}
    assert send(local_aws, "/", headers=preflight, method="OPTIONS")[0] == 403


def test_no_websocket_comes_in(local_aws: LocalAws) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode()}
    assert send(local_aws, "/", headers=upgrade | key, method="GET")[0] == 403


CALLS = {
    "cloudformation": "list_stacks",
    "dynamodb": "list_tables",
    "ec2": "describe_vpcs",
    "iam": "list_roles",
    "lambda": "list_functions",
    "logs": "describe_log_groups",
    "s3": "list_buckets",
    "sagemaker": "list_mlflow_apps",
    "sqs": "list_queues",
    "ssm": "describe_parameters",
    "sts": "get_caller_identity",
}
"""One of each protocol at least."""


@pytest.mark.parametrize("service", CALLS)
@pytest.mark.parametrize("key_id", ["test", ACCOUNT, "AKIAIOSFODNN7EXAMPLE", None], ids=str)
def test_another_user_without_the_secret_gets_an_error_that_clients_can_read(
    local_aws: LocalAws, service: str, key_id: str | None
) -> None:
    guessed: Any = boto3.client(
        service,  # type: ignore[call-overload]
        region_name="us-east-1",
        endpoint_url=local_aws.endpoint,
        aws_access_key_id=key_id or local_aws.key.access_key_id,
        aws_secret_access_key="test",
    )
    with pytest.raises(ClientError, match=r"signature|security token|credentials|Access Key Id"):
        getattr(guessed, CALLS[service])()


INTERNAL = (
    "/_agent_rft/session",
    "/_agent_rft/calls",
    "/_agent_rft/behaviour",
    "/_ministack/reset",
    "/_ministack/health",
)


@pytest.mark.parametrize("path", [*INTERNAL, "/_ministack/cfn-response/token-1", "/_localstack/health", "/health"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_no_path_of_its_own_is_open(local_aws: LocalAws, path: str, method: str) -> None:
    body = json.dumps({"account": ACCOUNT, "region": "us-east-1", "role_arn": "arn:aws:iam::1:role/a"}).encode()
    status, said = send(local_aws, path, body, method=method)
    assert (status, "SecretAccessKey" in said) == (403, False)


def test_its_own_paths_are_for_roots_key_alone(local_aws: LocalAws) -> None:
    keys = session(local_aws, "administrator")
    for path in INTERNAL:
        with pytest.raises(RuntimeError, match=r"403 .*key made at the start"):
            signed_post(local_aws.endpoint, keys, path)


def test_a_key_that_signed_is_the_key_that_acts(local_aws: LocalAws) -> None:
    root = f"{local_aws.key.access_key_id}/20260101/us-east-1/iam/aws4_request"
    post = Post("iam", "/?" + urlencode({"Action": "ListRoles", "X-Amz-Credential": root}), b"")
    keys = Credentials("AKIAIOSFODNN7EXAMPLE", "guessed")
    assert send(local_aws, post.path, headers=signed(local_aws, post, {}, keys))[0] == 403
    assert send(local_aws, post.path)[0] == 400


@pytest.mark.parametrize("version", ["s3", "s3v4"])
def test_a_presigned_url_is_good_for_what_it_names_while_it_lasts(local_aws: LocalAws, version: str) -> None:
    s3, bucket = local_aws.client("s3"), f"presigned-{version}"
    s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket=bucket, Key="a b/ü", Body=b"here")
    signer = local_aws.client("s3", signature_version=version)

    def url(seconds: int) -> str:
        request = {"Bucket": bucket, "Key": "a b/ü"}
        return str(signer.generate_presigned_url("get_object", Params=request, ExpiresIn=seconds))

    def got(presigned: str) -> tuple[int, str]:
        return send(local_aws, presigned.removeprefix(local_aws.endpoint), method="GET")

    assert got(url(60)) == (200, "here")
    past = url(1)
    time.sleep(2.1)
    assert got(past)[0] == 403
    assert got(url(60).replace("/a%20b/", "/another/"))[0] == 403
