"""The tags of any SageMaker resource."""

from collections.abc import Collection, Mapping
from typing import Any

from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.facts import OWN_TAG_PREFIX


def tags_of(arn: str, clients: Clients) -> dict[str, str]:
    """Every tag of the resource."""
    return from_rows(listed(clients.sagemaker.list_tags, "Tags", ResourceArn=arn))


def retag(
    arn: str, present: Mapping[str, str], wanted: Mapping[str, str], former: Collection[str], clients: Clients
) -> None:
    """Brings a resource's tags up to date; a tag that is neither wanted nor was before is someone else's, and stays.

    First those that were and are not wanted go: in this order there are never more than in the larger of the two sets.
    """
    removed = [key for key in present if key in former and key not in wanted and not key.startswith(OWN_TAG_PREFIX)]
    added = {key: value for key, value in wanted.items() if present.get(key) != value}
    if removed:
        clients.sagemaker.delete_tags(ResourceArn=arn, TagKeys=removed)
    if added:
        clients.sagemaker.add_tags(ResourceArn=arn, Tags=to_rows(added))


def to_rows(tags: Mapping[str, str]) -> list[dict[str, str]]:
    """Tags as the API takes them."""
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def from_rows(rows: Any) -> dict[str, str]:
    """Tags as the API shows them."""
    return {row["Key"]: row["Value"] for row in rows}


def is_of_an_execution(logical_id: str) -> bool:
    """Whether a job's tag names an execution of a state machine, which a colon parts, and no resource of a stack."""
    return ":" in logical_id
