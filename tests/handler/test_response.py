"""The answer to CloudFormation, as it goes over the wire to a server on this machine."""

import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from handler.world import ANSWER_MAX_BYTES, STACK_ID
from hypothesis import example, given
from hypothesis import strategies as st

from agent_rft_handler import deadline, response
from agent_rft_handler.event import Event
from agent_rft_handler.response import Response, send


@dataclass
class CloudFormation:
    """Keeps what is PUT to it; answers with the statuses in ``answers``, then with 200."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def event(self, **changed: Any) -> Event:
        names = {"kind": "Create", "request_id": "r-1", "stack_id": STACK_ID, "logical_id": "Job"}
        return Event(**{**names, "resource_type": "Custom::AgentRFTJob", "response_url": self.url, **changed})


@pytest.fixture
def cloudformation() -> Iterator[CloudFormation]:
    state = CloudFormation()

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = state.answers.pop(0) if state.answers else 200
            if not status:  # the connection breaks before an answer
                self.connection.close()
                return
            state.heard.append((dict(self.headers), body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}/SECRET?signature=SECRET"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "RETRY", response.RETRY.new(backoff_factor=0))


def test_an_answer_is_one_put_without_a_content_type(cloudformation: CloudFormation) -> None:
    send(cloudformation.event(), Response("job-1", data={"JobName": "job-1"}))
    ((headers, body),) = cloudformation.heard
    assert headers["Content-Type"] == ""  # the URL is signed without one
    assert json.loads(body) == {
        "Status": "SUCCESS",
        "PhysicalResourceId": "job-1",
        "StackId": STACK_ID,
        "RequestId": "r-1",
        "LogicalResourceId": "Job",
        "Data": {"JobName": "job-1"},
    }


def test_a_failure_says_why(cloudformation: CloudFormation) -> None:
    send(cloudformation.event(), Response("job-1", "it is so"))
    answer = json.loads(cloudformation.heard[0][1])
    assert (answer["Status"], answer["Reason"], "Data" in answer) == ("FAILED", "it is so", False)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("answers", [[500], [503, 500], [0], [0, 500, 0]])
def test_an_answer_that_is_not_heard_is_sent_again(cloudformation: CloudFormation, answers: list[int]) -> None:
    cloudformation.answers = answers
    send(cloudformation.event(), Response("job-1"))
    assert json.loads(cloudformation.heard[-1][1])["Status"] == "SUCCESS"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("answers", [[500] * 9, [0] * 9, [403], [300]])
def test_when_nobody_hears_it_the_function_fails_so_that_lambda_calls_again(
    cloudformation: CloudFormation, answers: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cloudformation.answers = answers
    with pytest.raises(ConnectionError, match="could not be told") as failed:
        send(cloudformation.event(), Response("job-1"))
    assert "SECRET" not in str(failed.value)
    assert failed.value.__cause__ is None
    assert failed.value.__context__ is None or failed.value.__suppress_context__
    assert not [row for row in caplog.records if row.name.startswith("agent_rft") and "SECRET" in row.getMessage()]


def test_all_attempts_end_within_the_time_that_is_kept_for_them() -> None:
    attempts = int(response.RETRY.total or 0) + 1
    waited = sum(response.RETRY.backoff_factor * 2**number for number in range(attempts - 1))
    each: Any = response.TIMEOUT.connect_timeout, response.TIMEOUT.read_timeout
    assert attempts * sum(each) + waited <= deadline.ANSWER


@example("", "é" * 3000)
@example("", "𝄞" * 3000)
@given(st.text(max_size=9000), st.text(alphabet="é€𝄞", max_size=3000))
def test_no_reason_makes_an_answer_too_long(reason: str, more: str) -> None:
    event = CloudFormation().event(stack_id=STACK_ID + "x" * 200, logical_id="J" * 255, request_id="r" * 128)
    body = Response("j" * 63, f"it {reason} {more}").body(event)
    assert len(body) <= ANSWER_MAX_BYTES
    assert json.loads(body)["Status"] == "FAILED"


def test_the_longest_success_fits() -> None:
    event = CloudFormation().event(stack_id="s" * 255, logical_id="J" * 255, request_id="r" * 128)
    data = {"JobName": "j" * 63, "JobArn": "a" * 256, "BaseModelArn": "b" * 512}  # the API's own limits and more
    assert len(Response("j" * 63, data=data).body(event)) <= ANSWER_MAX_BYTES


def test_an_event_without_an_url_is_answered_to_nobody(caplog: pytest.LogCaptureFixture) -> None:
    send(CloudFormation().event(response_url=""), Response("job-1", "hyperparameters['a'] is hush-hush"))
    assert "has no ResponseURL, so nobody is told" in caplog.text
    assert "hush-hush" not in caplog.text


def test_a_resource_without_an_id_is_called_something() -> None:
    """CloudFormation refuses an answer whose id is empty."""
    body = json.loads(Response("", "it is so").body(CloudFormation().event()))
    assert body["PhysicalResourceId"] == "none"
