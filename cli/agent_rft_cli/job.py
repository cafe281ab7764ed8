"""A job as DescribeJob gives it, with what its document says of it."""

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent_rft_cli.progress import Progress
from agent_rft_cli.text import snake
from agent_rft_handler import facts
from agent_rft_handler.job_event import run_of

ENDED = (*facts.TERMINAL_STATUSES, "DeleteFailed")
"""JobStatus of a job that runs no more; one whose deletion failed is not running either."""


@dataclass(frozen=True)
class Transition:
    """One secondary status that the job was in.

    Args:
        status: The secondary status.
        started: Since when.
        ended: Until when; None while it lasts, or where nothing says so.
        message: The service's words.
    """

    status: str
    started: datetime.datetime
    ended: datetime.datetime | None
    message: str


@dataclass(frozen=True)
class Job:
    """A job at one time.

    Args:
        described: DescribeJob's answer.
    """

    described: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.described["JobName"])

    @property
    def arn(self) -> str:
        return str(self.described["JobArn"])

    @property
    def category(self) -> str:
        return str(self.described["JobCategory"])

    @property
    def status(self) -> str:
        """JobStatus."""
        return str(self.described["JobStatus"])

    @property
    def secondary_status(self) -> str:
        """SecondaryStatus, which may be one that nobody has heard of [botocore: it may change]."""
        return str(self.described["SecondaryStatus"])

    @property
    def is_over(self) -> bool:
        return self.status in ENDED

    @property
    def is_complete(self) -> bool:
        return self.status == "Completed"

    @property
    def created(self) -> datetime.datetime:
        created: datetime.datetime = self.described["CreationTime"]
        return created

    @property
    def ended(self) -> datetime.datetime | None:
        return self.described.get("EndTime")

    @property
    def failure_reason(self) -> str:
        return str(self.described.get("FailureReason") or "")

    @cached_property
    def document(self) -> dict[str, Any]:
        """JobConfigDocument; empty where there is none that can be read."""
        try:
            read = json.loads(self.described.get("JobConfigDocument") or "{}")
        except ValueError:
            return {}
        return read if isinstance(read, dict) else {}

    @property
    def output(self) -> dict[str, Any]:
        """ServiceOutput, what the service adds to the document."""
        return dict(self.document.get("ServiceOutput") or {})

    @property
    def progress(self) -> Progress | None:
        return Progress.of(self.output.get("ProgressInfo") or {})

    @property
    def tokens(self) -> dict[str, int]:
        """BillableTokenUsage by its members' first word: train, prefill and sample, and whatever else there is."""
        usage = self.output.get("BillableTokenUsage") or {}
        return {snake(name).removesuffix("_token_count"): count for name, count in usage.items()}

    @property
    def mlflow_app(self) -> str:
        """The MLflow app's ARN; empty where the job logs to none."""
        return run_of(self.described)[0]

    @property
    def mlflow_details(self) -> dict[str, Any]:
        """MlflowDetails: names and ids of experiment and run."""
        return dict(self.output.get("MlflowDetails") or {})

    @property
    def transitions(self) -> list[Transition]:
        """Each secondary status so far; where the service gives no end, the next one's start is it."""
        rows = self.described["SecondaryStatusTransitions"]
        ends = [*(row["StartTime"] for row in rows[1:]), self.ended]
        return [
            Transition(row["Status"], row["StartTime"], row.get("EndTime") or end, row.get("StatusMessage") or "")
            for row, end in zip(rows, ends, strict=False)
        ]

    def row(self) -> dict[str, Any]:
        """What JSON holds of it."""
        progress = self.progress
        fraction = {"fraction": progress.fraction(is_complete=self.is_complete)} if progress else {}
        return {
            "name": self.name,
            "arn": self.arn,
            "category": self.category,
            "status": self.status,
            "secondary_status": self.secondary_status,
            "created": self.created,
            "ended": self.ended,
            "failure_reason": self.failure_reason or None,
            "transitions": [vars(each) for each in self.transitions],
            "progress": {**vars(progress), **fraction} if progress else None,
            "rollouts": {snake(name): count for name, count in (self.output.get("RolloutInfo") or {}).items()} or None,
            "tokens_billed": self.tokens or None,
            "evaluation_metrics": self.output.get("EvaluationMetrics"),
            "output_model_package_arn": self.output.get("OutputModelPackageArn"),
            "mlflow": {snake(name): value for name, value in self.mlflow_details.items()} or None,
        }
