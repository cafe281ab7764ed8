"""How the server calls itself, over HTTP like everyone: with the key made at the start."""

import os
from typing import Any

from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest

from agent_rft_local import isolated_session
from agent_rft_local.start_key import StartKey

ANSWER_SECONDS = 2 * 3600
"""How long a URL for answers is good: as those of AWS, longer than any custom resource may take."""


def start_key() -> StartKey:
    """The key made at the start; ministack takes root's from these variables, too."""
    return StartKey(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])


def client(service: str, region: str, account: str, **config: Any) -> Any:
    """A client with root's keys in the account; its id is the access key's id there, the secret is the start key's."""
    key = StartKey(account, start_key().secret_access_key)
    return isolated_session.client(service, region, endpoint(), key, **config)


def presigned(url: str) -> str:
    """The URL of an answer, with a signature in its query."""
    request = AWSRequest("PUT", url)
    S3SigV4QueryAuth(start_key().credentials, "s3", "us-east-1", expires=ANSWER_SECONDS).add_auth(request)
    return str(request.url)


def endpoint() -> str:
    """Where this server listens."""
    return f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}"
