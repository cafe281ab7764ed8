"""Model package groups, and the packages that jobs put into them: noted when somebody next looks."""

from collections.abc import Iterator

from agent_rft_local import store, tags
from agent_rft_local.job_run import Run
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

OUTPUT = "Output"
"""A job's member with the package that it has put in at its end, or nothing; with it, nothing more comes of the job."""

NO_GROUP = ""
"""Where a job that ended before its first step puts its model."""


def create_model_package_group(request: Row, caller: str) -> Row:
    arn = store.arn(f"model-package-group/{request['ModelPackageGroupName']}")
    if arn in store.groups:
        raise ServiceError("ValidationException", f"Model Package Group already exists: {arn}")
    tags.require(request.get("Tags") or [], caller)
    if len(store.groups) >= store.behaviour.model_package_groups:
        raise ServiceError(
            "ResourceLimitExceeded",
            f"The account-level service limit 'Model package groups' is {store.behaviour.model_package_groups}.",
        )
    store.groups[arn] = {
        "ModelPackageGroupArn": arn,
        "CreationTime": store.now(),
        "CreatedBy": {"IamIdentity": {"Arn": caller, "PrincipalId": caller}},
        "ModelPackageGroupStatus": "Completed",
        **{name: value for name, value in request.items() if name != "Tags"},
    }
    store.set_tags(arn, request.get("Tags"))
    return {"ModelPackageGroupArn": arn}


def describe_model_package_group(request: Row, _caller: str) -> Row:
    return group(request["ModelPackageGroupName"])


def delete_model_package_group(request: Row, _caller: str) -> Row:
    arn = group(request["ModelPackageGroupName"])["ModelPackageGroupArn"]
    if _of_group(arn):
        raise ServiceError("ConflictException", f"ModelPackageGroup {arn} holds model packages; delete them first.")
    store.groups.pop(arn)
    store.forget_tags(arn)
    return {}


def list_model_package_groups(request: Row, _caller: str) -> Row:
    rows = [row for row in store.groups.values() if request.get("NameContains", "") in row["ModelPackageGroupName"]]
    return store.page(request, rows, "ModelPackageGroupSummaryList")


def put_model_package_group_policy(request: Row, _caller: str) -> Row:
    row = group(request["ModelPackageGroupName"])
    row["ResourcePolicy"] = request["ResourcePolicy"]
    return row


def get_model_package_group_policy(request: Row, _caller: str) -> Row:
    row = group(request["ModelPackageGroupName"])
    if "ResourcePolicy" not in row:
        raise ServiceError("ValidationException", f"Cannot find resource policy for: {row['ModelPackageGroupArn']}.")
    return row


def delete_model_package_group_policy(request: Row, _caller: str) -> Row:
    group(request["ModelPackageGroupName"]).pop("ResourcePolicy", None)
    return {}


def describe_model_package(request: Row, _caller: str) -> Row:
    _register()
    row = store.packages.get(request["ModelPackageName"])
    if row is None:
        raise ServiceError("ValidationException", f"ModelPackage {request['ModelPackageName']} does not exist.")
    return row


def list_model_packages(request: Row, _caller: str) -> Row:
    wanted = request.get("ModelPackageGroupName")
    rows = _of_group(group(wanted)["ModelPackageGroupArn"]) if wanted else list(store.packages.values())
    rows.sort(key=lambda row: row.get("CreationTime", 0), reverse=request.get("SortOrder") == "Descending")
    return store.page(request, rows, "ModelPackageSummaryList")


def seed(package: Row) -> Row:
    """Puts in a package that no job made: a completed one of the group that its ARN names, but for what is given."""
    arn = package["ModelPackageArn"]
    group_name, version = arn.split("/")[1:]
    known = {
        "ModelPackageGroupName": group_name,
        "ModelPackageVersion": int(version),
        "CreationTime": store.now(),
        "ModelPackageStatus": "Completed",
    }
    store.packages[arn] = {**known, **package}
    return {}


def delete_model_package(request: Row, caller: str) -> Row:
    row = describe_model_package(request, caller)
    store.packages.pop(row["ModelPackageArn"])
    return {}


def tuned_by(run: Run) -> str:
    """The package that a job has put into its output group; empty while there is none."""
    if not run.is_training or not run.has_ended:
        return ""
    job = store.jobs[run.job["JobCategory"], run.job["JobName"]]
    if OUTPUT not in job:
        _register()
    return str(job[OUTPUT])


def _of_group(arn: str) -> list[Row]:
    _register()
    return [row for row in store.packages.values() if row.get("ModelPackageGroupName") == arn.split("/")[1]]


def _register() -> None:
    """Puts what jobs have made since into their groups, in the order of time."""
    runs = [Run(job, store.now()) for job in store.jobs.values() if OUTPUT not in job]
    made = [each for run in runs if run.is_training for each in _made(run)]
    for time, job, group_arn, is_checkpoint in sorted(made, key=lambda each: each[0]):
        arn = ""
        if row := store.groups.get(group_arn):  # may be deleted under the job; what happens then is not known
            arn = _next_arn(row)
            store.packages[arn] = _package(arn, row["Versions"], Run(job, time), is_checkpoint)
        job["Checkpoints" if is_checkpoint else OUTPUT] = job.get("Checkpoints", 0) + 1 if is_checkpoint else arn


def _next_arn(row: Row) -> str:
    """The group's next version that no seeded package has."""
    prefix = row["ModelPackageGroupArn"].replace(":model-package-group/", ":model-package/")
    while True:
        row["Versions"] = row.get("Versions", 0) + 1
        if (arn := f"{prefix}/{row['Versions']}") not in store.packages:
            return arn


def _made(run: Run) -> Iterator[tuple[float, Row, str, bool]]:
    """Each checkpoint, and at the end the model; the last checkpoint's where the job did not complete."""
    groups = run.document["ModelPackageConfig"]
    for step in range(run.job.get("Checkpoints", 0) + 1, run.step + 1):
        yield run.time_of(step), run.job, groups["IntermediateCheckpointModelPackageGroupArn"], True
    if run.has_ended:
        yield run.ending.time, run.job, groups["OutputModelPackageGroupArn"] if run.step else NO_GROUP, False


def _package(arn: str, version: int, run: Run, is_checkpoint: bool) -> Row:
    model = run.document["TrainingConfig"]["BaseModelArn"].partition(":hub-content/")[2].split("/")
    base = {"HubContentName": model[2], **({"HubContentVersion": model[3]} if len(model) > 3 else {})}
    return {
        "ModelPackageName": arn.rsplit("/", 2)[1],
        "ModelPackageGroupName": arn.rsplit("/", 2)[1],
        "ModelPackageVersion": version,
        "ModelPackageArn": arn,
        "CreationTime": run.time,
        "ModelPackageStatus": "Completed",
        "ModelPackageStatusDetails": {"ValidationStatuses": []},
        "ModelApprovalStatus": "PendingManualApproval",
        "InferenceSpecification": {"Containers": [{"IsCheckpoint": is_checkpoint, "BaseModel": base}]},
    }


def group(name: str) -> Row:
    """The group by name or ARN; SageMaker declares no not-found error for groups."""
    arn = name if name.startswith("arn:") else store.arn(f"model-package-group/{name}")
    if arn not in store.groups:
        raise ServiceError("ValidationException", f"ModelPackageGroup {arn} does not exist.")
    return store.groups[arn]
