"""Step Functions does a task only as far as the state machine's role may, and waits as briefly as it is told to.

A state machine that CloudFormation deletes takes its executions with it; ministack would give their names to the next.
"""

import contextvars
import functools
from collections.abc import Callable, Iterator
from typing import Any

from agent_rft_local import faults, iam_log, ministack_names, roles, store
from agent_rft_local.ministack_names import get_account_id, get_region, stepfunctions
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

INVOKE = "lambda:InvokeFunction"

_role = contextvars.ContextVar("_role", default="")
"""The role of the execution that this thread, or the one that started it, runs."""


def install() -> None:
    """Stands before executions, tasks and waits, and before CloudFormation's type."""
    stepfunctions._run_execution = functools.partial(_running, stepfunctions._run_execution)
    stepfunctions._invoke_resource = functools.partial(_doing, stepfunctions._invoke_resource)
    stepfunctions._scaled_sleep = functools.partial(_sleeping, stepfunctions._scaled_sleep)
    type_of = ministack_names.provisioners._RESOURCE_HANDLERS["AWS::StepFunctions::StateMachine"]
    type_of["delete"] = functools.partial(_deleting, type_of["delete"])


def needs(resource: str, parameters: Row) -> Iterator[tuple[str, str, Row]]:
    """What a task needs: action, resource, context [AWS docs: Step Functions, service-integration-iam-templates]."""
    integration = resource.partition(":states:::")[2]
    if integration == "lambda:invoke":
        yield INVOKE, _function_arn(str(parameters.get("FunctionName"))), {}
    elif integration == "states:startExecution":
        yield "states:StartExecution", str(parameters.get("StateMachineArn")), {}
    elif integration == "events:putEvents":
        for entry in parameters.get("Entries", []):
            bus = entry.get("EventBusName") or "default"
            arn = bus if bus.startswith("arn:") else f"arn:aws:events:{get_region()}:{get_account_id()}:event-bus/{bus}"
            said = {"events:source": entry.get("Source"), "events:detail-type": entry.get("DetailType")}
            yield "events:PutEvents", arn, said


def _function_arn(name: str) -> str:
    return name if name.startswith("arn:") else f"arn:aws:lambda:{get_region()}:{get_account_id()}:function:{name}"


def _running(inner: Callable[[str], None], execution_arn: str) -> None:
    execution = stepfunctions._executions.get(execution_arn) or {}
    machine = stepfunctions._state_machines.get(execution.get("stateMachineArn")) or {}
    _role.set(machine.get("roleArn", ""))
    inner(execution_arn)


def _doing(inner: Callable[..., Any], resource: str, parameters: Any) -> Any:
    for action, arn, context in needs(resource, parameters if isinstance(parameters, dict) else {}):
        _require(action, arn, context)
        if action == INVOKE:
            _throttle()
    return inner(resource, parameters)


def _throttle() -> None:
    """Lambda's refusal, where a fault asks for it [AWS docs: Step Functions, connect-lambda]."""
    try:
        faults.before("Invoke", {})
    except ServiceError as error:
        raise stepfunctions._ExecutionError("Lambda.TooManyRequestsException", str(error)) from error


def _require(action: str, resource: str, context: Row) -> None:
    role = _role.get()
    allowed = roles.allows(role, action, resource, context)
    principal = f"{role.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/execution"
    iam_log.decisions.append({"principal": principal, "action": action, "resource": resource, "allowed": allowed})
    if not allowed:
        raise stepfunctions._ExecutionError(
            f"{action.partition(':')[0].capitalize()}.AccessDeniedException",
            f"User: {principal} is not authorized to perform: {action} on resource: {resource}",
        )


def _sleeping(inner: Callable[[float], None], seconds: float) -> None:
    inner(seconds * store.behaviour.wait_scale)


def _deleting(inner: Callable[..., Any], arn: str, *rest: Any) -> Any:
    own = [key for key, row in stepfunctions._executions.items() if row["stateMachineArn"] == arn]
    for key in own:
        stepfunctions._executions.pop(key)["status"] = "ABORTED"  # its thread ends at the next state
    return inner(arn, *rest)
