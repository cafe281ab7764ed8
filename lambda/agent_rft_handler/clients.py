"""The AWS clients that the handler calls through, the same on every runtime, be its boto3 older than CreateJob."""

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

import botocore.session
from botocore.config import Config

from agent_rft_handler import mlflow
from agent_rft_handler.mlflow import Fetch

MODELS = Path(__file__).parent / "models"
"""Botocore-format models of just the operations below; tests/handler/trim_model.py makes them."""

OPERATIONS = {
    "sagemaker": (
        "AddTags",
        "CreateJob",
        "CreateModelPackageGroup",
        "DeleteModelPackageGroup",
        "DeleteTags",
        "DescribeHubContent",
        "DescribeJob",
        "DescribeModelPackage",
        "DescribeModelPackageGroup",
        "ListHubContents",
        "ListJobs",
        "ListMlflowApps",
        "ListModelPackages",
        "ListTags",
        "StopJob",
    ),
    "bedrock-agentcore-control": ("GetAgentRuntime",),
}
"""What our models hold: all that is called of these services."""

CONFIG = Config(connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 2})
"""A call that is never answered fails within ``deadline.SUBMIT``; ``patience`` makes it again."""


class Clients(Protocol):
    """The services, as boto3 clients or as a test's fakes."""

    @property
    def sagemaker(self) -> Any: ...

    @property
    def agentcore(self) -> Any: ...

    @property
    def s3(self) -> Any: ...

    @property
    def cloudformation(self) -> Any: ...

    @property
    def stepfunctions(self) -> Any: ...

    def mlflow(self, app_arn: str) -> Fetch: ...


class AwsClients:
    """The real ones, each made when it is first used."""

    @cached_property
    def sagemaker(self) -> Any:
        return client("sagemaker")

    @cached_property
    def agentcore(self) -> Any:
        return client("bedrock-agentcore-control")

    @cached_property
    def s3(self) -> Any:
        return client("s3")

    @cached_property
    def cloudformation(self) -> Any:
        return client("cloudformation")

    @cached_property
    def stepfunctions(self) -> Any:
        return client("stepfunctions")

    def mlflow(self, app_arn: str) -> Fetch:
        """Reads from an MLflow app."""
        return mlflow.fetcher(app_arn, _session().get_credentials())


def client(service: str) -> Any:
    """A client; one that knows ``OPERATIONS[service]`` and nothing else, where we have a model."""
    return _session().create_client(service, config=CONFIG)


@cache
def _session() -> botocore.session.Session:
    """One for all clients. Our models come before botocore's own, which a cold start would read by the megabyte."""
    session = botocore.session.get_session()
    session.get_component("data_loader").search_paths.insert(0, str(MODELS))
    return session


def session_for(
    service: str, operations: set[str], make: Callable[[], botocore.session.Session]
) -> botocore.session.Session:
    """For the command line: a session that knows the operations by itself, or else what our models hold."""
    session = make()
    if not operations <= known_operations(session, service):
        session = make()  # the first has its own model in a cache
        session.get_component("data_loader").search_paths.insert(0, str(MODELS))
    return session


def listed(call: Callable[..., Any], member: str, marker: str = "NextToken", **request: Any) -> Iterator[Any]:
    """Every row of a List operation, page by page as it is asked for.

    Not boto3's paginators: an older boto3 has none for these operations.
    """
    while True:
        page = call(**request)
        yield from page[member]
        if not page.get(marker):
            return
        request[marker] = page[marker]


def known_operations(session: botocore.session.Session, service: str) -> set[str]:
    """The operations of the service that this botocore knows."""
    if service not in session.get_available_services():
        return set()
    return set(session.get_service_model(service).operation_names)
