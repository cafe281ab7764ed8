"""The hyperparameters of the models' recipes, in the shape of the hub's override parameters.

The facts of AWS's published recipes stand once, in the constructs' package; it is found, not imported, as importing it
would need the CDK.
"""

import functools
import importlib.util
import json
from pathlib import Path
from typing import Any

FILLED_BY_THE_SERVICE = {"name", "data_path", "model_name_or_path", "output_path", "base_model_name", "model_name"}
"""Parameters of a published recipe that no user sets: a job's document says them elsewhere."""

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
"""Of a model without a published recipe: the table of the docs page model-customize-mtrl-hyperparams. The SDK's own
requests were recorded with it."""

FOR_SUBSCRIBERS: dict[str, dict[str, Any]] = {
    "subscriber_only": {"type": "integer", "default": 1, "min": 1, "max": 10},
}
"""What a recipe by subscription has beside the standard one's; the name is made up."""


def of(model: str) -> dict[str, dict[str, Any]]:
    """The table of a model's recipe by its hub name."""
    published = _published()
    if model not in published["models"]:
        return OVERRIDE_PARAMS
    return _table(published["models"][model]["technique"])


def of_evaluation() -> dict[str, dict[str, Any]]:
    """The table of the recipe by which any model is evaluated."""
    return _table("mtrl_eval")


def _table(technique: str) -> dict[str, dict[str, Any]]:
    table = _published()["techniques"][technique]["parameters"]
    return {name: spec for name, spec in table.items() if name not in FILLED_BY_THE_SERVICE}


@functools.cache
def _published() -> dict[str, Any]:
    found = importlib.util.find_spec("agent_rft")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("agent_rft, which comes with agent_rft_local, is not installed")
    return dict(json.loads((Path(found.origin).parent / "data" / "recipe_tables.json").read_text()))
