"""An account whose jobs run by a clock that the test turns: SageMaker, MLflow and CloudWatch Logs in process."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError
from handler.world import ACCOUNT, REGION, World

from agent_rft_handler.facts import AGENT_RFT, CATEGORIES
from agent_rft_handler.mlflow import Fetch
from agent_rft_local import ministack_names, store
from agent_rft_local.job_run import Run

HOUR = 3600.0


@dataclass
class Account:
    """Where the commands get their clients.

    Args:
        world: The account.
        described: What DescribeJob's answer says otherwise than the local SageMaker.
        mlflow_fails: What reading from MLflow ends with, instead of an answer.
        other_clients: The clients of other services.
    """

    world: World
    described: dict[str, Any] = field(default_factory=dict)
    mlflow_fails: Exception | None = None
    other_clients: dict[str, Any] = field(default_factory=dict)

    @property
    def region_name(self) -> str:
        return REGION

    def client(self, service: str, *_operations: str) -> Any:
        ours = {"sagemaker": SageMakerTimes(self), "logs": Logs()}
        return self.other_clients.get(service) or ours[service]

    def mlflow(self, app_arn: str) -> Fetch:
        def fetch(operation: str, query: dict[str, str]) -> Any:
            if self.mlflow_fails:
                raise self.mlflow_fails
            return self.world.mlflow(app_arn)(operation, query)

        return fetch

    def submit(self, name: str = "one", **parameters: str) -> str:
        """Submits a training job of an hour; its name."""
        given = {"max_epochs": "2", "global_batch_size": "32", "group_size": "4", **parameters}
        declaration = self.world.declaration(hyperparameters=given, base_job_name=name)
        return str(self.world.deliver("Create", declaration, logical_id=name)["PhysicalResourceId"])

    def ends(self, name: str, after: float, status: str = "Failed", reason: str = "") -> None:
        """Has the job end after so many seconds."""
        store.behaviour.ends[name] = {"after": after, "status": status, "reason": reason}

    def status(self, name: str) -> str:
        return str(self.world.sagemaker.describe_job(JobName=name, JobCategory=AGENT_RFT.name)["JobStatus"])


@dataclass
class SageMakerTimes:
    """The local SageMaker with times as boto3 gives them."""

    account: Account

    def __getattr__(self, method: str) -> Any:
        operation = getattr(self.account.world.sagemaker, method)

        def call(**request: Any) -> Any:
            answer = operation(**request)
            return _timed({**answer, **self.account.described} if method == "describe_job" else answer)

        return call


def _timed(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _timed(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_timed(each) for each in value]
    is_time = name.endswith("Time") and isinstance(value, float | int)
    return datetime.datetime.fromtimestamp(value, datetime.UTC) if is_time else value


class Logs:
    """CloudWatch Logs with what the jobs have written so far: a stream for the phases, one for the steps."""

    def describe_log_streams(self, logGroupName: str, logStreamNamePrefix: str, **_more: str) -> dict[str, Any]:
        names = [name for name in self._streams(logGroupName) if name.startswith(logStreamNamePrefix)]
        return {"logStreams": [{"logStreamName": name} for name in names]}

    def get_log_events(
        self, logGroupName: str, logStreamName: str, startFromHead: bool, nextToken: str = "f/0"
    ) -> dict[str, Any]:
        assert startFromHead
        lines, start = self._streams(logGroupName)[logStreamName], int(nextToken.removeprefix("f/"))
        page = lines[start : start + 4]
        events = [{"timestamp": int(time * 1000), "message": f"{text}\n"} for time, text in page]
        return {"events": events, "nextForwardToken": f"f/{start + len(page)}"}

    def _streams(self, group: str) -> dict[str, list[tuple[float, str]]]:
        streams: dict[str, list[tuple[float, str]]] = {}
        with ministack_names.request_scope(ACCOUNT, REGION):
            for (category, name), job in store.jobs.items():
                if CATEGORIES[category].log_group_name == group:
                    lines = Run(job, store.now()).log_lines()
                    streams[f"{name}/training"] = [line for line in lines if not line[1].startswith("step")]
                    streams[f"{name}/steps"] = [line for line in lines if line[1].startswith("step")]
        if not streams:
            error: Any = {"Error": {"Code": "ResourceNotFoundException", "Message": "The group does not exist."}}
            raise ClientError(error, "DescribeLogStreams")
        return {name: lines for name, lines in streams.items() if lines}
