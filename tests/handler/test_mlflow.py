"""What a refusal by MLflow, or by AWS before it, says, and whether it is worth asking again."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest
from botocore.credentials import Credentials
from botocore.exceptions import NoCredentialsError

from agent_rft_handler.mlflow import Unreadable, fetcher

APP = "arn:aws:sagemaker:us-east-1:000000000000:mlflow-app/app-0123456789ab"
KEY = Credentials("test", "test")


class Answering(BaseHTTPRequestHandler):
    """Gives the one answer."""

    answer: ClassVar[tuple[int, bytes]]

    def do_GET(self) -> None:
        status, body = self.answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Where a server gives ``Answering.answer``."""
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "said", "passes"),
    [
        (404, b'{"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "No run"}', "404: No run", False),
        (403, b'{"Message": "You may not"}', "403: You may not", False),
        (429, b"slow down", "429: slow down", True),
        (503, b"", "503:", True),
        (400, b'{"__type": "com.amazon#ThrottlingException", "message": "Rate exceeded"}', "400: Rate exceeded", True),
        (400, b"[]", "400: []", False),
    ],
)
def test_a_refusal(endpoint: str, status: int, body: bytes, said: str, passes: bool) -> None:
    Answering.answer = status, body
    with pytest.raises(Unreadable, match=f"MLflow answers {said}".replace("[]", r"\[\]")) as refused:
        fetcher(APP, KEY, endpoint=endpoint)("runs/get", {"run_id": "1"})
    assert refused.value.passes == passes


@pytest.mark.parametrize("variable", ["SAGEMAKER_MLFLOW_CUSTOM_ENDPOINT", "AWS_ENDPOINT_URL"])
def test_the_environment_says_where_it_is(endpoint: str, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    Answering.answer = 200, b'{"run": {}}'
    monkeypatch.setenv(variable, endpoint)
    assert fetcher(APP, KEY)("runs/get", {"run_id": "1"}) == {"run": {}}


def test_without_credentials_there_is_nobody_to_sign() -> None:
    with pytest.raises(NoCredentialsError):
        fetcher(APP, None)


def test_of_a_partition_that_is_not_known_nothing_is_guessed() -> None:
    with pytest.raises(Unreadable, match="apps of the partition aws-other are is not known"):
        fetcher(APP.replace("aws", "aws-other", 1), KEY)("runs/get", {})
