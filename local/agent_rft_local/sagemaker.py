"""SageMaker's JSON-1.1 API: checked by botocore's model, authorized by IAM, answered by the operations' modules."""

import asyncio
import functools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import botocore.session

from agent_rft_handler.facts import JOB_PRINCIPAL, PUBLIC_HUB
from agent_rft_local import (
    faults,
    job_api,
    ministack_names,
    mlflow_api,
    mlflow_apps,
    model_hub,
    model_packages,
    service_run,
    store,
    tags,
)
from agent_rft_local.ministack_names import get_account_id, get_region, iam_evaluator, request_scope
from agent_rft_local.store import Row
from agent_rft_local.store import reset as reset  # ministack looks for it here
from agent_rft_local.validation import SerializationError, ServiceError, cut, require

Answer = tuple[int, dict[str, str], bytes]
Operation = Callable[[Row, str], Row]

OPERATIONS: dict[str, Operation] = {
    "".join(part.capitalize() for part in function.__name__.split("_")): function
    for function in (
        model_hub.describe_hub_content,
        model_hub.list_hub_contents,
        job_api.create_job,
        job_api.delete_job,
        job_api.describe_job,
        job_api.list_jobs,
        job_api.stop_job,
        mlflow_apps.create_mlflow_app,
        mlflow_apps.create_presigned_mlflow_app_url,
        mlflow_apps.delete_mlflow_app,
        mlflow_apps.describe_mlflow_app,
        mlflow_apps.list_mlflow_apps,
        mlflow_apps.update_mlflow_app,
        model_packages.create_model_package_group,
        model_packages.delete_model_package,
        model_packages.delete_model_package_group,
        model_packages.delete_model_package_group_policy,
        model_packages.describe_model_package,
        model_packages.describe_model_package_group,
        model_packages.get_model_package_group_policy,
        model_packages.list_model_package_groups,
        model_packages.list_model_packages,
        model_packages.put_model_package_group_policy,
        tags.add_tags,
        tags.delete_tags,
        tags.list_tags,
    )
}

BROKEN = "x-agent-rft-broken"
"""A header that has the server break the connection in the middle of the body."""

ROLE_PASSED_TO = {"CreateJob": JOB_PRINCIPAL, "CreateMlflowApp": "sagemaker.amazonaws.com"}
"""iam:PassedToService of the operations that take a role."""


@functools.cache
def model() -> Any:
    """Botocore's model of SageMaker."""
    return botocore.session.get_session().get_service_model("sagemaker")


def call(operation: str, request: Row, caller: str = "cloudformation.amazonaws.com") -> Row:
    """Runs one operation; CloudFormation's types call it in process."""
    described = model().operation_model(operation)
    require(described.input_shape, request)
    row = {"operation": operation, "request": request, "caller": caller, "account": get_account_id(), "done": False}
    store.calls.append(row)
    answer = OPERATIONS[operation](request, caller)
    row["done"] = True
    return dict(cut(described.output_shape, answer))


