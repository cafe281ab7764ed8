"""Tags of any SageMaker resource."""

from agent_rft_local import store
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError


def add_tags(request: Row, _caller: str) -> Row:
    arn = request["ResourceArn"]
    if len(store.tags_of(arn).keys() | {tag["Key"] for tag in request["Tags"]}) > 50:
        raise ServiceError("ValidationException", f"{arn} would have more than 50 tags.")
    store.set_tags(arn, request["Tags"])
    return {"Tags": store.tag_list(arn)}


def list_tags(request: Row, _caller: str) -> Row:
    return store.page(request, store.tag_list(request["ResourceArn"]), "Tags")


def delete_tags(request: Row, _caller: str) -> Row:
    store.remove_tags(request["ResourceArn"], request["TagKeys"])
    return {}
