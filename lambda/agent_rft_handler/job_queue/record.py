"""What became of a job of a queue, and the table of all of them."""

import csv
import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from agent_rft_handler.facts import TERMINAL_STATUSES
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job_event import told
from agent_rft_handler.job_queue.queue import Row

REFUSED, GONE = "Refused", "Deleted"
"""What the table says of a job that could not be submitted, and of one that was deleted by hand while it ran."""

OVER = (*TERMINAL_STATUSES, "DeleteFailed", REFUSED, GONE)

TRIES = 3
"""How often a submission that is refused is tried again, a turn later, before the next job has its turn."""

COLUMNS = {
    "name": "name",
    "status": "status",
    "reward": "reward",
    "job_name": "job_name",
    "output_model_package_arn": "package",
    "creation_time": "created",
    "end_time": "ended",
    "failure_reason": "reason",
}
"""The table's columns before the hyperparameters, and the record's fields."""


@dataclass(frozen=True)
class Record:
    """A job of the queue as it was seen last; every value is text, empty where there is nothing."""

    name: str
    status: str = ""
    job_name: str = ""
    job_arn: str = ""
    category: str = ""
    package: str = ""
    created: str = ""
    ended: str = ""
    reason: str = ""
    reward: str = ""
    tries: str = "0"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Record":
        """The record as ``asdict`` wrote it; what is unknown is passed over."""
        names = {each.name for each in fields(cls)}
        return cls(**{"name": "", **{name: str(value) for name, value in given.items() if name in names}})

    @property
    def is_waiting(self) -> bool:
        """Whether it has no job yet."""
        return not self.status

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def is_running(self) -> bool:
        """Whether it counts against the queue's concurrency."""
        return not self.is_waiting and not self.is_over

    @property
    def is_a_failure(self) -> bool:
        return self.status in ("Failed", REFUSED)

    @property
    def created_at(self) -> float:
        """Unix time; 0 where it is not known."""
        return datetime.datetime.fromisoformat(self.created).timestamp() if self.created else 0.0

    def submitted(self, job: Job, now: float) -> "Record":
        """With its job."""
        moment = datetime.datetime.fromtimestamp(now, datetime.UTC).isoformat()
        return replace(
            self,
            status=job.status,
            job_name=job.name,
            job_arn=job.arn,
            category=job.category,
            created=moment,
            reason="",
        )

    def refused(self, reason: str) -> "Record":
        """With one more try that failed; after the last one it is over."""
        tries = int(self.tries) + 1
        return replace(self, tries=str(tries), reason=reason, status=REFUSED if tries >= TRIES else "")

    def described(self, job: Mapping[str, Any]) -> "Record":
        """With what DescribeJob says."""
        says = told(job)
        return replace(
            self,
            status=says["JobStatus"],
            reason=says["FailureReason"],
            package=says["OutputModelPackageArn"],
            created=says["CreationTime"],
            ended=says["EndTime"],
        )


def table(rows: Sequence[Row], records: Mapping[str, Record]) -> str:
    """CSV: a line for each row, a column for each hyperparameter of any of them."""
    names = sorted({name for row in rows for name in row.declaration.hyperparameters})
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow([*COLUMNS, *names])
    for row in rows:
        seen = asdict(records[row.key])
        given = row.declaration.hyperparameters
        written.writerow([*(seen[each] for each in COLUMNS.values()), *(given.get(name, "") for name in names)])
    return text.getvalue()
