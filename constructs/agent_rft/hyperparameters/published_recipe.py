"""A recipe file in the form in which AWS publishes them, as hyperparameters.

Such a file has no ``training_config`` but sections of its own, and its places are those of the recipe tables
[github aws/sagemaker-hyperpod-recipes, hyperpod_recipes/recipes_src].
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from constructs import Construct

from agent_rft import warnings
from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.hyperparameters.recipe_file import leaves
from agent_rft.hyperparameters.recipe_tables import SET_BY_ARGUMENT, model_of_recipe, name_of, table_for_places
from agent_rft.hyperparameters.setting import Setting

SECTION = "training_config"
MULTI_TURN_RL = "mtrl"
"""The ``run.model_type`` of a recipe for these jobs."""

DESCRIPTION = ("display_name", "recipe_version", "version", "run.", "model.model_name")
"""Places that say what the recipe is, and set nothing."""

EVALUATION = ("evaluation", "eval_metrics_config")
"""Sections that only recipes for an evaluation have."""

TECHNIQUES = {
    "evaluation": "evaluation",
    "eval": "evaluation",
    "grpo": "GRPO",
    "rlvr": "GRPO",
    "rlaif": "GRPO",
    "dpo": "DPO",
    "ppo": "PPO",
    "sft": "SFT",
    "rft": "single-turn RFT",
    "distillation": "distillation",
    "pretrain": "pre-training",
}
"""A word in AWS's names for other recipes and their sections, and the technique that it tells of."""


def other_technique(recipe: str, content: Mapping[str, object]) -> str:
    """The sentence for a recipe of AWS's that is for another technique; empty for one for multi-turn RL."""
    if not (evidence := _evidence(content)):
        return ""
    names = [Path(recipe).stem, *_names(content)]
    words = {word for name in names for word in re.findall("[a-z]+", name.lower())}
    technique = next((technique for word, technique in TECHNIQUES.items() if word in words), "another technique")
    return (
        f"recipe is {recipe!r}, which by its {evidence} is for {technique}, but the job is for multi-turn RL: give a "
        f"recipe whose run.model_type is {MULTI_TURN_RL}, or write hyperparameters."
    )


def is_published(content: Mapping[str, object]) -> bool:
    """Whether the file has AWS's sections in the place of a ``training_config``."""
    sections = {place.partition(".")[0] for place in table_for_places("").places} - {"run"}
    return SECTION not in content and any(isinstance(content.get(section), Mapping) for section in sections)


def settings(scope: Construct, recipe: str, content: Mapping[str, object], model: str) -> Iterator[Setting]:
    """The file's values by the names of the model's table; what has no name there is said in one warning.

    Raises:
        ValueError: for two places of one hyperparameter that say different things.
    """
    names = table_for_places(model).places
    given = {place: value for place, _, value in leaves(content) if value is not None}
    parameters = {place: names[place] for place in given if names.get(place, "name") not in SET_BY_ARGUMENT}
    refuse(scope, _contradictions(recipe, given, parameters))
    yield from (Setting(name, given[place], f"{recipe}: {place}") for place, name in parameters.items())
    if without := ", ".join(each for each in given if each not in names and not each.startswith(DESCRIPTION)):
        warnings.RECIPE_PLACES.add_to(scope, recipe=recipe, places=without)
    name = str(given.get("run.name", ""))
    meant = model_of_recipe(name)
    if meant and not unresolved(model) and ":model-package/" not in model and name_of(model) != meant:
        warnings.RECIPE_MODEL.add_to(scope, recipe=recipe, name=name, meant=meant, model=model)


def _evidence(content: Mapping[str, object]) -> str:
    """The place that tells a recipe of AWS's for something else; empty where none does."""
    run, section = _section(content, "run"), _section(content, SECTION)
    if SECTION not in content and (name := next((each for each in EVALUATION if each in content), "")):
        return name
    if run.get("model_type") == MULTI_TURN_RL:
        return ""
    if "hydra_config" in str(content.get("defaults")):
        return "defaults"
    if "actor_rollout_ref" in section:
        return f"{SECTION}.actor_rollout_ref"
    return "run.model_type" if "model_type" in run else ""


def _names(content: Mapping[str, object]) -> Iterator[str]:
    """What the recipe and its sections are called."""
    run = _section(content, "run")
    yield from (str(run.get("name")), str(content.get("display_name")), str(content.get("defaults")))
    yield from content
    yield from (place for place, _, _ in leaves(_section(content, SECTION)))


def _contradictions(recipe: str, given: Mapping[str, object], parameters: Mapping[str, str]) -> Iterator[str]:
    first: dict[str, str] = {}
    for place, name in parameters.items():
        other = first.setdefault(name, place)
        if given[place] != given[other]:
            yield (
                f"{recipe}: {other} is {given[other]!r} and {place} is {given[place]!r}, but a job takes one value for "
                f"both, {name}. Make them the same."
            )


def _section(content: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = content.get(name)
    return section if isinstance(section, Mapping) else {}
