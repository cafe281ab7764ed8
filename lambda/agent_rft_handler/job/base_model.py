"""The model: found in the hub with its multi-turn RL recipe, and the hyperparameters that the recipe takes."""

import difflib
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlparse

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import ACCEPT_EULA, AWS_ERRORS, Refused, explained, is_missing
from agent_rft_handler.facts import AGENT_RFT, Category
from agent_rft_handler.job import model_package, recipe_table
from agent_rft_handler.job.names import model_name
from agent_rft_handler.job.recipe_table import Spec

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BaseModel:
    """A model of the hub that a job trains or evaluates."""

    arn: str
    name: str
    hub: str
    gated: bool
    override_params_uri: str
    sequence_length: int = 0
    input_model_package_arn: str = ""


def is_trainable(summary: Mapping[str, Any]) -> bool:
    """Whether the hub marks the model, in its row of ListHubContents, as one with a recipe for multi-turn RL."""
    words, keyword = summary.get("HubContentSearchKeywords", []), AGENT_RFT.recipe_keyword
    return any(word == keyword or word.startswith(f"{keyword}_") for word in words)


def is_gated(document: Mapping[str, Any]) -> bool:
    """Whether the model, by its hub content document, has a licence that must be accepted."""
    return bool(document.get("GatedBucket"))


def resolve(model: str, category: Category, clients: Clients) -> BaseModel:
    """The base model for a hub name, a Bedrock alias, a hub-content ARN or a model package ARN, with its recipe."""
    package = model if facts.MODEL_PACKAGE_ARN.accepts(model) else ""
    source = model_package.base_model_of(package, clients) if package else facts.MODEL_ALIASES.get(model, model)
    found = _describe(source, clients)
    document = json.loads(found["HubContentDocument"])
    recipe = _recipe(document, category)
    if category.requires_recipe and not recipe:
        raise _untrainable(source, clients)
    pinned = facts.HUB_CONTENT_ARN.accepts(source)
    return BaseModel(
        arn=source if pinned else found["HubContentArn"],
        name=found["HubContentName"],
        hub=found.get("HubName", facts.PUBLIC_HUB),
        gated=is_gated(document),
        override_params_uri=str(recipe.get("SmtjOverrideParamsS3Uri") or ""),
        sequence_length=recipe_table.sequence_length(recipe.get("SequenceLength")),
        input_model_package_arn=package,
    )


def require_eula(base: BaseModel, *, accepted: bool) -> None:
    """Refuses a gated model whose licence the user did not accept; that is never inferred."""
    if base.gated and not accepted:
        raise Refused(
            f"The model {base.name} is gated: its licence must be accepted, but accept_eula is not set. {ACCEPT_EULA}"
        )


def read_spec(base: BaseModel, account: str, clients: Clients) -> Spec | None:
    """The recipe's hyperparameters; None, with one warning, where they cannot be read (the service checks too).

    Only AWS's own hubs and the account's are followed: another's could point at any JSON that this function can read,
    and a refusal shows its names.
    """
    uri = base.override_params_uri.replace("{customer_id}", account)
    if not uri:
        return None
    if facts.account_of(base.arn) not in ("aws", account):
        log.warning("hyperparameters are left to the service to check: %s is of another account's hub", base.arn)
        return None
    bucket, key = _bucket_and_key(uri)
    try:
        return recipe_table.read(json.loads(clients.s3.get_object(Bucket=bucket, Key=key)["Body"].read()))
    except (*AWS_ERRORS, ValueError, RecursionError) as error:
        log.warning("hyperparameters are left to the service to check: %s could not be read: %s", uri, error)
        return None


def _describe(source: str, clients: Clients) -> dict[str, Any]:
    request = _hub_request(source)
    try:
        return dict(clients.sagemaker.describe_hub_content(**request))
    except AWS_ERRORS as error:
        if not is_missing(error):
            raise explained(error, f"Looking the model {source} up in the hub") from error
    trainable = list(_trainable_models(request["HubName"], clients))
    close = difflib.get_close_matches(model_name(source), trainable, n=3) or trainable[:5]
    raise Refused(
        f"The hub {request['HubName']} has no model {source}. Close to it: {', '.join(close) or 'none'}. "
        f"`aws sagemaker list-hub-contents --hub-name {request['HubName']} --hub-content-type Model` lists all; those "
        f"with the keyword {AGENT_RFT.recipe_keyword} can be trained."
    )


def _hub_request(source: str) -> dict[str, str]:
    if not facts.HUB_CONTENT_ARN.accepts(source):
        return {"HubName": facts.PUBLIC_HUB, "HubContentType": "Model", "HubContentName": source}
    prefix, path = source.split(":hub-content/")
    hub, kind, name, *version = path.split("/")
    own = prefix.split(":")[4] != "aws"
    request = {
        "HubName": f"{prefix}:hub/{hub}" if own else hub,
        "HubContentType": kind,
        "HubContentName": name,
    }
    return {**request, "HubContentVersion": version[0]} if version else request


def _recipe(document: Mapping[str, Any], category: Category) -> Mapping[str, Any]:
    """The category's recipe, empty where there is none: one without a subscription before one with [the SDK's order].

    A recipe that trains must be LoRA's; one that evaluates says nothing of it.
    """
    recipes = [
        recipe
        for recipe in document.get("RecipeCollection") or []
        if category.recipe.items() <= recipe.items() and (not category.requires_recipe or _is_lora(recipe))
    ]
    return min(recipes, key=lambda each: bool(each.get("IsSubscriptionModel")), default={})


def _is_lora(recipe: Mapping[str, Any]) -> bool:
    return bool(recipe.get("SmtjRecipeTemplateS3Uri") and recipe.get("Peft"))


def _untrainable(source: str, clients: Clients) -> Refused:
    trainable = ", ".join(_trainable_models(facts.PUBLIC_HUB, clients)) or "none"
    return Refused(
        f"The model {source} has no recipe for multi-turn RL in this region. Models that have one: {trainable}."
    )


def _trainable_models(hub: str, clients: Clients) -> Iterator[str]:
    request = {"HubName": hub, "HubContentType": "Model"}
    try:
        for row in listed(clients.sagemaker.list_hub_contents, "HubContentSummaries", **request):
            if is_trainable(row):
                yield row["HubContentName"]
    except AWS_ERRORS as error:  # only makes another error's message better
        log.warning("the hub's models could not be listed: %s", error)


def _bucket_and_key(uri: str) -> tuple[str, str]:
    """Bucket and key of an S3 URI, also of ``s3://ACCESS-POINT-ARN/KEY`` (whose ARN holds a slash)."""
    if uri.startswith("s3://arn:"):
        head, _, rest = uri.removeprefix("s3://").partition("/")
        point, _, key = rest.partition("/")
        return f"{head}/{point}", key
    parsed = urlparse(uri)
    return parsed.netloc, parsed.path.lstrip("/")
