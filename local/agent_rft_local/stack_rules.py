"""What CloudFormation refuses and ministack's engine lets pass."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

from agent_rft_local import ministack_names, roles
from agent_rft_local.ministack_names import changesets, cloudformation_handlers, provisioners, stacks
from agent_rft_local.store import Row

PASSED_TO = {
    "AWS::Lambda::Function": ("Role", "lambda.amazonaws.com"),
    "AWS::SageMaker::MlflowApp": ("RoleArn", "sagemaker.amazonaws.com"),
    "AWS::StepFunctions::StateMachine": ("RoleArn", "states.amazonaws.com"),
}
"""Types whose creation passes a role: the property that names it, and the service that gets it."""

_ROLE = "_role_arn"
"""On a stack: the role that CloudFormation assumes for it."""


def install() -> None:
    """Stands before ministack's engine."""
    for module in (cloudformation_handlers, changesets):
        module.validate_template_support = functools.partial(_validating, module.validate_template_support)
    stacks._resolve_stack_outputs = functools.partial(_exporting, stacks._resolve_stack_outputs)
    actions = cloudformation_handlers._ACTION_HANDLERS
    for name in ("CreateStack", "UpdateStack", "CreateChangeSet", "DeleteStack"):
        actions[name] = functools.partial(_requesting, actions[name])
    for kind in PASSED_TO:
        handlers = provisioners._RESOURCE_HANDLERS[kind]
        for verb in {"create", "update"} & set(handlers):
            handlers[verb] = functools.partial(_passing, handlers[verb], kind, verb)


def _validating(inner: Callable[..., Any], template: Row, conditions: Row, **more: Any) -> Any:
    resources = template.get("Resources", {})
    circle = [name for name in resources if name in stacks._extract_deps(resources[name], {name})]
    try:
        stacks._topological_sort(resources, conditions)
    except ValueError as error:
        circle = str(error).rpartition(": ")[2].split(", ")
    if circle:
        raise ValueError(f"Circular dependency between resources: [{', '.join(circle)}]")
    return inner(template, conditions, **more)


def _exporting(inner: Callable[..., Any], *arguments: Any) -> Any:
    """An export that another stack imports neither changes nor goes."""
    outputs, exports = inner(*arguments)
    stack_name, stack_id = arguments[5:7]
    for name, row in list(ministack_names.exports().items()):
        if row["StackId"] != stack_id or exports.get(name, {}).get("Value") == row["Value"]:
            continue
        if users := list(_importers(name, stack_name)):
            verb = "updated" if name in exports else "deleted"
            raise ValueError(f"Export {name} cannot be {verb} as it is in use by {', '.join(users)}")
    return outputs, exports


def _importers(export: str, own: str) -> Iterator[str]:
    for name, stack in ministack_names.every_stack().items():
        gone = str(stack.get("StackStatus", "")).startswith("DELETE_COMPLETE")
        if name != own and not gone and export in cloudformation_handlers._imported_export_names(stack, name):
            yield name


def _requesting(inner: Callable[[Any], Any], request: Any) -> Any:
    """Keeps the role that the caller gives to CloudFormation; a stack keeps its last one."""
    answer = inner(request)
    role = cloudformation_handlers._p(request, "RoleARN")
    stack = cloudformation_handlers._resolve_stack(cloudformation_handlers._p(request, "StackName"))
    if role and stack:
        stack[_ROLE] = role
    return answer


def _passing(inner: Callable[..., Any], kind: str, verb: str, *arguments: Any) -> Any:
    """CloudFormation's role must be allowed to pass the role on."""
    name, service = PASSED_TO[kind]
    properties, stack_name = (arguments[1], arguments[2]) if verb == "create" else (arguments[2], arguments[3])
    own, passed = ministack_names.stack(stack_name).get(_ROLE), properties.get(name)
    if own and passed and not roles.allows(own, "iam:PassRole", passed, {"iam:passedtoservice": service}):
        raise ValueError(
            f"User: {own} is not authorized to perform: iam:PassRole on resource: {passed} because no identity-based "
            "policy allows the iam:PassRole action"
        )
    return inner(*arguments)
