"""The recipe tables: what the renewal takes from a checkout of AWS's recipes, and that the file is what it writes."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import renew_recipe_tables
from scripts.renew_recipe_tables import TARGET, TEMPLATES, tables, text

CONTENT: dict[str, Any] = json.loads(TARGET.read_text())
COMMIT = CONTENT["source"].partition(" at ")[2].partition(",")[0]
PROSE = {"description": "AWS's words", "hint": "from {min} to {max}", "category": "hyperparameter"}


def template(places: dict[str, str]) -> dict[str, Any]:
    """``run.name: name`` as AWS's files have it: ``{"run": {"name": "{{name}}"}}``."""
    nested: dict[str, Any] = {}
    for place, name in places.items():
        *sections, leaf = place.split(".")
        inner = nested
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[leaf] = f"{{{{{name}}}}}"
    return nested


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


@pytest.fixture(params=["whole entries", "changes to a base"])
def checkout(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """AWS's layout with the facts of our file in it: entries in the templates, or what a template changes of a base."""
    folder = tmp_path / TEMPLATES
    models = {entry["recipe"]: model for model, entry in CONTENT["models"].items()}
    write(
        folder / "jumpstart_model-id_map.json", {**models, "verl-sft-qwen-3-8b-lora": "huggingface-reasoning-qwen3-8b"}
    )
    base: dict[str, Any] = {"fine_tuning": {}, "evaluation": {}}
    templates: dict[str, Any] = {"mtrl": {}, "mtrl_eval": {}}
    for name, found in CONTENT["techniques"].items():
        kind = "mtrl_eval" if name == "mtrl_eval" else "mtrl"
        entries = {key: {**entry, **PROSE} for key, entry in found["parameters"].items()}
        group: dict[str, Any] = {"recipe_template": template(found["recipe_place_to_parameter"])}
        if request.param == "whole entries":
            group["recipe_override_parameters"] = entries
        else:
            group["override_parameters"] = {key: {**entry, "unset": None} for key, entry in entries.items()}
            shared = {key: {"type": entry["type"], "default": "of the base"} for key, entry in entries.items()}
            base[renew_recipe_tables.TECHNIQUES[kind]] |= shared
        templates[kind][name] = group
    for kind, groups in templates.items():
        write(folder / kind / f"{kind}_recipe_template_parameters.json", {"_comment": [], "templates": groups})
    if request.param != "whole entries":
        write(folder / "base_override_parameters.json", base)
    return tmp_path


def test_the_file_is_what_the_renewal_writes_of_those_facts(checkout: Path) -> None:
    assert text(tables(checkout, COMMIT, CONTENT["date"])) == TARGET.read_text()


def test_commit_and_date_are_the_checkouts(tmp_path: Path, checkout: Path) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "recipes"]):
        subprocess.run(["git", "-C", str(checkout), *command], check=True)
    renew_recipe_tables.renew(checkout, tmp_path / "written.json")
    written = json.loads((tmp_path / "written.json").read_text())
    assert written["techniques"] == CONTENT["techniques"]
    assert re.fullmatch(r".* at [0-9a-f]{40}, .*", written["source"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", written["date"])


def test_a_bound_that_a_template_takes_away_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / TEMPLATES
    write(folder / "jumpstart_model-id_map.json", {})
    write(folder / "base_override_parameters.json", {"fine_tuning": {"a": {"type": "integer", "enum": [1], "min": 0}}})
    group = {"recipe_template": {"x": "{{a}}"}, "override_parameters": {"a": {"enum": None, "max": 9}, "b": {}}}
    write(folder / "mtrl" / "mtrl_recipe_template_parameters.json", {"templates": {"t": group}})
    write(folder / "mtrl_eval" / "mtrl_eval_recipe_template_parameters.json", {"templates": {}})
    assert tables(tmp_path, "c", "d")["techniques"]["t"] == {
        "recipe_place_to_parameter": {"x": "a"},
        "parameters": {"a": {"type": "integer", "min": 0, "max": 9}, "b": {}},
    }
