"""AWS's published recipe tables: what the hyperparameters of a known model are, and where a recipe file has them.

Facts of data/recipe_tables.json, which scripts/renew_recipe_tables.py writes. They only warn: the hub's own table at
deploy has the last word.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from agent_rft.hyperparameters.setting import Setting
from agent_rft_handler.facts import HUB_CONTENT_NAME, MODEL_ALIASES, is_nova
from agent_rft_handler.job.recipe_table import Spec, close_to, read, value_problem

OTHERS, NOVA = "mtrl_lora", "mtrl_nova_lite_lora"
"""AWS's names for the tables of multi-turn RL: of Nova models, and of all others."""

EVALUATION = "mtrl_eval"
"""AWS's name for the table by which any model is evaluated."""

SET_BY_ARGUMENT = {
    "name": "base_job_name",
    "model_name_or_path": "model",
    "data_path": "training_dataset",
    "output_path": "s3_output_path",
}
"""Parameters of the tables that the service sets from the job's other values, and the argument that says them."""

SET_BY_EVALUATION = {
    **SET_BY_ARGUMENT,
    "name": "base_eval_name",
    "data_path": "dataset",
    "model_name": "model",
    "base_model_name": "model",
}
"""The same of an evaluation."""


@dataclass(frozen=True)
class RecipeTable:
    """The table of one technique."""

    parameters: Spec
    places: Mapping[str, str]

    def problems(self, settings: Iterable[Setting], model: str) -> Iterator[str]:
        """What is doubtful about the settings of a model: an unknown name, a wrong type, a value out of range."""
        for setting in settings:
            parameter = self.parameters.get(setting.name)
            if parameter is None:
                yield f"{setting.place} is not one of the parameters that {model} had{self._meant(setting.name)}."
            elif setting.is_literal and (sentence := value_problem(setting.place, setting.text(), parameter)):
                yield sentence

    def _meant(self, name: str) -> str:
        close = close_to(name, self.parameters)
        return f"; close to it is {close}" if close else ""


def date() -> str:
    """The day of the tables."""
    return str(_content()["date"])


def technique_of(model: str) -> str:
    """The technique by which the model is trained; empty for one that has no published recipe."""
    known = _content()["models"].get(name_of(model), {})
    return str(known.get("technique", ""))


def name_of(model: str) -> str:
    """The hub's name for a model that is given by its name, an alias or a hub-content ARN."""
    path = model.partition(":hub-content/")[2].split("/")  # HUB/Model/NAME/VERSION
    name = path[2] if len(path) > 2 else model
    return MODEL_ALIASES.get(name, name)


def known_models() -> tuple[str, ...]:
    """The hub's names for models that are known to be trained so."""
    return (*_content()["models"], HUB_CONTENT_NAME.example)


def model_of_recipe(recipe: str) -> str:
    """The hub's name for the model of AWS's recipe file of that name; empty for another."""
    models: Mapping[str, Mapping[str, str]] = _content()["models"]
    return next((model for model, entry in models.items() if entry["recipe"] == recipe), "")


@cache
def table(technique: str) -> RecipeTable:
    """The technique's table."""
    found = _content()["techniques"][technique]
    return RecipeTable(read(found["parameters"]), found["recipe_place_to_parameter"])


def table_for_places(model: str) -> RecipeTable:
    """The table whose places a recipe of the model has; AWS makes all recipes but Nova's from one template."""
    return table(technique_of(model) or (NOVA if is_nova(name_of(model)) else OTHERS))


@cache
def _content() -> Mapping[str, Any]:
    text = files("agent_rft").joinpath("data", "recipe_tables.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
