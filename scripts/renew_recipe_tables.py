"""Writes constructs/agent_rft/data/recipe_tables.json from a checkout of AWS's recipes.

The checkout is of https://github.com/aws/sagemaker-hyperpod-recipes; only facts are taken: which models have a recipe
for multi-turn RL, what its parameters are called, their types, ranges, choices and defaults, and where a recipe has
them.

    git clone https://github.com/aws/sagemaker-hyperpod-recipes
    .venv/bin/python scripts/renew_recipe_tables.py sagemaker-hyperpod-recipes
"""

import argparse
import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "constructs" / "agent_rft" / "data" / "recipe_tables.json"
TEMPLATES = "launcher/recipe_templatization"
TECHNIQUES = {"mtrl": "fine_tuning", "mtrl_eval": "evaluation"}
"""Folders of templates, and the part of base_override_parameters.json that their parameters build on."""

FACTS = ("type", "required", "min", "max", "enum", "default", "conditional_constraints")
"""What is taken of a parameter: AWS's descriptions and hints stay with AWS."""

NOVA, OTHERS = "mtrl_nova_lite_lora", "mtrl_lora"
"""Which template a model's recipe is made from, by its name [mtrl_recipe_template_processor.get_recipe_template]."""


def tables(checkout: Path, commit: str, date: str) -> dict[str, Any]:
    """The file's content."""
    folder = checkout / TEMPLATES
    base = _read(folder / "base_override_parameters.json", absent={})
    return {
        "source": f"github aws/sagemaker-hyperpod-recipes at {commit}, {TEMPLATES}",
        "date": date,
        "models": _models(_read(folder / "jumpstart_model-id_map.json")),
        "techniques": {
            name: _technique(template, base.get(part, {}))
            for technique, part in TECHNIQUES.items()
            for name, template in _templates(folder / technique / f"{technique}_recipe_template_parameters.json")
        },
    }


def text(content: Mapping[str, Any]) -> str:
    """The content as the file has it."""
    return json.dumps(content, indent=1) + "\n"


def _models(by_recipe: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The hub's models with a recipe for multi-turn RL: its name, and the template that it is made from."""
    return {
        model: {"recipe": recipe, "technique": NOVA if "nova-lite" in recipe else OTHERS}
        for recipe, model in by_recipe.items()
        if recipe.startswith("mtrl-")
    }


def _templates(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from _read(path)["templates"].items()


def _technique(template: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """Places and parameters; a template changes the base's entries, or in older commits has them whole."""
    places = {place: placeholder.strip("{}") for place, placeholder in _leaves(template["recipe_template"])}
    changes = template.get("override_parameters") or template.get("recipe_override_parameters") or {}
    names = list(dict.fromkeys([*changes, *places.values()]))
    return {
        "recipe_place_to_parameter": places,
        "parameters": {name: _facts({**base.get(name, {}), **changes.get(name, {})}) for name in names},
    }


def _facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {member: entry[member] for member in FACTS if entry.get(member) is not None}


def _leaves(section: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in section.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _read(path: Path, absent: Any = None) -> Any:
    if absent is not None and not path.exists():
        return absent
    return json.loads(path.read_text(encoding="utf-8"))


def _git(checkout: Path, form: str) -> str:
    command = ["git", "-C", str(checkout), "log", "-1", "--date=short", f"--format={form}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def renew(checkout: Path, target: Path = TARGET) -> None:
    """Writes the file from a checkout."""
    target.write_text(text(tables(checkout, _git(checkout, "%H"), _git(checkout, "%cd"))), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of aws/sagemaker-hyperpod-recipes")
    renew(parser.parse_args().checkout)
