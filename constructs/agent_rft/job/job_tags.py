"""The job's own tags, beside those of ``Tags.of()``."""

from collections.abc import Mapping

from aws_cdk import TagManager, TagType
from constructs import Construct

from agent_rft.arguments.validation import unknown
from agent_rft.synthesis import when_synthesized
from agent_rft_handler.validation import tag_problems


def job_tags(scope: Construct, resource_type: str, tags: Mapping[str, str] | None) -> TagManager:
    """The tags, checked when the app is synthesized: they are all known only when CDK's aspects have run."""
    manager = TagManager(TagType.MAP, resource_type, dict(tags or {}))
    when_synthesized(scope, lambda: tag_problems(manager.tag_values(), unknown))
    return manager
