"""The Lambda function: CDK's provider framework calls ``handler`` with the event and answers CloudFormation."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_handler import lifecycle
from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.errors import JobRefused, explained
from agent_rft_handler.jobs import Time
from agent_rft_handler.lifecycle import Request

logging.getLogger().setLevel(logging.INFO)
log = logging.getLogger(__name__)

EVENTS = {"Create": lifecycle.create, "Update": lifecycle.update, "Delete": lifecycle.delete}


def handler(event: Mapping[str, object], context: Any) -> dict[str, object]:
    """Lambda's entry point. Never logs the event: its ResponseURL lets anyone answer for the stack."""
    left = Time(remaining=lambda: float(context.get_remaining_time_in_millis()) / 1000, sleep=time.sleep)
    return respond(event, AwsClients(), left)


def respond(event: Mapping[str, object], clients: Clients, left: Time) -> dict[str, object]:
    """The answer to an event, or the one sentence that says why not.

    Raises:
        JobRefused: for whatever a person must act on; CloudFormation shows its text.
    """
    request = Request.of(event)
    try:
        answer = EVENTS[request.kind](request, clients, left)
    except JobRefused as refused:
        _log_refusal(request)
        raise JobRefused(str(refused)) from None
    except (ClientError, BotoCoreError) as error:
        _log_refusal(request)
        raise explained(error, f"{request.kind} of {request.owner.logical_id}") from None
    log.info("%s of %s: job %s", request.kind, request.owner.logical_id, answer["PhysicalResourceId"])
    return answer


def _log_refusal(request: Request) -> None:
    """The sentence may quote a hyperparameter: CloudFormation's event shows it, the log only when debugging."""
    log.error("%s of %s was refused; the stack's events say why", request.kind, request.owner.logical_id)
    log.debug("%s of %s", request.kind, request.owner.logical_id, exc_info=True)
