"""SageMakerPublicHub with the models that multi-turn RL trains and one of each other kind; private hubs as seeded."""

import json
from collections.abc import Mapping

from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION, PUBLIC_HUB
from agent_rft_local import recipe_tables, store
from agent_rft_local.ministack_names import get_account_id, get_region
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

RECIPE_OWNER = "999999999999"
"""The account whose bucket holds the recipes: not the caller's, as in AWS."""

MODELS: dict[str, Row] = {
    "openai-reasoning-gpt-oss-20b": {"recipes": True, "sequence_length": "64K"},
    "huggingface-vlm-gemma-4-31b-it": {"recipes": True, "sequence_length": "64K"},
    "huggingface-vlm-qwen3-6-27b": {"recipes": True, "sequence_length": "64K"},
    "nova-textgeneration-lite-v2": {"recipes": True, "subscription": True},
    "huggingface-reasoning-qwen3-32b": {"recipes": True},
    "meta-textgeneration-llama-3-3-70b-instruct": {"recipes": True, "gated": True},
    "huggingface-llm-falcon-7b-bf16": {"recipes": False},
}
"""The four with a published recipe, Nova with one by subscription beside it; and, for want of a published one, an
ungated model, a gated one, and one that multi-turn RL cannot train."""


def recipe_bucket(region: str) -> str:
    """The bucket of the recipe files."""
    return f"jumpstart-cache-prod-{region}"


def recipe_key(name: str) -> str:
    return f"recipes/{name}/mtrl-override-params.json"


def subscription_key(name: str) -> str:
    return f"recipes/{name}/mtrl-subscription-override-params.json"


def evaluation_key(name: str) -> str:
    return f"recipes/{name}/mtrl-eval-override-params.json"


def document_of(
    name: str,
    region: str,
    recipes: bool,
    gated: bool = False,
    subscription: bool = False,
    sequence_length: str = "32K",
) -> Row:
    """A hub content document of the real shape.

    Args:
        name: The model's.
        region: Where its recipe files lie.
        recipes: Whether it has a recipe for multi-turn RL.
        gated: Whether its licence must be accepted.
        subscription: Whether it has a recipe for subscribers, too; AWS lists that one first.
        sequence_length: The recipe's, in its own form.
    """
    sft = {"Name": f"{name}-sft", "CustomizationTechnique": "SFT", "Type": "FineTuning", "Peft": "LORA"}
    standard = _recipe(name, f"{name}-mtrl", recipe_key(name), region, sequence_length)
    subscribed = _recipe(name, f"{name}-mtrl-subscription", subscription_key(name), region, sequence_length)
    first = [{**subscribed, "IsSubscriptionModel": True}] if subscription else []
    gate = {"GatedBucket": True} if gated else {}
    return {
        "ModelId": name,
        **gate,
        "RecipeCollection": [sft, _evaluation(name, region), *first, standard] if recipes else [sft],
    }


def recipe_files() -> dict[str, str]:
    """Every recipe file by its key in the recipes' bucket."""
    tables = {name: recipe_tables.of(name) for name, kind in MODELS.items() if kind["recipes"]}
    subscribed = [name for name in tables if MODELS[name].get("subscription")]
    files = {recipe_key(name): table for name, table in tables.items()}
    files |= {evaluation_key(name): recipe_tables.of_evaluation() for name in tables}
    files |= {subscription_key(name): tables[name] | recipe_tables.FOR_SUBSCRIBERS for name in subscribed}
    return {key: json.dumps(table) for key, table in files.items()}


def parameters(hub_content_arn: str) -> Mapping[str, Row]:
    """The table of a model's recipe, by the model's ARN."""
    return recipe_tables.of(hub_content_arn.partition(":hub-content/")[2].split("/")[2])


def describe_hub_content(request: Row, _caller: str) -> Row:
    hub, kind, name = request["HubName"].rsplit("/", 1)[-1], request["HubContentType"], request["HubContentName"]
    row = _public(name) if hub == PUBLIC_HUB and kind == "Model" else store.private_hubs.get((hub, kind, name))
    if row is None or request.get("HubContentVersion", row["HubContentVersion"]) != row["HubContentVersion"]:
        raise ServiceError("ResourceNotFound", f"HubContent {name} of {hub} does not exist.")
    return row


def list_hub_contents(request: Row, _caller: str) -> Row:
    hub = request["HubName"].rsplit("/", 1)[-1]
    private = [row for (of, _, _), row in store.private_hubs.items() if of == hub]
    rows = [row for name in MODELS if (row := _public(name))] if hub == PUBLIC_HUB else private
    rows = [row for row in rows if request.get("NameContains", "") in row["HubContentName"]]
    return store.page(request, rows, "HubContentSummaries")


def seed(hub: str, name: str, document: Row, kind: str = "Model", version: str = "1.0.0") -> Row:
    """Puts content into a private hub of the calling account."""
    row = _row(hub, kind, name, version, document, get_account_id())
    store.private_hubs[(hub, kind, name)] = row
    return row


def require_eula(base_model_arn: str, accepted: bool) -> None:
    """Refuses an unaccepted licence and an unknown model, as the service must."""
    _, _, path = base_model_arn.partition(":hub-content/")
    hub, kind, name, *_ = path.split("/")
    row = describe_hub_content({"HubName": hub, "HubContentType": kind, "HubContentName": name}, "")
    if json.loads(row["HubContentDocument"]).get("GatedBucket") and not accepted:
        raise ServiceError("ValidationException", f"AcceptEula must be true for the gated model {name}.")


def _public(name: str) -> Row | None:
    if name not in MODELS:
        return None
    return _row(PUBLIC_HUB, "Model", name, "1.0.0", document_of(name, get_region(), **MODELS[name]), "aws")


def _recipe(model: str, name: str, key: str, region: str, sequence_length: str) -> Row:
    bucket = recipe_bucket(region)
    return {
        "Name": name,
        **AGENT_RFT.recipe,
        "Type": "FineTuning",
        "Peft": "LORA",
        "SequenceLength": sequence_length,
        "SmtjRecipeTemplateS3Uri": f"s3://{bucket}/recipes/{model}/mtrl.yaml",
        "SmtjOverrideParamsS3Uri": f"s3://{bucket}/{key}",
    }


def _evaluation(model: str, region: str) -> Row:
    return {
        "Name": f"{model}-mtrl-eval",
        **AGENT_RFT_EVALUATION.recipe,
        "SmtjOverrideParamsS3Uri": f"s3://{recipe_bucket(region)}/{evaluation_key(model)}",
    }


def _row(hub: str, kind: str, name: str, version: str, document: Row, owner: str) -> Row:
    prefix = f"arn:aws:sagemaker:{get_region()}:{owner}"
    trainable = any(recipe.get("CustomizationTechnique") == "MTRL" for recipe in document.get("RecipeCollection", []))
    return {
        "HubName": hub,
        "HubArn": f"{prefix}:hub/{hub}",
        "HubContentName": name,
        "HubContentArn": f"{prefix}:hub-content/{hub}/{kind}/{name}/{version}",
        "HubContentVersion": version,
        "HubContentType": kind,
        "DocumentSchemaVersion": "2.4.0",
        "HubContentDocument": json.dumps(document),
        "HubContentSearchKeywords": ["@recipe:finetuning_mtrl"] if trainable else ["@recipe:finetuning_sft"],
        "HubContentStatus": "Available",
        "CreationTime": store.now(),
    }
