"""Every name of ministack that we use; several are private, so ministack is pinned and a test asks for each."""

import sys
import uuid
from collections.abc import Callable
from typing import Any

from ministack import app
from ministack.core import iam_actions, iam_evaluator, lambda_runtime, responses, router, sigv4
from ministack.core.concurrency import run_reentrant
from ministack.core.iam_evaluator import AuthError, CredentialResolutionError, ResolvedCredential, request_caller_arn
from ministack.core.responses import AccountRegionScopedDict, get_account_id, get_region, now_iso, request_scope
from ministack.core.router import extract_access_key_id
from ministack.services import iam, lambda_svc, s3, stepfunctions, sts
from ministack.services.cloudformation import (
    _exports,
    _stack_events,
    _stacks,
    changesets,
    custom_resource,
    provisioners,
    stacks,
    wait_conditions,
)
from ministack.services.cloudformation import handlers as cloudformation_handlers

__all__ = [
    "AccountRegionScopedDict",
    "AuthError",
    "CredentialResolutionError",
    "ResolvedCredential",
    "app",
    "changesets",
    "cloudformation_handlers",
    "custom_resource",
    "extract_access_key_id",
    "get_account_id",
    "get_region",
    "iam",
    "iam_actions",
    "iam_evaluator",
    "lambda_runtime",
    "lambda_svc",
    "now_iso",
    "provisioners",
    "request_caller_arn",
    "request_scope",
    "router",
    "run_reentrant",
    "s3",
    "sigv4",
    "stacks",
    "stepfunctions",
    "sts",
    "wait_conditions",
]

Response = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


def asgi_app() -> Any:
    """Ministack's ASGI application."""
    return app.app


def add_service(name: str, target: str, handle: Callable[..., Any], module: Any) -> None:
    """Routes ``X-Amz-Target: <target>*`` to ``handle``; ``module.reset`` runs on a reset."""
    router.SERVICE_PATTERNS.setdefault(name, {"target_prefixes": [f"{target}."]})
    app.SERVICE_HANDLERS[name] = handle
    app.SERVICE_REGISTRY[name] = {"module": name}
    sys.modules.setdefault(f"ministack.services.{name}", module)


def handler_of(service: str) -> Callable[..., Any]:
    """What answers a service's requests."""
    found: Callable[..., Any] = app.SERVICE_HANDLERS[service]
    return found


def set_handler(service: str, handle: Callable[..., Any]) -> None:
    """Has ``handle`` answer a service's requests."""
    app.SERVICE_HANDLERS[service] = handle


def add_type(name: str, handlers: dict[str, Any], create_only: tuple[str, ...], tag_property: str) -> None:
    """Adds a CloudFormation resource type; ``tag_property`` is empty where CloudFormation sets no system tags."""
    provisioners._RESOURCE_HANDLERS[name] = handlers
    provisioners._REPLACING_PROPERTIES[name] = create_only
    if tag_property:
        provisioners._STACK_TAG_PROPERTY[name] = (tag_property, "list")


def add_import(name: str, identifier: str, problem: Callable[[str], str | None]) -> None:
    """Lets `cdk import` find a resource of the type."""
    changesets._IMPORT_LOOKUPS[name] = ((identifier,), problem)


def auth_is_on() -> bool:
    return bool(app.AUTH)


def stack(name: str | None) -> dict[str, Any]:
    """The stack's record, in which its engine keeps everything; empty where there is none."""
    return _stacks.get(name) or {} if name else {}


def every_stack() -> dict[str, dict[str, Any]]:
    """Every stack of the account and region by its name."""
    return dict(_stacks.items())


def exports() -> dict[str, dict[str, Any]]:
    """Every export of the account and region by its name."""
    return dict(_exports.items())


def is_cancelled(record: dict[str, Any]) -> bool:
    """Whether the stack is being deleted, or its update was cancelled; then it goes back from now on."""
    if record.pop("_cancel_requested", False):
        record["StackStatus"] = "UPDATE_ROLLBACK_IN_PROGRESS"
        return True
    return str(record.get("StackStatus", "")).startswith("DELETE")


def forget_last_event(record: dict[str, Any]) -> None:
    """Takes back the stack's last event."""
    _stack_events[record["StackId"]].pop()


