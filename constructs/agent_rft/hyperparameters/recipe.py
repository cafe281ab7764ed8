"""A recipe file and overrides as hyperparameters, with the SDK's section and protected keys."""

from collections.abc import Mapping
from pathlib import Path

from constructs import Construct

from agent_rft import warnings
from agent_rft.arguments.validation import refuse
from agent_rft.hyperparameters import published_recipe
from agent_rft.hyperparameters.published_recipe import SECTION
from agent_rft.hyperparameters.recipe_file import leaves, read
from agent_rft.hyperparameters.setting import Setting, name_problems

PROTECTED = frozenset({"model_type", "model_name_or_path", "dataset_catalog"})
"""What the model and the datasets already say [sagemaker-train 1.27.0: recipe_resolver]."""


def recipe_settings(scope: Construct, recipe: str | Path | None, model: str) -> dict[str, Setting]:
    """The file's hyperparameters: the leaves of its ``training_config``, or AWS's places by the model's table.

    Raises:
        ValueError: for what is no readable YAML file of either form, or a recipe of another technique.
    """
    if recipe is None:
        return {}
    name, content = str(recipe), read(scope, recipe)
    refuse(scope, [published_recipe.other_technique(name, content)])
    if published_recipe.is_published(content):
        return {each.name: each for each in published_recipe.settings(scope, name, content, model)}
    section = content.get(SECTION)
    if not isinstance(section, Mapping):
        refuse(
            scope, [f"recipe is {name!r}, but must have a mapping {SECTION}, or the sections of AWS's recipes. Add it."]
        )
    if others := ", ".join(other for other in content if other != SECTION):
        warnings.RECIPE_SECTIONS.add_to(scope, others=others, section=SECTION)
    return _by_name(scope, "recipe", name, {SECTION: section})


def override_settings(scope: Construct, overrides: Mapping[str, object] | None) -> dict[str, Setting]:
    """The leaves of the overrides, whether they are flat or nested.

    Raises:
        ValueError: for a name that stands twice.
    """
    refuse(scope, name_problems("overrides", overrides or {}))
    return _by_name(scope, "overrides", "overrides", overrides or {})


def _by_name(scope: Construct, argument: str, source: str, values: Mapping[str, object]) -> dict[str, Setting]:
    """The leaves of the source by their own names, the protected ones left out with a warning."""
    found = list(leaves(values, whole=PROTECTED))
    places: dict[str, list[str]] = {}
    for place, name, _ in found:
        places.setdefault(name, []).append(place)
    refuse(
        scope,
        [
            f"{source} has {name} twice: {', '.join(where)}. A job takes one value by a name; keep one."
            for name, where in places.items()
            if len(where) > 1
        ],
    )
    if protected := ", ".join(name for name in places if name in PROTECTED):
        warnings.PROTECTED_NAMES.add_to(scope, source=argument, names=protected)
    return {name: Setting(name, value, f"{source}: {place}") for place, name, value in found if name not in PROTECTED}
