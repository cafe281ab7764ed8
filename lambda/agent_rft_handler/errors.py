"""What a failure says: one readable sentence that fits a CloudFormation event."""

from typing import Any

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,
    HTTPClientError,
    IncompleteReadError,
)
from botocore.parsers import ResponseParserError

from agent_rft_handler import facts

MESSAGE_MAX_BYTES = 1500
"""CloudFormation takes 4096 bytes in all, with ids and attributes."""

AWS_ERRORS = (ClientError, BotoCoreError, ResponseParserError)
"""Whatever a call may end with: the service's own error, none that arrived, or one that cannot be read."""

REQUEST_TIMEOUT, TOO_MANY_REQUESTS = 408, 429

THROTTLES = ("ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded")
"""Codes that ask to come back later."""

_UNHEARD = (ConnectionError, HTTPClientError, IncompleteReadError, ResponseParserError)

TRUST = "The execution role must trust job.sagemaker.amazonaws.com with sts:AssumeRole and sts:TagSession."

ACCEPT_EULA = "Read the model's licence, then set accept_eula=True."

HINTS = {
    "iam:PassRole": "Let this role pass the execution role to job.sagemaker.amazonaws.com.",
    "to perform: sts:AssumeRole": TRUST,
    "to perform: ": "Give the role this action, or ask the organization's administrator which policy denies it.",
    "assume": TRUST,
    "AcceptEula": ACCEPT_EULA,
}
"""A piece of the service's message, and what to do when it is there; the first that fits."""

BY_CODE = {
    "AccessDeniedException": (
        "An account must be allow-listed for AgentRFT; ask AWS Support if the role's policies allow CreateJob."
    ),
    "UnknownOperationException": (
        f"This region does not seem to run AgentRFT jobs; the SDK knows them in {', '.join(facts.REGIONS)}."
    ),
}
"""What to do about a code when no piece of the message says more."""


class Refused(Exception):
    """A failure that a person must act on; its text is the sentence they read.

    ``physical_id`` is what the failed resource is to be called, where the failure knows better than its event.
    """

    def __init__(self, sentence: str, physical_id: str = "") -> None:
        super().__init__(shorten(sentence))
        self.physical_id = physical_id


def shorten(text: str, limit: int = MESSAGE_MAX_BYTES) -> str:
    """``text`` on one line, cut in the middle when it takes more than ``limit`` bytes of UTF-8."""
    data = " ".join(text.split()).encode()
    if len(data) <= limit:
        return data.decode()
    half = (limit - 5) // 2
    return f"{data[:half].decode(errors='ignore')} ... {data[-half:].decode(errors='ignore')}"


def code_of(error: Exception) -> str:
    """The service's error code; empty for an error that never reached the service."""
    return str(_details(error).get("Code", ""))


def name_of(error: Exception) -> str:
    """What kind of failure it is: logs say no more, as the service's own words may quote a hyperparameter."""
    return code_of(error) or type(error).__name__


def message_of(error: Exception) -> str:
    """The service's own words."""
    return str(_details(error).get("Message") or error)


def is_missing(error: Exception) -> bool:
    """Whether the service says that the thing does not exist."""
    return code_of(error) in ("ResourceNotFound", "ResourceNotFoundException")


def is_name_taken(error: Exception) -> bool:
    """Whether CreateJob says that the name exists; some SageMaker calls say so with a ValidationException."""
    return code_of(error) == "ResourceInUse" or "already exists" in message_of(error)


def is_unanswered(error: Exception) -> bool:
    """Whether the call may have worked all the same: a lost answer, or a failure inside the service."""
    if isinstance(error, ClientError):
        status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
        return status >= 500 or status == REQUEST_TIMEOUT
    return isinstance(error, _UNHEARD)


def is_throttled(error: Exception) -> bool:
    """Whether the service asks to come back later."""
    return code_of(error) in THROTTLES


def is_role_too_new(error: Exception) -> bool:
    """Whether the service cannot assume the role yet; a role takes seconds to be known everywhere."""
    text = message_of(error).lower().replace("assumed-role", "")  # the caller's own ARN in every denial
    return code_of(error) in ("ValidationException", "AccessDeniedException") and "assume" in text and "role" in text


def explained(error: Exception, doing: str) -> Refused:
    """The service's refusal with what was being done and what to do about it."""
    said = message_of(error).rstrip(".")
    hint = next((advice for piece, advice in HINTS.items() if piece in said), "")
    if not hint:
        hint = BY_CODE.get(code_of(error), "")
    return Refused(f"{doing} failed: {name_of(error)}: {said}. {hint}")


def _details(error: Exception) -> dict[str, Any]:
    return dict(error.response.get("Error", {})) if isinstance(error, ClientError) else {}
