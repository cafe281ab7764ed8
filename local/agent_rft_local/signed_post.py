"""Signed requests to the local AWS itself, straight to its socket: no proxy, no redirect, no retry."""

from collections.abc import Mapping
from http.client import HTTPConnection
from urllib.parse import urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def signed_post(
    endpoint: str, credentials: Credentials, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> bytes:
    """Posts to the path and returns the answer's body.

    Raises:
        OSError: when the server is gone.
        RuntimeError: with what it answered, when that is no success.
    """
    request = AWSRequest("POST", endpoint + path, data=body, headers=dict(headers or {}))
    SigV4Auth(credentials, "sagemaker", "us-east-1").add_auth(request)
    connection = HTTPConnection(urlsplit(endpoint).netloc, timeout=60)
    try:
        connection.request("POST", path, body, dict(request.headers.items()))
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if answer.status != 200:
        raise RuntimeError(f"the local AWS answered {answer.status} to {path}: {content.decode(errors='replace')}")
    return content
