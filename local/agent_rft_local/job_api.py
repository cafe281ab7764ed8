"""Jobs: created under the quota, running by the clock, stopped and deleted."""

import json
from typing import Any

from agent_rft_handler import facts
from agent_rft_local import job_document, ministack_names, model_hub, model_packages, roles, store, tags
from agent_rft_local.job_run import Run
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

NAMES = ("JobName", "RoleArn", "JobCategory", "JobConfigSchemaVersion", "JobConfigDocument")


def create_job(request: Row, caller: str) -> Row:
    key = (request["JobCategory"], request["JobName"])
    if key in store.jobs:
        raise ServiceError("ResourceInUse", f"Job {request['JobName']} already exists.")
    document = job_document.parse(request["JobConfigDocument"], key[0])
    tags.require(request.get("Tags") or [], caller)
    _require_world(document, request["RoleArn"], key[0])
    _require_quota(key[0])
    arn, behaviour = store.arn(f"job/{key[0]}/{key[1]}"), store.behaviour
    store.jobs[key] = {
        "JobArn": arn,
        "Started": store.now(),
        "Seconds": behaviour.job_seconds,
        "StepsPerEpoch": behaviour.steps_per_epoch,
        "Outcome": behaviour.outcome,
        "FailureReason": behaviour.failure_reason,
        "CreatedBy": caller,
        **{name: request[name] for name in NAMES},
    }
    store.set_tags(arn, request.get("Tags"))
    return {"JobArn": arn}


def describe_job(request: Row, _caller: str) -> Row:
    run = _seen(request, store.now() - store.behaviour.describe_job_lag)
    return _described(run) | ({"Tags": store.tag_list(run.job["JobArn"])} if store.behaviour.describe_job_tags else {})


def list_jobs(request: Row, _caller: str) -> Row:
    time = store.now() - store.behaviour.list_jobs_lag
    jobs = [job for job in [*store.jobs.values(), *store.deleted_jobs.values()] if _is_named(job, request)]
    rows = [_summary(run) for job in jobs if (run := _at(job, time))]
    rows = [row for row in rows if _is_asked_for(row, request)]
    key = {"Name": "JobName", "Status": "JobStatus"}.get(request.get("SortBy", ""), "CreationTime")
    rows.sort(key=lambda row: row[key], reverse=request.get("SortOrder", "Descending") == "Descending")
    return store.page(request, [{**row, "JobSecondaryStatus": row["SecondaryStatus"]} for row in rows], "JobSummaries")


def stop_job(request: Row, _caller: str) -> Row:
    run = _seen(request, store.now())
    if run.has_ended:
        raise ServiceError("ValidationException", f"Job {request['JobName']} is not InProgress, so it cannot stop.")
    run.job.setdefault("StoppedAt", store.now())
    run.job.setdefault("StopSeconds", store.behaviour.stop_seconds)
    return {}


def delete_job(request: Row, _caller: str) -> Row:
    run = _seen(request, store.now())
    if not run.has_ended:
        raise ServiceError("ResourceInUse", f"Job {request['JobName']} is {run.status}; stop it first.")
    forget(request["JobCategory"], request["JobName"])
    return {}


def stop_all() -> None:
    """Ends every job of every account and region at once, also one that is Stopping already."""
    for job in store.jobs.all_values():  # type: ignore[attr-defined]
        if not Run(job, store.now()).has_ended:
            job.update(StoppedAt=store.now(), StopSeconds=0)


def forget(category: str, name: str) -> None:
    """Removes the job and its tags, whatever its state."""
    job = store.jobs.pop((category, name), None)
    if job:
        store.deleted_jobs[store.next_id()] = {**job, "DeletedAt": store.now()}
        store.forget_tags(job["JobArn"])


def _at(job: Row, time: float) -> Run | None:
    """The job as whoever lags behind sees it; nothing before it was made and after it was deleted."""
    if not job["Started"] <= time < job.get("DeletedAt", float("inf")):
        return None
    return Run(job if job.get("StoppedAt", time) <= time else {k: v for k, v in job.items() if k != "StoppedAt"}, time)


