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


class MadeClients:
    """Clients that are made when they are first used.

    Args:
        make: Makes one, by its name here.
        connect: Makes what reads from an MLflow app.
    """

    def __init__(self, make: Callable[[str], Any], connect: Callable[[str], Fetch]) -> None:
        self._make = make
        self._connect = connect

    @cached_property
    def sagemaker(self) -> Any:
        return self._make("sagemaker")

    @cached_property
    def agentcore(self) -> Any:
        return self._make("agentcore")

    @cached_property
    def s3(self) -> Any:
        return self._make("s3")

    @cached_property
    def cloudformation(self) -> Any:
        return self._make("cloudformation")

    @cached_property
    def stepfunctions(self) -> Any:
        return self._make("stepfunctions")

    def mlflow(self, app_arn: str) -> Fetch:
        """Reads from an MLflow app."""
        return self._connect(app_arn)


class AwsClients(MadeClients):
    """The real ones."""

    def __init__(self) -> None:
        super().__init__(
            lambda name: client("bedrock-agentcore-control" if name == "agentcore" else name),
            lambda app_arn: mlflow.fetcher(app_arn, _session().get_credentials()),
        )


def client(service: str) -> Any:
    """A client; one that knows ``OPERATIONS[service]`` and nothing else, where we have a model."""
    return _session().create_client(service, config=CONFIG)


@cache
def _session() -> botocore.session.Session:
    """One for all clients. Its models are ours: botocore's own, a cold start would read by the megabyte."""
    return with_models(botocore.session.get_session())


def with_models(session: botocore.session.Session) -> botocore.session.Session:
    """The session, which takes our models before botocore's own."""
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
