"""What only the owner of a local AWS may ask of it: its recordings, its behaviour, and what it holds at the start.

POST ``/_agent_rft/`` and ``calls``, ``iam``, ``deliveries``, ``behaviour`` (reads or sets it), ``hub`` and ``package``
(seed them), ``session`` (a role's keys), ``forget``, ``settle`` or ``ready``. The gate lets root's key in
here, and no other.
"""

import asyncio
import json
import threading
from typing import Any

from agent_rft_local import (
    custom_resources,
    gate,
    iam_log,
    job_api,
    ministack_names,
    model_hub,
    model_packages,
    own_clients,
    store,
)

PATH = "/_agent_rft/"

REGIONS = ("us-east-1", "us-west-2")
"""Where recipe files are seeded."""


def added(inner: Any) -> Any:
    """Answers these paths itself and leaves the others to the application."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PATH):
            await inner(scope, receive, send)
            return
        body = await gate.read(receive)
        answer = await asyncio.to_thread(administer, scope["path"].removeprefix(PATH), body)
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps(answer, default=str).encode()})

    return app


_seeding = threading.Lock()


def administer(what: str, body: bytes) -> object:
    """What one of the paths answers."""
    given = json.loads(body) if body else None
    if what == "ready":
        with _seeding:
            _seed_recipes()
    elif what == "behaviour" and given:
        store.behaviour.__dict__.update(given)
    elif what in ("hub", "package", "session") and given:
        with ministack_names.request_scope(given.pop("account"), given.pop("region")):
            return _in_account(what, given)
    elif what == "settle":
        store.behave()
        job_api.stop_all()
        _forget()
    elif what == "forget":
        _forget()
    readable = {
        "calls": store.calls,
        "iam": iam_log.decisions,
        "deliveries": custom_resources.deliveries,
        "behaviour": store.behaviour.__dict__,
    }
    return readable.get(what, {})


def _forget() -> None:
    for each in (iam_log.decisions, custom_resources.deliveries, store.calls):
        each.clear()


def _in_account(what: str, given: Any) -> object:
    if what == "hub":
        return model_hub.seed(**given)
    if what == "session":
        return ministack_names.role_session(given["role_arn"], "SageMaker")
    return model_packages.seed(given)


def _seed_recipes() -> None:
    """The recipe files, in a bucket of another account that everyone may read; nothing when it is there."""
    for region in REGIONS:
        s3 = own_clients.client("s3", region, model_hub.RECIPE_OWNER)
        bucket = model_hub.recipe_bucket(region)
        if bucket in [each["Name"] for each in s3.list_buckets()["Buckets"]]:
            continue
        if region == "us-east-1":
            s3.create_bucket(Bucket=bucket)
        else:
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
        statement = {
            "Effect": "Allow",
            "Principal": "*",
            "Action": "s3:GetObject",
            "Resource": f"arn:aws:s3:::{bucket}/*",
        }
        s3.delete_public_access_block(Bucket=bucket)
        s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
        for key, text in model_hub.recipe_files().items():
            s3.put_object(Bucket=bucket, Key=key, Body=text.encode())