async def handle(_method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Answer:
    """One HTTP request, as ministack hands it over."""
    if path.startswith(mlflow_api.PATH):
        return _mlflow(path, headers, query)
    operation = headers.get("x-amz-target", "").rpartition(".")[2]
    if headers.get("x-amz-target") == service_run.TARGET:
        allowed = _allowed(json.loads(body), ministack_names.extract_access_key_id(headers, query))
        return 200, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps(allowed).encode()
    if operation not in OPERATIONS:
        return _error(ServiceError("UnknownOperationException", f"Not implemented here: {operation}"))
    account, region = get_account_id(), get_region()
    try:
        request = json.loads(body or b"{}")
        _authorize(operation, request, ministack_names.extract_access_key_id(headers, query))
        caller = ministack_names.request_caller_arn(headers, query)
        kind = faults.before(operation, request)
        answer = call(operation, request, caller)
        if kind:
            with request_scope(account, region):
                await asyncio.to_thread(faults.after, kind)
    except (SerializationError, ValueError) as error:
        return _error(ServiceError("SerializationException", str(error)))
    except faults.ConnectionReset:
        return 200, {BROKEN: "true"}, b"{"
    except ServiceError as error:
        return _error(error)
    return 200, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps(answer).encode()


def _mlflow(path: str, headers: dict[str, str], query: dict[str, Any]) -> Answer:
    """A read of an MLflow app, which IAM must let the caller make."""
    app_arn, action = headers.get(mlflow_api.APP_HEADER, ""), mlflow_api.action(path)
    if not action:
        return _error(ServiceError("UnknownOperationException", f"Not implemented here: {path}"))
    try:
        faults.before(action.partition(":")[2], {})
        needs: list[tuple[str, str, Row]] = [(each, app_arn, {}) for each in ("sagemaker:CallMlflowAppApi", action)]
        _require(needs, ministack_names.extract_access_key_id(headers, query))
    except ServiceError as error:
        return _error(error)
    status, body = mlflow_api.answer(path, app_arn, {name: values[0] for name, values in query.items()})
    return status, {"Content-Type": "application/json"}, body


def _allowed(needs: list[Row], access_key: str) -> list[bool]:
    """For each need of a service run, whether IAM lets the caller."""
    return [
        iam_evaluator.enforce(
            access_key,
            need["action"],
            need["action"].partition(":")[0],
            get_region(),
            resource_arn=need["resource"],
            service_context=need["context"],
        )
        is None
        for need in needs
    ]


def _authorize(operation: str, request: Row, access_key: str) -> None:
    """The caller's policies: the action, the tags it sets, and the role it passes."""
    _require(_needed(operation, request), access_key)


def _require(needs: Iterable[tuple[str, str, Row]], access_key: str) -> None:
    """Raises for the first action that IAM does not let the caller take."""
    if not ministack_names.auth_is_on():
        return
    for action, resource, context in needs:
        service = action.partition(":")[0]
        denied = iam_evaluator.enforce(
            access_key, action, service, get_region(), resource_arn=resource, service_context=context
        )
        if isinstance(denied, ministack_names.AuthError):
            raise ServiceError(denied.code, denied.message, 403)
        if denied is not None:
            why = (
                "with an explicit deny in"
                if denied.decision == "Deny"
                else "because no identity-based policy allows it in"
            )
            raise ServiceError(
                "AccessDeniedException",
                f"User: {denied.principal_arn} is not authorized to perform: {action} on resource: {resource} {why} "
                "its policies",
            )


def _needed(operation: str, request: Row) -> Iterator[tuple[str, str, Row]]:
    set_tags = request.get("Tags") or []
    context: Row = {f"aws:requesttag/{tag['Key'].lower()}": tag["Value"] for tag in set_tags}
    if keys := [tag["Key"] for tag in set_tags] or request.get("TagKeys"):
        context["aws:tagkeys"] = keys
    resource = _resource(operation, request)
    lag = store.behaviour.tags_lag
    context |= {f"aws:resourcetag/{key.lower()}": value for key, value in store.tags_of(resource, lag=lag).items()}
    yield f"sagemaker:{operation}", resource, context
    if operation == "DescribeHubContent":  # the Service Authorization Reference lists both as required
        yield f"sagemaker:{operation}", _hub_arn(request), context
    if set_tags and operation.startswith("Create"):
        yield "sagemaker:AddTags", resource, context
    if operation == "CreateJob":
        yield from _grants_on_key(request)
    if operation in ROLE_PASSED_TO:
        yield "iam:PassRole", request["RoleArn"], {"iam:passedtoservice": ROLE_PASSED_TO[operation]}


def _grants_on_key(request: Row) -> Iterator[tuple[str, str, Row]]:
    """The service makes grants on the output's key with the caller's credentials."""
    try:
        key = json.loads(request["JobConfigDocument"])["OutputDataConfig"]["KmsKeyArn"]
    except (ValueError, LookupError, TypeError):
        return
    via: Row = {"kms:viaservice": f"sagemaker.{get_region()}.amazonaws.com"}
    yield "kms:DescribeKey", key, via
    yield "kms:CreateGrant", key, {**via, "kms:grantisforawsresource": "true"}


def _resource(operation: str, request: Row) -> str:
    """The ARN on which the Service Authorization Reference has the action checked, or ``*``."""
    if operation == "ListModelPackages" and "ModelPackageGroupName" in request:
        return store.arn(f"model-package/{request['ModelPackageGroupName'].rsplit('/', 1)[-1]}/*")
    if operation.startswith("List") and "HubName" not in request and "ResourceArn" not in request:
        return "*"
    if "JobName" in request:
        return store.arn(f"job/{request.get('JobCategory', '*')}/{request['JobName']}")
    for name in ("ModelPackageGroupName", "ModelPackageName"):
        if name in request:
            kind = "model-package-group" if name.endswith("GroupName") else "model-package"
            return request[name] if request[name].startswith("arn:") else store.arn(f"{kind}/{request[name]}")
    if "HubName" in request:
        return _hub_resource(operation, request)
    return str(request.get("Arn") or request.get("ResourceArn") or "*")


def _hub_resource(operation: str, request: Row) -> str:
    hub_arn = _hub_arn(request)
    if operation.startswith("List"):
        return hub_arn
    content = hub_arn.replace(":hub/", ":hub-content/")
    return f"{content}/{request['HubContentType']}/{request['HubContentName']}"


def _hub_arn(request: Row) -> str:
    name = request["HubName"].rsplit("/", 1)[-1]
    owner = "aws" if name == PUBLIC_HUB else get_account_id()
    return f"arn:aws:sagemaker:{get_region()}:{owner}:hub/{name}"


def _error(error: ServiceError) -> Answer:
    body = json.dumps({"__type": error.code, "message": error.message}).encode()
    return error.status, {"Content-Type": "application/x-amz-json-1.1"}, body
