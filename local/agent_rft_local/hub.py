"""SageMakerPublicHub with a few models of each kind, and private hubs that a test seeds."""

import json
from typing import Any

from agent_rft_handler.facts import PUBLIC_HUB
from agent_rft_local import store
from agent_rft_local.ministack_names import get_account_id, get_region
from agent_rft_local.store import Row
from agent_rft_local.validation import ServiceError

RECIPE_OWNER = "999999999999"
"""The account whose bucket holds the recipes: not the caller's, as in AWS."""

MODELS = {
    "huggingface-reasoning-qwen3-32b": {"recipes": True},
    "openai-reasoning-gpt-oss-20b": {"recipes": True},
    "meta-textgeneration-llama-3-3-70b-instruct": {"recipes": True, "gated": True},
    "nova-textgeneration-lite-v2": {"recipes": True, "subscription": True},
    "huggingface-llm-falcon-7b-bf16": {"recipes": False},
}
"""Ungated, ungated, gated, Nova, and one that multi-turn RL cannot train."""

OVERRIDE_PARAMS: dict[str, dict[str, Any]] = {
    "global_batch_size": {"type": "integer", "default": 128, "enum": [32, 64, 128]},
    "group_size": {"type": "integer", "default": 8, "min": 2, "max": 32},
    "loss_fn": {"type": "string", "default": "ppo", "enum": ["importance_sampling", "ppo", "cispo"]},
    "learning_rate": {"type": "float", "default": 4e-05, "min": 0, "max": 0.01},
    "lora_rank": {"type": "integer", "default": 32, "min": 16, "max": 64},
    "lora_alpha": {"type": "integer", "default": 64, "min": 16, "max": 128},
    "max_epochs": {"type": "integer", "default": 1, "min": 1, "max": 30},
    "max_steps": {"type": "integer", "default": 50, "min": 1, "max": 1000},
    "pass_k_values": {"type": "string", "default": "[1, 2, 4, 8]"},
    "rollout_timeout": {"type": "integer", "default": 600, "min": 300, "max": 86400},
    "sampling_max_tokens": {"type": "integer", "default": 4096, "min": 512, "max": 8192},
    "sampling_top_p": {"type": "float", "default": 1, "min": 0, "max": 1},
    "temperature": {"type": "float", "default": 1.0, "min": 0, "max": 2},
    "val_every": {"type": "integer", "default": 10, "min": 0, "max": 100},
}
"""The table of the docs page model-customize-mtrl-hyperparams, in the shape of the hub's override parameters."""


def recipe_bucket(region: str) -> str:
    """The bucket of the recipe files."""
    return f"jumpstart-cache-prod-{region}"


def recipe_key(name: str) -> str:
    return f"recipes/{name}/mtrl-override-params.json"


def document_of(name: str, region: str, recipes: bool, gated: bool = False, subscription: bool = False) -> Row:
    """A hub content document of the real shape, with or without a recipe for multi-turn RL."""
    sft = {"Name": f"{name}-sft", "CustomizationTechnique": "SFT", "Type": "FineTuning", "Peft": "LORA"}
    bucket = recipe_bucket(region)
    mtrl = {
        "Name": f"{name}-mtrl",
        "CustomizationTechnique": "MTRL",
        "Type": "FineTuning",
        "Peft": "LORA",
        "SequenceLength": "32K",
        "SmtjRecipeTemplateS3Uri": f"s3://{bucket}/recipes/{name}/mtrl.yaml",
        "SmtjOverrideParamsS3Uri": f"s3://{bucket}/{recipe_key(name)}",
        **({"IsSubscriptionModel": True} if subscription else {}),
    }
    gate = {"GatedBucket": True} if gated else {}
    return {"ModelId": name, **gate, "RecipeCollection": [sft, mtrl] if recipes else [sft]}


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


def _row(hub: str, kind: str, name: str, version: str, document: Row, owner: str) -> Row:
    prefix = f"arn:aws:sagemaker:{get_region()}:{owner}"
    trainable = any(recipe["CustomizationTechnique"] == "MTRL" for recipe in document.get("RecipeCollection", []))
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