def _seen(request: Row, time: float) -> Run:
    job = store.jobs.get((request["JobCategory"], request["JobName"]))
    run = job and _at(job, time)
    if not run:
        text = f"Requested resource not found: job {request['JobName']} of category {request['JobCategory']}."
        raise ServiceError("ResourceNotFound", text)
    return run


def _described(run: Run) -> Row:
    package = model_packages.tuned_by(run)
    output = {**run.service_output(), **({"OutputModelPackageArn": package} if package else {})}
    return {
        **{name: run.job[name] for name in NAMES},
        **_summary(run),
        "SecondaryStatusTransitions": run.transitions,
        "JobConfigDocument": json.dumps({**run.document, "ServiceOutput": output}),
        **({"FailureReason": run.ending.reason} if run.status == "Failed" else {}),
    }


def _summary(run: Run) -> Row:
    return {
        **{name: run.job[name] for name in ("JobName", "JobCategory", "JobArn")},
        "JobStatus": run.status,
        "SecondaryStatus": run.transitions[-1]["Status"],
        "CreationTime": run.job["Started"],
        "LastModifiedTime": min(run.time, run.ending.time),
        **({"EndTime": run.ending.time} if run.has_ended else {}),
    }


def _is_named(job: Row, request: Row) -> bool:
    return bool(job["JobCategory"] == request["JobCategory"] and request.get("NameContains", "") in job["JobName"])


def _is_asked_for(row: Row, request: Row) -> bool:
    created, modified = row["CreationTime"], row["LastModifiedTime"]
    return bool(
        request.get("StatusEquals", row["JobStatus"]) == row["JobStatus"]
        and request.get("CreationTimeAfter", 0) <= created <= request.get("CreationTimeBefore", float("inf"))
        and request.get("LastModifiedTimeAfter", 0) <= modified <= request.get("LastModifiedTimeBefore", float("inf"))
    )


def _require_quota(category: str) -> None:
    running = [job for job in store.jobs.values() if job["JobCategory"] == category]
    used, limit = sum(not Run(job, store.now()).has_ended for job in running), store.behaviour.running_jobs
    if used >= limit:
        raise ServiceError(
            "ResourceLimitExceeded",
            f"The account-level service limit 'Concurrent {category} jobs' is {limit} Jobs, with "
            f"current utilization of {used} Jobs and a request delta of 1 Jobs.",
        )


def _require_world(document: dict[str, Any], role_arn: str, category: str) -> None:
    """What the document names must exist, and the role must let the service in."""
    seen, says_account = store.now() - store.behaviour.role_lag, store.behaviour.source_account
    if problem := roles.assume_problem(role_arn, facts.JOB_PRINCIPAL, seen=seen, says_account=says_account):
        raise ServiceError(
            "ValidationException",
            f"Could not assume role {role_arn}. Please ensure that the role exists and allows principal "
            f"'{facts.JOB_PRINCIPAL}' to assume the role. ({problem})",
        )
    is_training = category == facts.AGENT_RFT.name
    _require_packages(document.get("ModelPackageConfig", {}))
    config = document["TrainingConfig" if is_training else "EvaluationConfig"]
    app = (config if is_training else document["OutputDataConfig"]).get("MlflowConfig", {}).get("MlflowResourceArn")
    if app and app not in store.apps:
        raise ServiceError("ResourceNotFound", f"MlflowApp {app} does not exist.")
    model_hub.require_eula(config["BaseModelArn"], config["AcceptEula"])
    _require_region(document["AgentConfig"])


def _require_packages(config: dict[str, str]) -> None:
    groups = [arn for name, arn in config.items() if name.endswith("GroupArn")]
    if len(groups) > len(set(groups)):
        text = f"The two model package groups must differ, but both are {groups[0]}."
        raise ServiceError("ValidationException", text)
    for arn in groups:
        model_packages.group(arn)


def _require_region(agent: dict[str, Any]) -> None:
    for child in agent.values():
        arn = next(value for name, value in child.items() if name.endswith("Arn"))
        here = ministack_names.get_region()
        if facts.region_of(arn) != here:
            raise ServiceError("ValidationException", f"The agent {arn} must be in the job's region, {here}.")
