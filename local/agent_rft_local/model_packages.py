"""Model package groups and model packages."""

from agent_rft_local import store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError


def create_model_package_group(request: Row, caller: str) -> Row:
    arn = store.arn(f"model-package-group/{request['ModelPackageGroupName']}")
    if arn in store.groups:
        raise ServiceError("ValidationException", f"Model Package Group already exists: {arn}")
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
    if any(package.get("ModelPackageGroupName") == arn.split("/")[1] for package in store.packages.values()):
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
    row = store.packages.get(request["ModelPackageName"])
    if row is None:
        raise ServiceError("ValidationException", f"ModelPackage {request['ModelPackageName']} does not exist.")
    return row


def group(name: str) -> Row:
    """The group by name or ARN; SageMaker declares no not-found error for groups."""
    arn = name if name.startswith("arn:") else store.arn(f"model-package-group/{name}")
    if arn not in store.groups:
        raise ServiceError("ValidationException", f"ModelPackageGroup {arn} does not exist.")
    return store.groups[arn]
