"""The server: ministack with our service, types and strictness, behind what looks like a TLS proxy."""

import asyncio
import json
import os
import signal
import threading
from typing import Any

import boto3

ADMIN = "/_agent_rft/"
"""GET calls, iam, deliveries, behaviour; POST behaviour (sets it), hub, package (seed them), session (role's keys)."""

REGIONS = ("us-east-1", "us-west-2")
"""Where recipe files are seeded."""


def serve(port: int) -> None:
    """Serves on the loopback interface until SIGTERM or SIGINT."""
    os.environ.update(
        GATEWAY_PORT=str(port),  # read by ministack when it is imported
        MINISTACK_HOST="127.0.0.1",
        IOT_MTLS_ENABLED="0",
        SFTP_ENABLED="0",
        AUTH="true",
    )
    os.environ.pop("AWS_ACCESS_KEY_ID", None)  # would be a root key, which no policy binds
    from hypercorn.asyncio import serve as serve_asgi
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"127.0.0.1:{port}"]
    config.keep_alive_timeout = 75
    config.accesslog = None

    async def run() -> None:
        stop = asyncio.Event()
        for each in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(each, stop.set)
        await serve_asgi(application(), config, shutdown_trigger=stop.wait)

    asyncio.run(run())


def application() -> Any:
    """The ASGI application."""
    from agent_rft_local import extensions, ministack_names

    extensions.install()
    return _with_admin(_behind_tls(ministack_names.asgi_app()))


def _behind_tls(inner: Any) -> Any:
    """Says that a TLS proxy stands in front, so that aws:SecureTransport is true without a certificate."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = [(name, value) for name, value in scope["headers"] if name != b"x-forwarded-proto"]
            scope = {**scope, "headers": [*headers, (b"x-forwarded-proto", b"https")]}
        await inner(scope, receive, send)

    return app


def _with_admin(inner: Any) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(ADMIN):
            await inner(scope, receive, _breaking(send))
            return
        body = await _body(receive) if scope["method"] == "POST" else b""
        answer = await asyncio.to_thread(_administer, scope["path"].removeprefix(ADMIN), body)
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(answer, default=str).encode()})

    return app


def _breaking(send: Any) -> Any:
    """Breaks the connection where an answer asks for it: in the middle of a body that comes in chunks."""
    from agent_rft_local.sagemaker import BROKEN

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            names = [name.lower() for name, _ in message["headers"]]
            if BROKEN.encode() in names:
                await send({**message, "headers": []})
                await send({"type": "http.response.body", "body": b"{", "more_body": True})
                raise ConnectionResetError("as asked")
        await send(message)

    return sending


async def _body(receive: Any) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def _in_account(what: str, given: Any) -> object:
    from agent_rft_local import ministack_names, model_hub, store

    if what == "hub":
        return model_hub.seed(**given)
    if what == "session":
        return ministack_names.role_session(given["role_arn"], "SageMaker")
    store.packages[given["ModelPackageArn"]] = given
    return {}


_seeding = threading.Lock()


def _administer(what: str, body: bytes) -> object:
    from agent_rft_local import custom_resources, iam_log, ministack_names, store

    given = json.loads(body) if body else None
    if what == "ready":
        with _seeding:
            _seed_recipes()
    elif what == "behaviour" and given:
        store.behaviour.__dict__.update(given)
    elif what in ("hub", "package", "session") and given:
        with ministack_names.request_scope(given.pop("account"), given.pop("region")):
            return _in_account(what, given)
    elif what == "forget":
        for each in (iam_log.decisions, custom_resources.deliveries, store.calls):
            each.clear()
    readable = {
        "calls": store.calls,
        "iam": iam_log.decisions,
        "deliveries": custom_resources.deliveries,
        "behaviour": store.behaviour.__dict__,
    }
    return readable.get(what, {})


def _seed_recipes() -> None:
    """The recipe files, in a bucket of another account that everyone may read; nothing when it is there."""
    from agent_rft_local import model_hub

    for region in REGIONS:
        s3: Any = boto3.client(
            "s3",
            region_name=region,
            endpoint_url=f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}",
            aws_access_key_id=model_hub.RECIPE_OWNER,
            aws_secret_access_key="test",  # noqa: S106 - the local AWS checks no secret
        )
        bucket = model_hub.recipe_bucket(region)
        if bucket in [each["Name"] for each in s3.list_buckets()["Buckets"]]:
            continue
        if region == "us-east-1":
            s3.create_bucket(Bucket=bucket)
        else:
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
        objects = f"arn:aws:s3:::{bucket}/*"
        statement = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": objects}
        s3.delete_public_access_block(Bucket=bucket)
        s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
        for key, text in model_hub.recipe_files().items():
            s3.put_object(Bucket=bucket, Key=key, Body=text.encode())
