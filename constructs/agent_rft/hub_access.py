"""Which hubs and hub contents a model needs, as exactly as is known at synth."""

from dataclasses import dataclass

from aws_cdk import Stack

from agent_rft.validation import unresolved
from agent_rft_handler import facts


@dataclass(frozen=True)
class HubAccess:
    """ARNs, or patterns of ARNs."""

    hubs: tuple[str, ...]
    contents: tuple[str, ...]


def hub_access(stack: Stack, model: str, *, is_package: bool) -> HubAccess:
    """The model's hub and content; any of the public hub's for a package, and any at all for a token."""
    if is_package:
        return _public(stack, "*")
    if unresolved(model):
        return _unknown(stack)
    if facts.HUB_CONTENT_ARN.accepts(model):
        return _of_arn(model)
    name = facts.MODEL_ALIASES.get(model, model)
    return _public(stack, name, f"{name}/*")


def _public(stack: Stack, *names: str) -> HubAccess:
    """By name, and by its versions below: a longer name that starts alike is another model."""
    contents = (_arn(stack, "hub-content", f"{facts.PUBLIC_HUB}/Model/{name}") for name in names)
    return HubAccess((_arn(stack, "hub", facts.PUBLIC_HUB),), tuple(contents))


def _of_arn(content_arn: str) -> HubAccess:
    prefix, path = content_arn.split(":hub-content/")
    hub, kind, name, *_version = path.split("/")
    content = f"{prefix}:hub-content/{hub}/{kind}/{name}"
    return HubAccess((f"{prefix}:hub/{hub}",), (content, f"{content}/*"))


def _unknown(stack: Stack) -> HubAccess:
    owners = ("aws", stack.account)
    return HubAccess(
        tuple(_arn(stack, "hub", "*", owner) for owner in owners),
        tuple(_arn(stack, "hub-content", "*", owner) for owner in owners),
    )


def _arn(stack: Stack, resource: str, name: str, account: str = "aws") -> str:
    return stack.format_arn(service="sagemaker", resource=resource, resource_name=name, account=account)
