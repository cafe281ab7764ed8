"""The job's own tags, beside those of ``Tags.of()``."""

from collections.abc import Mapping
from functools import cached_property

from aws_cdk import IResolvable, TagManager, TagType
from constructs import Construct

from agent_rft.arguments.validation import unknown
from agent_rft.synthesis import when_synthesized
from agent_rft_handler.validation import tag_problems


class JobTags:
    """The tags, checked when the app is synthesized: they are all known only when CDK's aspects have run."""

    def __init__(self, scope: Construct, resource_type: str, tags: Mapping[str, str] | None) -> None:
        """The tags as declared.

        Args:
            scope: Whose they are.
            resource_type: Its type in CloudFormation, by which ``Tags.of()`` may choose.
            tags: Those given; none without it.
        """
        self._scope = scope
        self._manager = TagManager(TagType.MAP, resource_type, dict(tags or {}))
        self._is_checked = False
        if tags:
            self._check_later()

    @cached_property
    def rendered(self) -> IResolvable:
        """All of them, as they are when the template is made."""
        return self._manager.rendered_tags

    @property
    def manager(self) -> TagManager:
        """CDK's own object, which only ``Tags.of()`` asks for: without it and without tags, nothing is to check."""
        self._check_later()
        return self._manager

    def _check_later(self) -> None:
        if not self._is_checked:
            self._is_checked = True
            when_synthesized(self._scope, lambda: tag_problems(self._manager.tag_values(), unknown))
