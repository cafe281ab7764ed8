"""The account and region that a command reads, and clients for it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import boto3
import botocore.session
from botocore.config import Config
from botocore.credentials import Credentials

from agent_rft_cli.failures import Failure
from agent_rft_handler import mlflow
from agent_rft_handler.clients import with_models
from agent_rft_handler.mlflow import Fetch

SUFFICIENT_BOTO3 = "1.43.37"
"""The first to know AgentRFT jobs; AgentCore is older."""

PAGE = 100
"""The most rows that one call may give [botocore: MaxResults of every List operation here]."""

CONFIG = Config(connect_timeout=5, read_timeout=30, retries={"mode": "standard"})
"""A person waits; AWS_MAX_ATTEMPTS still counts."""


class Clients(Protocol):
    """Where a command gets its client: AWS, or a test's fake."""

    @property
    def region_name(self) -> str: ...

    def client(self, service: str, *operations: str) -> Any: ...

    def mlflow(self, app_arn: str) -> Fetch: ...


@dataclass(frozen=True)
class Aws:
    """AWS by a profile and a region; without them, as the environment and its configuration say.

    Args:
        profile: The profile of the AWS configuration.
        region: The region.
        endpoint: Where every service is; for the local AWS.
        key: Who signs; for the local AWS.
    """

    profile: str | None = None
    region: str | None = None
    endpoint: str | None = None
    key: Credentials | None = field(default=None, repr=False)

    @property
    def region_name(self) -> str:
        """The region that is read, by whatever says it."""
        return str(self.region or self._session().get_config_variable("region") or "")

    def client(self, service: str, *operations: str) -> Any:
        """A client that knows the operations.

        Raises:
            Failure: where neither boto3 nor the handler's own models know them, or an endpoint's URL is none.
        """
        session = self._session()
        if _unknown(session, service, operations):
            session = with_models(self._session())  # another: the first has its own model in a cache
        if unknown := _unknown(session, service, operations):
            raise Failure(
                f"boto3 {boto3.__version__} does not know {', '.join(sorted(unknown))}. "
                f"Update it: pip install --upgrade 'boto3>={SUFFICIENT_BOTO3}'"
            )
        make: Any = boto3.Session(botocore_session=session).client
        try:
            return make(service, region_name=self.region, endpoint_url=self.endpoint, config=CONFIG)
        except ValueError as error:  # botocore's word for an AWS_ENDPOINT_URL that is no URL
            raise Failure(str(error)) from error

    def mlflow(self, app_arn: str) -> Fetch:
        """Reads from an MLflow app."""
        ca_bundle = self._session().get_config_variable("ca_bundle")
        return mlflow.fetcher(app_arn, self._credentials, endpoint=self.endpoint, ca_bundle=ca_bundle)

    @cached_property
    def _credentials(self) -> Credentials | None:
        found: Credentials | None = self._session().get_credentials()
        return found

    def _session(self) -> botocore.session.Session:
        session = botocore.session.Session(profile=self.profile)
        if self.key:
            session.set_credentials(self.key.access_key, self.key.secret_key, self.key.token)
        return session


def _unknown(session: botocore.session.Session, service: str, operations: tuple[str, ...]) -> set[str]:
    """Those of the operations that this botocore does not know."""
    known = session.get_service_model(service).operation_names if service in session.get_available_services() else ()
    return set(operations) - set(known)
