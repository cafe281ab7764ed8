"""For snapshot tests of a user's own stacks: a template without what changes with a release of this library."""

from collections.abc import Mapping
from typing import Any

PACKAGE = "agent_rft_handler."
"""How the entry points of the library's functions start: the handler's, a watch's, a task's."""

MASK = "changes with a release of cdk-agent-rft"


ASSET_PATH = "aws:asset:path"
"""Where a template that `cdk synth` wrote names the files once more."""


def masked(template: Mapping[str, Any]) -> dict[str, Any]:
    """The template to record and to compare: the functions' code is a hash of the handler's files, and stands masked.

    Everything else stays as it is. What changes there, logical ids and job properties above all, is something that a
    release replaces in your stack, and CHANGELOG.md says so.

    Args:
        template: The stack's, such as ``Template.from_stack(stack).to_json()``; it is left as it is.
    """
    resources = {name: _masked(resource) for name, resource in template.get("Resources", {}).items()}
    return {**template, "Resources": resources}


def _masked(resource: Mapping[str, Any]) -> Mapping[str, Any]:
    properties, metadata = resource.get("Properties", {}), resource.get("Metadata", {})
    code = properties.get("Code")
    if not str(properties.get("Handler")).startswith(PACKAGE) or not isinstance(code, Mapping):
        return resource
    found = {**resource, "Properties": {**properties, "Code": {**code, "S3Key": MASK}}}
    return {**found, "Metadata": {**metadata, ASSET_PATH: MASK}} if ASSET_PATH in metadata else found
