"""What a job has logged to its MLflow app, read by MLflow's own REST API.

The address, the header that names the app, and the signature for ``sagemaker`` are those of AWS's own plug-in
[sagemaker-mlflow 0.5.0]; the operations are MLflow's [mlflow.org: rest-api, "Get Metric History", "Get Run"].
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import NoCredentialsError
from botocore.httpsession import URLLib3Session
from botocore.utils import get_environ_proxies

from agent_rft_handler import facts
from agent_rft_handler.errors import REQUEST_TIMEOUT, THROTTLES, TOO_MANY_REQUESTS, Refused
from agent_rft_handler.job_event import run_of

APP_HEADER = "x-sm-mlflow-app-arn"
DNS_SUFFIXES = {"aws": "aws", "aws-us-gov": "aws"}
"""By partition, as far as the plug-in knows them."""

PASSING = (REQUEST_TIMEOUT, TOO_MANY_REQUESTS)
"""Statuses, beside those of a failing server, after which it is worth asking again."""

TIMEOUT = (5, 30)
"""To connect and to read, in seconds."""

ENDPOINTS = ("SAGEMAKER_MLFLOW_CUSTOM_ENDPOINT", "AWS_ENDPOINT_URL")
"""Variables that say where MLflow is: the plug-in's own, then every service's."""

REWARD = "rollout/reward/mean"
"""The mean reward of a step [sagemaker-train 1.27.0: job_wait MTRL_METRIC_KEYS]."""

_EMPTY = hashlib.sha256(b"").hexdigest()

Fetch = Callable[[str, dict[str, str]], Any]
"""Reads an operation, by its path behind the version, with a query."""


class Unreadable(Refused):
    """MLflow did not give what was asked of it; ``passes`` where it may give it later."""

    def __init__(self, sentence: str, *, passes: bool = False) -> None:
        super().__init__(sentence)
        self.passes = passes


@dataclass(frozen=True)
class Point:
    """A metric's value at a step."""

    step: int
    value: float


@dataclass(frozen=True)
class MlflowRun:
    """The run that a job logs to.

    Args:
        run_id: MLflow's id of it.
        fetch: Reads from the app.
    """

    run_id: str
    fetch: Fetch

    @classmethod
    def of(cls, job: Mapping[str, Any], connect: Callable[[str], Fetch]) -> "MlflowRun | None":
        """The run of a job as DescribeJob gives it; None before it has one, or where it logs to none.

        Args:
            job: The job.
            connect: Makes what reads from an app, by the app's ARN.
        """
        app, run_id = run_of(job)
        return cls(run_id, connect(app)) if app and run_id else None

    def history(self, metric: str) -> list[Point]:
        """Every value that the metric has had, by step; of a step that was logged twice, the last."""
        values = {int(each["step"]): float(each["value"]) for each in self._values(metric)}
        return [Point(step, values[step]) for step in sorted(values)]

    def metrics(self) -> list[str]:
        """The names of what it has logged."""
        found = self.fetch("runs/get", {"run_id": self.run_id})
        return sorted(each["key"] for each in found.get("run", {}).get("data", {}).get("metrics", []))

    def _values(self, metric: str) -> Iterator[dict[str, Any]]:
        query = {"run_id": self.run_id, "metric_key": metric}
        while True:
            page = self.fetch("metrics/get-history", query)
            yield from page.get("metrics", [])
            if not page.get("next_page_token"):
                return
            query = {**query, "page_token": page["next_page_token"]}


def fetcher(
    app_arn: str, credentials: Credentials | None, *, endpoint: str | None = None, ca_bundle: str | None = None
) -> Fetch:
    """Reads from an app, over the network.

    Args:
        app_arn: The app's.
        credentials: Who signs.
        endpoint: Where it is; without it as the environment says, or by its ARN's region.
        ca_bundle: A file of certificates to trust instead of botocore's.
    """
    if credentials is None:
        raise NoCredentialsError
    base = endpoint or next(filter(None, map(os.environ.get, ENDPOINTS)), None) or _address(app_arn)
    make: Any = URLLib3Session  # its types know neither a file of certificates nor two timeouts
    session = make(verify=ca_bundle or True, proxies=get_environ_proxies(base), timeout=TIMEOUT)

    def fetch(operation: str, query: dict[str, str]) -> Any:
        url = f"{base}/api/2.0/mlflow/{operation}?{urlencode(query, quote_via=quote)}"
        request = AWSRequest("GET", url, headers={APP_HEADER: app_arn, "X-Amz-Content-SHA256": _EMPTY})
        SigV4Auth(credentials, "sagemaker", facts.region_of(app_arn)).add_auth(request)
        answer = session.send(request.prepare())
        if answer.status_code != 200:
            raise _refusal(answer.status_code, answer.content)
        return json.loads(answer.content)

    return fetch


def _address(app_arn: str) -> str:
    if not facts.MLFLOW_APP_ARN.accepts(app_arn):
        raise Unreadable(f"{app_arn} is not an MLflow app, and only those can be read.")
    partition = app_arn.split(":")[1]
    if partition not in DNS_SUFFIXES:
        raise Unreadable(f"Where MLflow apps of the partition {partition} are is not known.")
    return f"https://mlflow.sagemaker.{facts.region_of(app_arn)}.app.{DNS_SUFFIXES[partition]}"


def _refusal(status: int, content: bytes) -> Unreadable:
    """MLflow's own, or that of AWS before it, which has a type."""
    try:
        read = json.loads(content)
        said, code = str(read.get("message") or read.get("Message") or read), str(read.get("__type", ""))
    except (ValueError, AttributeError):
        said, code = content.decode(errors="replace")[:200], ""
    passes = status >= 500 or status in PASSING or code.rpartition("#")[2] in THROTTLES
    return Unreadable(f"MLflow answers {status}: {said}", passes=passes)
