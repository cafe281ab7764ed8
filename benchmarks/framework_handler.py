"""Our handler as CDK's provider framework calls it: what it would have sent to CloudFormation, it returns."""

import os
import time
from typing import Any

from agent_rft_handler import contract
from agent_rft_handler.clients import AwsClients
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.event import Event
from agent_rft_handler.index import respond

CLIENTS = AwsClients()


def on_event(raw: dict[str, Any], context: Any) -> dict[str, Any]:
    """The framework's onEvent; it waits for nothing, so there is no isComplete."""
    event = Event.of({**raw, "ResponseURL": "https://the.framework/answers"})
    deadline = Deadline(lambda: float(context.get_remaining_time_in_millis()) / 1000, time.sleep)
    answer = respond(event, os.environ[contract.STACK_ID_VARIABLE], CLIENTS, deadline)
    if answer.reason:
        raise RuntimeError(answer.reason)
    return {"PhysicalResourceId": answer.physical_id, "Data": dict(answer.data)}