def is_custom(resource_type: str) -> bool:
    """Whether a function of the user's answers for the type."""
    return resource_type.startswith("Custom::") or resource_type == "AWS::CloudFormation::CustomResource"


def require_function(arn: object) -> Any:
    """The function's record, as Lambda runs it."""
    record, configuration, _ = lambda_svc._get_func_record_for_ref(arn)
    if record is None or configuration is None:
        raise ValueError(f"ServiceToken {arn} must name a function that exists.")
    return lambda_svc._execution_record_for_config(record, configuration)


def invoke_asynchronously(function: str, event: dict[str, Any], retry_seconds: float) -> None:
    """Lambda's asynchronous invocation: twice again after a failure, ``retry_seconds`` and twice that later."""
    lambda_svc._LAMBDA_ASYNC_RETRY_BASE_SECONDS = retry_seconds
    lambda_svc._LAMBDA_ASYNC_RETRY_MAX_SECONDS = 2 * retry_seconds
    lambda_svc.invoke_async_with_retry(require_function(function), event)


def role(name: str) -> dict[str, Any] | None:
    """The role's record in the calling account."""
    found: dict[str, Any] | None = iam._roles.get(name)
    return found


def role_session(role_arn: str, name: str) -> dict[str, str]:
    """Keys of a session of the role, as a service that assumed it holds them."""
    access_key, secret, token = f"ASIA{uuid.uuid4().hex[:16].upper()}", uuid.uuid4().hex, uuid.uuid4().hex
    role = role_arn.rsplit("/", 1)[-1]
    sts.register_session(
        access_key,
        {
            "Arn": f"arn:aws:sts::{get_account_id()}:assumed-role/{role}/{name}",
            "UserId": f"{role}:{name}",
            "SecretAccessKey": secret,
            "SessionToken": token,
        },
    )
    return {"AccessKeyId": access_key, "SecretAccessKey": secret, "SessionToken": token}


def credential(access_key_id: str, token: str) -> Any:
    """The key as ministack knows it, with its secret: a ResolvedCredential, or a CredentialResolutionError."""
    responses.set_request_account_id(app._request_account_scope(access_key_id))
    return iam_evaluator.resolve_credential(access_key_id, get_account_id(), token)


def sigv2_failure(key_id: str, method: str, path: str, query: Any, headers: dict[str, str]) -> tuple[str, str] | None:
    """Why the request is not rightly signed by S3's first signature, or None when it is."""
    request = iam_evaluator.SignedRequest(key_id, method, path, query, headers, sigv2=True, auth_path=path)
    checked = iam_evaluator._sigv2_check(request, get_account_id())
    return (checked.code, checked.message) if isinstance(checked, AuthError) else None


def refusal(code: str, message: str, method: str, path: str, headers: dict[str, str], query: Any) -> Response:
    """An error as the service that the request is for words it."""
    service = router.detect_service(method, path, headers, query)
    answer: Response = iam_actions.access_denied_response(
        service, "", "", str(uuid.uuid4()), error_code=code, message=message, headers=headers
    )
    return answer


def presign_answers(presigned: Callable[[str], str]) -> None:
    """Has CloudFormation hand out signed URLs, as AWS does, to which functions and instances answer."""
    response_url, handle_url = custom_resource._response_url, wait_conditions.handle_url
    custom_resource._response_url = lambda token: presigned(response_url(token))
    wait_conditions.handle_url = lambda token: presigned(handle_url(token))


def randomize_function_keys() -> None:
    """Makes the functions' session keys random; ministack derives them from ARNs, which everybody can know."""

    def execution_credentials(config: dict[str, Any]) -> dict[str, str]:
        _, _, _, region, account, *_ = config["FunctionArn"].split(":")
        with request_scope(account, region):
            keys = role_session(config["Role"], config["FunctionName"][:64])
        return {
            "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
            "AWS_SESSION_TOKEN": keys["SessionToken"],
        }

    lambda_runtime.execution_credentials = execution_credentials
    lambda_svc.execution_credentials = execution_credentials


def add_role(name: str, trust: object) -> None:
    """Puts a role into the calling account, for tests that run without a server."""
    arn = f"arn:aws:iam::{get_account_id()}:role/{name}"
    iam._roles[name] = {"RoleName": name, "Arn": arn, "AssumeRolePolicyDocument": trust}
