"""Tags of any SageMaker resource."""

from agent_rft_local import store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

CLOUDFORMATION = "cloudformation.amazonaws.com"
MAX_TAGS = 50
"""[botocore CreateJob: Tags]"""


def require(tags: list[dict[str, str]], caller: str) -> None:
    """Keys once each, and none of AWS's own but from CloudFormation."""
    keys = [tag["Key"] for tag in tags]
    if len(keys) > len(set(keys)):
        raise ServiceError("ValidationException", "Duplicate tag keys found.")
    for key in keys:
        if key.lower().startswith("aws:") and caller != CLOUDFORMATION:
            raise ServiceError(
                "ValidationException", f"The tag key {key} is reserved: aws: prefixed tags are AWS's own."
            )


def add_tags(request: Row, caller: str) -> Row:
    arn = request["ResourceArn"]
    require(request["Tags"], caller)
    if len(store.tags_of(arn).keys() | {tag["Key"] for tag in request["Tags"]}) > MAX_TAGS:
        raise ServiceError("ValidationException", f"{arn} would have more than {MAX_TAGS} tags.")
    store.set_tags(arn, request["Tags"])
    return {"Tags": store.tag_list(arn)}


def list_tags(request: Row, _caller: str) -> Row:
    return store.page(request, store.tag_list(request["ResourceArn"]), "Tags")


def delete_tags(request: Row, _caller: str) -> Row:
    store.remove_tags(request["ResourceArn"], request["TagKeys"])
    return {}
