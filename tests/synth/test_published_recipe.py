"""A recipe file in AWS's published form: its places become hyperparameters, and other techniques are refused.

AWS's own files are not copied here: the file is written from the recipe tables' places, with values of ours, and with
the places without a hyperparameter that AWS's files have [cases F17, F18].
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from handler.world import World
from synth.app import Synthesized, stack_of, synth, trainer

from agent_rft import Model
from agent_rft_handler import contract

TABLES: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "constructs" / "agent_rft" / "data" / "recipe_tables.json").read_text()
)
GPT_OSS, NOVA, UNKNOWN = (
    "openai-reasoning-gpt-oss-20b",
    "nova-textgeneration-lite-v2",
    "huggingface-reasoning-qwen3-32b",
)
DESCRIPTION = {"name", "model_name_or_path"}
WITHOUT_PARAMETER = {
    "batch.val_group_size": 1,
    "rl.gamma": 1.0,
    "schedule.val_at_start": True,
    "rollout.rollout_tps": 5,
}


def value(entry: Mapping[str, Any]) -> Any:
    """A value that the table allows: not its default, so that a place that is not read shows."""
    if "enum" in entry:
        return next(choice for choice in entry["enum"] if choice != entry["default"])
    if entry["type"] == "array":
        return [1, 3]
    if entry["type"] == "string":
        return "words"
    return (int if entry["type"] == "integer" else float)(entry.get("min", 0.5))


def values(technique: str) -> dict[str, Any]:
    """A value for every parameter that a file of the technique has a place for."""
    table = TABLES["techniques"][technique]
    return {name: value(table["parameters"][name]) for name in table["recipe_place_to_parameter"].values()}


def written(directory: Path, technique: str, name: str = "", **changed: Any) -> Path:
    """The file with those places; ``a__b=1`` is one more place ``a.b``."""
    given = values(technique)
    places = {
        place: given[name] for place, name in TABLES["techniques"][technique]["recipe_place_to_parameter"].items()
    }
    more = {place.replace("__", "."): item for place, item in changed.items()}
    content: dict[str, Any] = {"display_name": "Agentic RFT", "recipe_version": "1.0.0"}
    for place, item in {**places, **WITHOUT_PARAMETER, "run.model_type": "mtrl", "run.name": name, **more}.items():
        section, _, leaf = place.partition(".")
        content.setdefault(section, {})[leaf] = item
    path = directory / "mtrl.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def texts(technique: str) -> dict[str, str]:
    return {name: str(item) for name, item in values(technique).items() if name not in DESCRIPTION}


def refused(recipe: Path) -> str:
    """The one sentence with which synth refuses the file."""
    with pytest.raises(ValueError, match=r"^\[S/Trainer\] ") as error:
        trainer(stack_of(), recipe=recipe, hyperparameters=None)
    return str(error.value)


@pytest.mark.parametrize(("model", "technique"), [(GPT_OSS, "mtrl_lora"), (NOVA, "mtrl_nova_lite_lora")])
def test_every_place_of_the_models_table_becomes_its_hyperparameter(tmp_path: Path, model: str, technique: str) -> None:
    made = synth(model=model, recipe=written(tmp_path, technique), hyperparameters=None)
    assert made.job()["Hyperparameters"] == texts(technique)


@pytest.mark.parametrize("model", [UNKNOWN, "amazon.nova-pro-v1"])
def test_a_model_without_a_published_recipe_has_the_places_of_its_kind(tmp_path: Path, model: str) -> None:
    technique = "mtrl_nova_lite_lora" if "nova" in model else "mtrl_lora"
    made = synth(model=model, recipe=written(tmp_path, technique), hyperparameters=None)
    assert made.job()["Hyperparameters"] == texts(technique)


def test_what_has_no_hyperparameter_is_said_in_one_warning(tmp_path: Path) -> None:
    path = written(tmp_path, "mtrl_nova_lite_lora", batch__val_batch_size=None)
    warnings = synth(model=GPT_OSS, recipe=path, hyperparameters=None).warnings()
    said = next(text for text in warnings if "no hyperparameter of the job says" in text)
    nova_only = {"schedule.save_every", "model.lora_plus_lr_ratio"}
    places = said.removeprefix(f"{path}: no hyperparameter of the job says ").partition(". It is passed over.")[0]
    assert set(places.split(", ")) == {*WITHOUT_PARAMETER, *nova_only}


def test_the_file_deploys_by_the_table_that_the_hub_has(tmp_path: Path, world: World) -> None:
    recipe = written(tmp_path, "mtrl_lora", model__learning_rate="1e-5")
    properties = synth(recipe=recipe, hyperparameters=None).job()
    declared = contract.from_properties({"Hyperparameters": properties["Hyperparameters"]}).hyperparameters
    world.s3.spec = TABLES["techniques"]["mtrl_lora"]["parameters"]
    world.deliver("Create", world.declaration(model=GPT_OSS, hyperparameters=declared))
    sent = world.document()["TrainingConfig"]["HyperParameters"]
    assert sent == {**texts("mtrl_lora"), "learning_rate": "1e-05"}


def test_overrides_and_hyperparameters_come_before_the_file(tmp_path: Path) -> None:
    given = {"overrides": {"max_epochs": 2, "lora_rank": None}, "hyperparameters": {"max_steps": 7}}
    sent = synth(recipe=written(tmp_path, "mtrl_lora"), **given).job()["Hyperparameters"]
    rest = {name: text for name, text in texts("mtrl_lora").items() if name != "lora_rank"}
    assert sent == {**rest, "max_epochs": "2", "max_steps": "7"}


def test_a_value_out_of_range_warns_with_file_and_place(tmp_path: Path) -> None:
    path = written(tmp_path, "mtrl_lora", schedule__epochs=31)
    warnings = synth(recipe=path, hyperparameters=None).warnings()
    assert any(text.startswith(f"{path}: schedule.epochs is 31, but must be from 1 to 30.") for text in warnings)


def test_a_value_that_cannot_be_sent_is_refused_with_file_and_place(tmp_path: Path) -> None:
    path = written(tmp_path, "mtrl_lora", rl__loss_fn="{ppo}")
    assert refused(path).startswith(f"[S/Trainer] {path}: rl.loss_fn is '{{ppo}}', but must be text of letters")


def test_two_places_of_one_hyperparameter_must_agree(tmp_path: Path) -> None:
    path = written(tmp_path, "mtrl_lora", val_sampling_params__max_tokens=8192)
    assert refused(path).startswith(
        f"[S/Trainer] {path}: sampling_params.max_tokens is 512 and val_sampling_params.max_tokens is 8192, but"
    )


@pytest.mark.parametrize(
    ("model", "warned"),
    [
        (GPT_OSS, False),
        (f"arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/{GPT_OSS}/1.0.0", False),
        (Model.from_model_package("arn:aws:sagemaker:us-west-2:111122223333:model-package/tuned/1"), False),
        (NOVA, True),
    ],
)
def test_a_recipe_of_another_model_warns(tmp_path: Path, model: Any, warned: bool) -> None:
    recipe = written(tmp_path, "mtrl_lora", name="mtrl-gpt-oss-20b-lora")
    warnings = synth(model=model, recipe=recipe, hyperparameters=None).warnings()
    said = f"run.name is mtrl-gpt-oss-20b-lora, the recipe of {GPT_OSS}, but model is"
    assert any(said in text for text in warnings) is warned


OTHERS = {
    "GRPO": "defaults: [/hydra_config/verl/default, /hydra_config/verl/algorithm/grpo]\ntraining_config: {a: 1}",
    "GRPO, by its sections": "run: {name: verl-grpo-x}\ntraining_config: {actor_rollout_ref: {actor: {lr: 1}}}",
    "SFT": "run: {name: my-lora-sft-run, model_type: 'amazon.nova-2-lite-v1:0:256k'}\ntraining_config: {max_steps: 1}",
    "DPO": "run: {name: x, model_type: 'amazon.nova-lite-v1:0:300k'}\ntraining_config: {model: {dpo_cfg: {beta: 1}}}",
    "PPO": "run: {name: x, model_type: 'amazon.nova-lite-v1:0:300k'}\nppo_reward: {max_length: 8192}",
    "single-turn RFT": "run: {name: my-rft-run, model_type: 'amazon.nova-2-lite-v1:0:256k'}\ntraining_config: {a: 1}",
    "evaluation": "run: {name: x, model_type: mtrl}\neval_metrics_config: {success_threshold: 1}\nrollout: {}",
    "evaluation, of a benchmark": "run: {name: x}\nevaluation: {task: mmlu}",
    "another technique": "run: {name: x, model_type: hyperpod_checkpointless_nemo}\nmodel: {config: {a: 1}}",
}


@pytest.mark.parametrize("technique", OTHERS)
def test_a_recipe_of_another_technique_is_refused_in_one_sentence(tmp_path: Path, technique: str) -> None:
    (tmp_path / "evaluation").mkdir()
    path = tmp_path / "evaluation" / "x.yaml"
    path.write_text(OTHERS[technique])
    said = refused(path)
    assert f"recipe is '{path}', which by its " in said
    assert f" is for {technique.partition(',')[0]}, but the job is for multi-turn RL: " in said
    assert (said.count(". "), said.count("\n")) == (0, 0)


def test_the_sdks_form_may_have_sections_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "sft-like-name.yaml"
    path.write_text("run: {name: my-sft-like-run}\nevaluation: {a: 1}\ntraining_config: {max_steps: 5, max_epochs: 1}")
    assert synth(recipe=path, hyperparameters=None).job()["Hyperparameters"] == {"max_steps": "5", "max_epochs": "1"}


def test_a_recipe_warns_of_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mtrl.yaml"
    path.write_text("schedule: {epochs: 2, max_steps: 50}\nbatch: {training_batch_size: 64}")
    stack = stack_of()
    trainer(stack, recipe=path, hyperparameters=None)
    assert Synthesized(stack).warnings() == []
