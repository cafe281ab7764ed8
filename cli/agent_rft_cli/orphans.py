"""Jobs that run although the stack that submitted them is gone, or no longer knows them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from agent_rft_cli.aws import Clients
from agent_rft_cli.question import says_yes
from agent_rft_handler import stack
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job_queue.queue import PHYSICAL_ID
from agent_rft_handler.stack import Status
from agent_rft_handler.tags import is_of_an_execution, tags_of


@dataclass(frozen=True)
class Account:
    """The clients that reading jobs and stacks takes."""

    sagemaker: Any
    cloudformation: Any
    agentcore: Any = None
    s3: Any = None
    stepfunctions: Any = None
    mlflow: Any = None

    @classmethod
    def of(cls, clients: Clients) -> "Account":
        """The account that the command reads."""
        return cls(clients.client("sagemaker", "ListJobs", "ListTags", "StopJob"), clients.client("cloudformation"))


def among(rows: Iterable[dict[str, Any]], account: Account) -> Iterator[tuple[dict[str, Any], str]]:
    """Those of the listed jobs that are orphans, each with why; jobs of other tools never are."""
    for row in rows:
        if row["JobStatus"] == "InProgress" and (why := _why(row, account)):
            yield row, why


def stop(row: dict[str, Any], why: str, account: Account) -> bool:
    """Asks on the terminal whether to stop the job; whether it was stopped."""
    if not says_yes(f"Stop {row['JobName']}? {why}"):
        return False
    account.sagemaker.stop_job(JobName=row["JobName"], JobCategory=row["JobCategory"])
    return True


def _why(row: dict[str, Any], account: Account) -> str:
    tags = tags_of(row["JobArn"], account)
    stack_id, logical_id = tags.get(OWN_TAGS["stack"], ""), tags.get(OWN_TAGS["resource"], "")
    if not stack_id or not logical_id or is_of_an_execution(logical_id):  # an execution stops its own
        return ""
    status = stack.status(stack_id, account)
    known = "" if _is_gone(status) else stack.known_id(stack_id, logical_id, account)
    if _is_gone(status):
        return f"Its stack is {status.name}: {stack_id}."
    if re.fullmatch(PHYSICAL_ID, known):  # a queue stops its own
        return ""
    if known == row["JobName"] or not status.is_resting:
        return ""  # in the middle of a deployment, the job before and the job to come are both meant
    return f"Its stack knows {logical_id} as {known or 'nothing'}: {stack_id}."


def _is_gone(status: Status) -> bool:
    return status.name == "DELETE_COMPLETE"
