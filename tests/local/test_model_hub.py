"""The hub holds AWS's published recipes for multi-turn RL, and one model of each other kind."""

import json
from typing import Any

import pytest
from in_process import SageMaker

from agent_rft_handler.facts import AGENT_RFT, PUBLIC_HUB
from agent_rft_local import model_hub, recipe_tables

PUBLISHED = {
    "openai-reasoning-gpt-oss-20b": "64K",
    "huggingface-vlm-gemma-4-31b-it": "64K",
    "huggingface-vlm-qwen3-6-27b": "64K",
    "nova-textgeneration-lite-v2": "32K",
}


def document(name: str) -> dict[str, Any]:
    found = SageMaker().describe_hub_content(HubName=PUBLIC_HUB, HubContentType="Model", HubContentName=name)
    return dict(json.loads(found["HubContentDocument"]))


def trains(recipe: dict[str, Any]) -> bool:
    return AGENT_RFT.recipe.items() <= recipe.items()


@pytest.mark.parametrize(("name", "length"), PUBLISHED.items())
def test_a_published_model_has_its_recipes_sequence_length_and_table(name: str, length: str) -> None:
    standard = [
        each for each in document(name)["RecipeCollection"] if trains(each) and not each.get("IsSubscriptionModel")
    ]
    (recipe,) = standard
    assert recipe["SequenceLength"] == length
    key = recipe["SmtjOverrideParamsS3Uri"].partition(model_hub.recipe_bucket("us-east-1") + "/")[2]
    table = json.loads(model_hub.recipe_files()[key])
    assert table == recipe_tables.of(name)
    assert table["pass_k_values"] == {"type": "array", "required": True, "default": [1, 2, 4, 8, 16, 32]}


def test_the_models_differ_where_their_recipes_do() -> None:
    assert recipe_tables.of("nova-textgeneration-lite-v2")["global_batch_size"]["enum"] == [8, 16, 32, 64]
    assert recipe_tables.of("openai-reasoning-gpt-oss-20b")["global_batch_size"]["enum"] == [32, 64, 128]


def test_a_recipe_by_subscription_stands_beside_the_standard_one() -> None:
    recipes = [each for each in document("nova-textgeneration-lite-v2")["RecipeCollection"] if trains(each)]
    assert [bool(each.get("IsSubscriptionModel")) for each in recipes] == [True, False]
    first, second = (each["SmtjOverrideParamsS3Uri"] for each in recipes)
    assert first != second


def test_there_is_a_gated_model_an_ungated_one_and_one_without_such_a_recipe() -> None:
    documents = {name: document(name) for name in model_hub.MODELS}
    gated = {bool(each.get("GatedBucket")) for each in documents.values()}
    assert gated == {True, False}
    trainable = {name: any(map(trains, each["RecipeCollection"])) for name, each in documents.items()}
    assert set(trainable.values()) == {True, False}
    assert "huggingface-reasoning-qwen3-32b" in trainable


def test_the_keywords_say_which_models_can_be_trained() -> None:
    rows = SageMaker().list_hub_contents(HubName=PUBLIC_HUB, HubContentType="Model")["HubContentSummaries"]
    for row in rows:
        has_recipe = any(map(trains, document(row["HubContentName"])["RecipeCollection"]))
        assert (AGENT_RFT.recipe_keyword in row["HubContentSearchKeywords"]) == has_recipe
