"""What is told when a job's status changes: EventBridge has no event of SageMaker's for these jobs, so it is ours.

The members of ``detail`` have DescribeJob's names, so a rule reads like the API. Standard library only: the
constructs write rules about what the watcher sends.
"""

import json
from collections.abc import Mapping
from typing import Any

SOURCE = "cdk-agent-rft"
DETAIL_TYPE = "AgentRFT Job State Change"

LATENESS = 100
"""A job is looked at again when a hundredth of its age has passed: a change is told one per cent late at most, and a
month takes some 700 looks, where one each minute would take 43,000 and end at Step Functions' 25,000 events."""

LAG = 600.0
"""Seconds for which a job that was submitted may not be shown."""

STACK_ID, LOGICAL_ID = "StackId", "LogicalResourceId"
"""Whose job it is: of the job's own tags, empty for a job that was submitted elsewhere."""


def first_state(job_name: str, job_category: str, every: str, stack_id: str, logical_id: str) -> dict[str, str]:
    """What ``watch.look`` starts from: which job, whose it is, and that nothing of it was told yet."""
    return {
        "JobName": job_name,
        "JobCategory": job_category,
        "EverySeconds": every,
        STACK_ID: stack_id,
        LOGICAL_ID: logical_id,
        "JobStatus": "",
    }


def wait(created: float, every: float, now: float) -> int:
    """Seconds until the next look: ``every`` of them, or more when the job is old."""
    return max(1, round(max(every, (now - created) / LATENESS)))


def detail(job: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, str]:
    """The event's detail: what the job tells, what it was before, and whose it is."""
    whose = {name: state[name] for name in (STACK_ID, LOGICAL_ID)}
    return {**told(job), "PreviousJobStatus": state["JobStatus"], **whose}


def run_of(job: Mapping[str, Any]) -> tuple[str, str]:
    """The MLflow app that a job logs to and the id of its run there; empty where there is none yet.

    The SDK puts the app with the training, the API's page and evaluations with the output.
    """
    places = [(section, "MlflowConfig") for section in ("TrainingConfig", "OutputDataConfig")]
    return _in_document(job, "MlflowResourceArn", *places), _in_document(
        job, "RunId", ("ServiceOutput", "MlflowDetails")
    )


def base_model_of(job: Mapping[str, Any]) -> str:
    """The ARN of the model that a job trains or evaluates; empty where its document cannot be read."""
    return _in_document(job, "BaseModelArn", ("TrainingConfig",), ("EvaluationConfig",))


def told(job: Mapping[str, Any]) -> dict[str, str]:
    """What a job tells: texts only, none of them absent, so that a rule's input may name each."""
    return {
        "JobName": job["JobName"],
        "JobArn": job["JobArn"],
        "JobCategory": job["JobCategory"],
        "JobStatus": job["JobStatus"],
        "SecondaryStatus": job.get("SecondaryStatus", ""),
        "FailureReason": job.get("FailureReason") or "",
        "OutputModelPackageArn": _in_document(job, "OutputModelPackageArn", ("ServiceOutput",)),
        "CreationTime": _iso(job.get("CreationTime")),
        "EndTime": _iso(job.get("EndTime")),
    }


def _in_document(job: Mapping[str, Any], member: str, *places: tuple[str, ...]) -> str:
    """The member of the job's document in the first of these places that has it; empty where none does."""
    try:
        document = json.loads(job.get("JobConfigDocument") or "{}")
    except (ValueError, TypeError):
        return ""
    for place in places:
        value = document
        for name in (*place, member):
            value = value.get(name) if isinstance(value, dict) else None
        if value:
            return str(value)
    return ""


def _iso(moment: Any) -> str:
    return moment.isoformat() if moment else ""
