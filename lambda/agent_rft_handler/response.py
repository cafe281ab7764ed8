"""The answer to CloudFormation: one PUT to the event's presigned URL.

Source: AWS docs, custom resource response objects.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

import urllib3
from urllib3.util import Retry, Timeout

from agent_rft_handler.errors import shorten
from agent_rft_handler.event import Event

NO_ID = "none"
"""The id where an event names none: CloudFormation refuses an empty one."""

RETRY = Retry(total=3, backoff_factor=0.5, status_forcelist=range(500, 600), allowed_methods={"PUT"})
TIMEOUT = Timeout(connect=2, read=4)
"""Four attempts end well within ``deadline.ANSWER``, even where none of them is heard."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Response:
    """What CloudFormation is told: the resource's id, with its attributes or with why there are none."""

    physical_id: str
    reason: str = ""
    data: Mapping[str, str] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        """Whether the event did what was asked."""
        return not self.reason

    def body(self, event: Event) -> bytes:
        """The answer as CloudFormation takes it."""
        answer: dict[str, object] = {
            "Status": "SUCCESS" if self.succeeded else "FAILED",
            "PhysicalResourceId": self.physical_id or NO_ID,
            "StackId": event.stack_id,
            "RequestId": event.request_id,
            "LogicalResourceId": event.logical_id,
        }
        if self.reason:
            answer["Reason"] = shorten(self.reason)
        if self.data:
            answer["Data"] = dict(self.data)
        return json.dumps(answer, ensure_ascii=False).encode()


def send(event: Event, response: Response) -> None:
    """Answers; raises when CloudFormation could not be reached, so that Lambda delivers the event again."""
    if not event.response_url:
        log.error("%s has no ResponseURL, so nobody is told", event.doing)
        return
    headers = {"Content-Type": ""}  # the URL is signed without one
    try:
        answer = urllib3.PoolManager().request(
            "PUT", event.response_url, body=response.body(event), headers=headers, retries=RETRY, timeout=TIMEOUT
        )
    except urllib3.exceptions.HTTPError as error:
        # the error's own text holds the URL
        raise ConnectionError(f"CloudFormation could not be told: {type(error).__name__}") from None
    if answer.status >= 300:
        raise ConnectionError(f"CloudFormation could not be told: HTTP {answer.status}")
