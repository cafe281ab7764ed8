"""The job's own tags, beside those of ``Tags.of()``."""

from collections.abc import Mapping

import jsii
from aws_cdk import TagManager, TagType
from constructs import Construct, IValidation

from agent_rft.validation import unknown
from agent_rft_handler.validation import tag_problems


def job_tags(scope: Construct, resource_type: str, tags: Mapping[str, str] | None) -> TagManager:
    """The tags, checked when the app is synthesized: they are all known only when CDK's aspects have run."""
    manager = TagManager(TagType.MAP, resource_type, dict(tags or {}))
    scope.node.add_validation(_TagCheck(manager))
    return manager


@jsii.implements(IValidation)
class _TagCheck:
    def __init__(self, tags: TagManager) -> None:
        self._tags = tags

    def validate(self) -> list[str]:
        return list(tag_problems(self._tags.tag_values(), unknown))
