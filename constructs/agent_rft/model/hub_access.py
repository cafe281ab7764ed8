"""Which hubs and hub contents a model needs, as exactly as is known at synth."""

from dataclasses import dataclass

from agent_rft.arguments.validation import unresolved
from agent_rft.place import Place
from agent_rft_handler import facts


@dataclass(frozen=True)
class HubAccess:
    """ARNs, or patterns of ARNs."""

    hubs: tuple[str, ...]
    contents: tuple[str, ...]


def hub_access(place: Place, model: str, *, is_package: bool) -> HubAccess:
    """The model's hub and content; any of the public hub's for a package, and any at all for a token."""
    if is_package:
        return _public(place, "*")
    if unresolved(model):
        return _unknown(place)
    if facts.HUB_CONTENT_ARN.accepts(model):
        return _of_arn(model)
    name = facts.MODEL_ALIASES.get(model, model)
    return _public(place, name, f"{name}/*")


def _public(place: Place, *names: str) -> HubAccess:
    """By name, and by its versions below: a longer name that starts alike is another model."""
    contents = (_arn(place, "hub-content", f"{facts.PUBLIC_HUB}/Model/{name}") for name in names)
    return HubAccess((_arn(place, "hub", facts.PUBLIC_HUB),), tuple(contents))


def _of_arn(content_arn: str) -> HubAccess:
    prefix, path = content_arn.split(":hub-content/")
    hub, kind, name, *_version = path.split("/")
    content = f"{prefix}:hub-content/{hub}/{kind}/{name}"
    return HubAccess((f"{prefix}:hub/{hub}",), (content, f"{content}/*"))


def _unknown(place: Place) -> HubAccess:
    owners = ("aws", place.account)
    return HubAccess(
        tuple(_arn(place, "hub", "*", owner) for owner in owners),
        tuple(_arn(place, "hub-content", "*", owner) for owner in owners),
    )


def _arn(place: Place, resource: str, name: str, account: str = "aws") -> str:
    return place.arn("sagemaker", resource, name, account=account)
