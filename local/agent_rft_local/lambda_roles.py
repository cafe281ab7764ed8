"""Lambda refuses a function whose role it cannot assume, or that may not make network interfaces in its VPC."""

import functools
from collections.abc import Callable
from typing import Any

from agent_rft_local import ministack_names, roles
from agent_rft_local.ministack_names import lambda_svc
from agent_rft_local.store import Row

SERVICE = "lambda.amazonaws.com"
INTERFACES = ("ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface")
"""[AWS docs: Lambda, configuration-vpc: execution role permissions]"""


def install() -> None:
    """Stands before the API's operation and before CloudFormation's type."""
    lambda_svc._create_function = functools.partial(_through_the_api, lambda_svc._create_function)
    type_of = ministack_names.provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]
    type_of["create"] = functools.partial(_creating, type_of["create"])
    type_of["update"] = functools.partial(_updating, type_of["update"])


def problem(properties: Row) -> str:
    """Why Lambda does not take the function; empty when it does."""
    role = str(properties.get("Role", ""))
    if roles.assume_problem(role, SERVICE):
        return "The role defined for the function cannot be assumed by Lambda."
    if (properties.get("VpcConfig") or {}).get("SubnetIds"):
        for action in INTERFACES:
            if not roles.allows(role, action):
                called = action.partition(":")[2]
                return f"The provided execution role does not have permissions to call {called} on EC2"
    return ""


def _through_the_api(inner: Callable[[Row], Any], request: Row) -> Any:
    if why := problem(request):
        return lambda_svc.error_response_json("InvalidParameterValueException", why, 400)
    return inner(request)


def _creating(inner: Callable[..., Any], logical_id: str, properties: Row, *rest: Any) -> Any:
    _require(properties)
    return inner(logical_id, properties, *rest)


def _updating(inner: Callable[..., Any], physical_id: str, old: Row, new: Row, *rest: Any) -> Any:
    _require(new)
    return inner(physical_id, old, new, *rest)


def _require(properties: Row) -> None:
    if why := problem(properties):
        raise ValueError(
            f'Resource handler returned message: "{why} (Service: Lambda, Status Code: 400)" '
            "(HandlerErrorCode: InvalidRequest)"
        )
