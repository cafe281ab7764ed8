"""The Lambda function: CDK's provider framework calls ``handler`` with the event and answers CloudFormation."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_handler import lifecycle, model_package_groups
from agent_rft_handler.clients import AwsClients, Clients
from agent_rft_handler.contract import GROUP_RESOURCE_TYPE
from agent_rft_handler.errors import JobRefused, explained
from agent_rft_handler.jobs import Time

logging.getLogger().setLevel(logging.INFO)
log = logging.getLogger(__name__)

JOB = {"Create": lifecycle.create, "Update": lifecycle.update, "Delete": lifecycle.delete}
GROUP = {
    "Create": model_package_groups.create,
    "Update": model_package_groups.update,
    "Delete": model_package_groups.delete,
}


def handler(event: Mapping[str, object], context: Any) -> dict[str, object]:
    """Lambda's entry point. Never logs the event: its ResponseURL lets anyone answer for the stack."""
    left = Time(remaining=lambda: float(context.get_remaining_time_in_millis()) / 1000, sleep=time.sleep)
    return respond(event, AwsClients(), left)


def respond(event: Mapping[str, object], clients: Clients, left: Time) -> dict[str, object]:
    """The answer to an event, or the one sentence that says why not.

    Raises:
        JobRefused: for whatever a person must act on; CloudFormation shows its text.
    """
    kind, logical_id = event["RequestType"], event["LogicalResourceId"]
    try:
        answer = _answer(event, clients, left)
    except JobRefused as refused:
        _log_refusal(kind, logical_id)
        raise JobRefused(str(refused)) from None
    except (ClientError, BotoCoreError) as error:
        _log_refusal(kind, logical_id)
        raise explained(error, f"{kind} of {logical_id}") from None
    log.info("%s of %s: %s", kind, logical_id, answer["PhysicalResourceId"])
    return answer


def _answer(event: Mapping[str, object], clients: Clients, left: Time) -> dict[str, object]:
    kind = str(event["RequestType"])
    if event.get("ResourceType") == GROUP_RESOURCE_TYPE:
        return GROUP[kind](model_package_groups.Request.of(event), clients, left)
    return JOB[kind](lifecycle.Request.of(event), clients, left)


def _log_refusal(kind: object, logical_id: object) -> None:
    """The sentence may quote a hyperparameter: CloudFormation's event shows it, the log only when debugging."""
    log.error("%s of %s was refused; the stack's events say why", kind, logical_id)
    log.debug("%s of %s", kind, logical_id, exc_info=True)
