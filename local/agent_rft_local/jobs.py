"""Jobs: created under the quota, running by the clock, stopped and deleted."""

import json
from typing import Any

from agent_rft_handler import facts
from agent_rft_local import hub, job_document, ministack_names, model_packages, store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

TERMINAL = facts.TERMINAL_STATUSES


def create_job(request: Row, caller: str) -> Row:
    key = (request["JobCategory"], request["JobName"])
    if key in store.jobs:
        raise ServiceError("ResourceInUse", f"Job {request['JobName']} already exists.")
    document = job_document.parse(request["JobConfigDocument"])
    _require_world(document, request["RoleArn"])
    running = [job for job in store.jobs.values() if job["JobCategory"] == key[0] and _status(job) not in TERMINAL]
    if len(running) >= store.behaviour.running_jobs:
        raise ServiceError(
            "ResourceLimitExceeded",
            f"The account-level service limit 'Concurrent {key[0]} jobs' is {store.behaviour.running_jobs} Jobs, with "
            f"current utilization of {len(running)} Jobs and a request delta of 1 Jobs.",
        )
    arn = store.arn(f"job/{key[0]}/{key[1]}")
    names = ("JobName", "RoleArn", "JobCategory", "JobConfigSchemaVersion", "JobConfigDocument")
    store.jobs[key] = {
        "JobArn": arn,
        "Started": store.now(),
        "Seconds": store.behaviour.job_seconds,
        "Outcome": store.behaviour.outcome,
        "CreatedBy": caller,
        **{name: request[name] for name in names},
    }
    store.set_tags(arn, request.get("Tags"))
    return {"JobArn": arn}


def describe_job(request: Row, _caller: str) -> Row:
    job = _job(request)
    status = _status(job)
    document = json.loads(job["JobConfigDocument"])
    document["ServiceOutput"] = {"ProgressInfo": {"MaxSteps": 100, "CurrentStep": 100 if status == "Completed" else 1}}
    answer = {
        **job,
        "JobStatus": status,
        "SecondaryStatus": "Training" if status == "InProgress" else status,
        "SecondaryStatusTransitions": [{"Status": "Starting", "StartTime": job["Started"]}],
        "CreationTime": job["Started"],
        "LastModifiedTime": store.now(),
        "JobConfigDocument": json.dumps(document),
        "Tags": store.tag_list(job["JobArn"]),
    }
    if status == "Failed":
        answer["FailureReason"] = "AlgorithmError: asked to fail"
    return answer


def list_jobs(request: Row, caller: str) -> Row:
    rows = [
        describe_job(job, caller)
        for job in store.jobs.values()
        if job["JobCategory"] == request["JobCategory"] and request.get("NameContains", "") in job["JobName"]
    ]
    rows = [row for row in rows if request.get("StatusEquals", row["JobStatus"]) == row["JobStatus"]]
    key = {"Name": "JobName", "Status": "JobStatus"}.get(request.get("SortBy", ""), "CreationTime")
    rows.sort(key=lambda row: row[key], reverse=request.get("SortOrder", "Descending") == "Descending")
    return store.page(request, [{**row, "JobSecondaryStatus": row["SecondaryStatus"]} for row in rows], "JobSummaries")


def stop_job(request: Row, _caller: str) -> Row:
    job = _job(request)
    if _status(job) in TERMINAL:
        raise ServiceError("ValidationException", f"Job {request['JobName']} is not InProgress, so it cannot stop.")
    job.setdefault("StoppedAt", store.now())
    job["StopSeconds"] = store.behaviour.stop_seconds
    return {}


def delete_job(request: Row, _caller: str) -> Row:
    job = _job(request)
    if _status(job) not in TERMINAL:
        raise ServiceError("ResourceInUse", f"Job {request['JobName']} is {_status(job)}; stop it first.")
    forget(request["JobCategory"], request["JobName"])
    return {}


def forget(category: str, name: str) -> None:
    """Removes the job and its tags, whatever its state."""
    job = store.jobs.pop((category, name), None)
    if job:
        store.forget_tags(job["JobArn"])


def _job(request: Row) -> Row:
    job = store.jobs.get((request["JobCategory"], request["JobName"]))
    if job is None:
        text = f"Requested resource not found: job {request['JobName']} of category {request['JobCategory']}."
        raise ServiceError("ResourceNotFound", text)
    return job


def _status(job: Row) -> str:
    """A job's status follows from when it started and stopped."""
    if "StoppedAt" in job:
        return "Stopped" if store.now() >= job["StoppedAt"] + job["StopSeconds"] else "Stopping"
    return str(job["Outcome"]) if store.now() >= job["Started"] + job["Seconds"] else "InProgress"


def _require_world(document: dict[str, Any], role_arn: str) -> None:
    """What the document names must exist, and the role must let the service in."""
    trust = ministack_names.trust_policy(role_arn)
    if facts.JOB_PRINCIPAL not in json.dumps(trust):
        raise ServiceError(
            "ValidationException",
            f"Could not assume role {role_arn}. Please ensure that the role exists and allows principal "
            f"'{facts.JOB_PRINCIPAL}' to assume the role.",
        )
    groups = document["ModelPackageConfig"]
    output, checkpoint = (
        groups[name] for name in ("OutputModelPackageGroupArn", "IntermediateCheckpointModelPackageGroupArn")
    )
    if output == checkpoint:
        raise ServiceError("ValidationException", f"The two model package groups must differ, but both are {output}.")
    for arn in (output, checkpoint):
        model_packages.group(arn)
    app = document["TrainingConfig"]["MlflowConfig"]["MlflowResourceArn"]
    if app not in store.apps:
        raise ServiceError("ResourceNotFound", f"MlflowApp {app} does not exist.")
    hub.require_eula(document["TrainingConfig"]["BaseModelArn"], document["TrainingConfig"]["AcceptEula"])
    _require_region(document["AgentConfig"])


def _require_region(agent: dict[str, Any]) -> None:
    for child in agent.values():
        arn = next(value for name, value in child.items() if name.endswith("Arn"))
        here = ministack_names.get_region()
        if facts.region_of(arn) != here:
            raise ServiceError("ValidationException", f"The agent {arn} must be in the job's region, {here}.")
