"""The account and region that a command reads, and clients for it."""

from dataclasses import dataclass
from typing import Any, Protocol

import boto3
import botocore.session
from botocore.config import Config

from agent_rft_cli.failures import Failure
from agent_rft_handler.clients import known_operations, session_for

SUFFICIENT_BOTO3 = "1.43.37"
"""The first to know AgentRFT jobs; AgentCore is older."""

PAGE = 100
"""The most rows that one call may give [botocore: MaxResults of every List operation here]."""

CONFIG = Config(connect_timeout=5, read_timeout=30, retries={"mode": "standard"})
"""A person waits; AWS_MAX_ATTEMPTS still counts."""


class Clients(Protocol):
    """Where a command gets its client: AWS, or a test's fake."""

    def client(self, service: str, *operations: str) -> Any: ...


@dataclass(frozen=True)
class Aws:
    """AWS by a profile and a region; without them, as the environment and its configuration say."""

    profile: str | None = None
    region: str | None = None

    def client(self, service: str, *operations: str) -> Any:
        """A client that knows the operations.

        Raises:
            Failure: where neither boto3 nor the handler's own models know them, or an endpoint's URL is none.
        """
        session = session_for(service, set(operations), lambda: botocore.session.Session(profile=self.profile))
        unknown = set(operations) - known_operations(session, service)
        if unknown:
            raise Failure(
                f"boto3 {boto3.__version__} does not know {', '.join(sorted(unknown))}. "
                f"Update it: pip install --upgrade 'boto3>={SUFFICIENT_BOTO3}'"
            )
        make: Any = boto3.Session(botocore_session=session).client
        try:
            return make(service, region_name=self.region, config=CONFIG)
        except ValueError as error:  # botocore's word for an AWS_ENDPOINT_URL that is no URL
            raise Failure(str(error)) from error
