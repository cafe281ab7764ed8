"""Recipe, overrides and hyperparameters: which wins, what is stripped, what is refused, and what goes unchecked."""

from pathlib import Path
from typing import Any

import pytest
from aws_cdk import CfnParameter
from synth.app import Synthesized, stack_of, synth, trainer

from agent_rft import HyperParameters


def written(directory: Path, text: str) -> Path:
    path = directory / "recipe.yaml"
    path.write_text(text)
    return path


def sent(**changed: Any) -> dict[str, str]:
    """The hyperparameters that the trainer declares."""
    return dict(synth(**{"hyperparameters": None, **changed}).job().get("Hyperparameters", {}))


def refused(**changed: Any) -> str:
    """The one sentence with which synth refuses."""
    with pytest.raises(ValueError, match=r"^\[S/Trainer\] ") as error:
        trainer(stack_of(), **changed)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_hyperparameters_win_over_overrides_and_these_over_the_recipe(tmp_path: Path) -> None:
    recipe = written(tmp_path, "training_config: {max_steps: 1, max_epochs: 1, val_every: 1, lora_rank: 16}")
    assert sent(
        recipe=recipe,
        overrides={"max_steps": 2, "training_config": {"max_epochs": 2, "val_every": None}},
        hyperparameters=HyperParameters({"max_steps": 3, "max_epochs": None}, unchecked={"lora_rank": 4}),
    ) == {"max_steps": "3", "max_epochs": "2", "lora_rank": "4"}


def test_a_recipes_values_are_written_as_hyperparameters_are(tmp_path: Path) -> None:
    text = """
        training_config:
          learning_rate: 0.00001
          adam_eps: 1e-8
          temperature: 1.0
          shuffle: yes
          absent:
          validation: {metrics: {pass_k_values: [1, 4]}}
          loss_fn: cispo
    """
    assert sent(recipe=written(tmp_path, text)) == {
        "learning_rate": "1e-05",
        "adam_eps": "1e-8",
        "temperature": "1.0",
        "shuffle": "True",
        "pass_k_values": "[1, 4]",
        "loss_fn": "cispo",
    }


def test_protected_keys_and_other_sections_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    text = "run: {name: x}\ntraining_config: {model_type: a, dataset_catalog: {train: b}, max_steps: 5, max_epochs: 1}"
    made = synth(recipe=written(tmp_path, text), overrides={"model_name_or_path": "c"}, hyperparameters=None)
    assert made.job()["Hyperparameters"] == {"max_steps": "5", "max_epochs": "1"}
    assert sorted(text.partition(":")[0].partition(".")[0] for text in made.warnings()) == [
        "The overrides cannot set model_name_or_path",
        "The recipe cannot set model_type, dataset_catalog",
        "The recipe's run is passed over",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "which is empty, but must be a YAML file with a mapping"),
        ("- 1", "which is of type list, but must be a YAML file with a mapping"),
        ("5", "which is of type int, but must be a YAML file with a mapping"),
        ("run: {name: x}", "a mapping training_config, or the sections of AWS's recipes"),
        ("max_steps: 5", "a mapping training_config"),
        ("training_config: 5", "a mapping training_config"),
        ("training_config: [", "is not readable YAML: while parsing"),
        ("a: 1\n---\nb: 2", "is not readable YAML: expected a single document"),
        ("training_config: {when: !!timestamp 2026-13-45}", "is not readable YAML: month must be"),
        (
            "training_config: {when: !!timestamp 2026-12-05}",
            "training_config.when is of type date, but must be",
        ),
        ("training_config: {when: !!set {a, b}}", "recipe.yaml: training_config.when is of type set, but must be"),
        ("training_config: {a: .nan}", "recipe.yaml: training_config.a is nan, but must be a finite number"),
        ("training_config: {a: [1, -.inf]}", "recipe.yaml: training_config.a is -inf, but must be a finite number"),
        ("training_config: {a: [1, null]}", "recipe.yaml: training_config.a has None in its list"),
        ("training_config: {a: [{b: 1}]}", "recipe.yaml: training_config.a is of type dict, but must be"),
        (
            "training_config: {on: 1}",
            "recipe.yaml: training_config.True is a name of type bool, but must be text. Quote it",
        ),
        ("training_config: &a {b: *a}", "is not readable YAML: "),
        ("training_config: {a: 1, a: 2}", "has a twice in one mapping"),
        ("training_config: {a: 1, b: {a: 2}}", "has a twice: training_config.a, training_config.b.a"),
        ("training_config: {a: '${b}'}", "recipe.yaml: training_config.a is '${b}'"),
    ],
)
def test_a_wrong_recipe_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(recipe=written(tmp_path, text), hyperparameters=None)


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("nobody.yaml", "'nobody.yaml', but there is no such file"),
        ("tests", "'tests', but there is no such file"),
        ("s3://bucket/recipe.yaml", "Download the file and give its local path"),
        ("https://host/recipe.yaml", "Download the file and give its local path"),
    ],
)
def test_a_recipe_elsewhere_is_refused(recipe: str, said: str) -> None:
    assert said in refused(recipe=recipe)


def test_a_recipe_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "is not readable YAML" in refused(recipe=path)


def test_a_recipe_known_only_at_deploy_is_refused_with_the_way_out() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"the file is read at synth\. Give a path"):
        trainer(stack, recipe=CfnParameter(stack, "Recipe").value_as_string)


def test_tokens_in_overrides_and_in_unchecked_arrive_resolved() -> None:
    stack = stack_of()
    number = CfnParameter(stack, "Number", type="Number").value_as_number
    unchecked = HyperParameters(unchecked={"b": number})
    trainer(stack, overrides={"training_config": {"a": number}}, hyperparameters=unchecked)
    assert Synthesized(stack).job()["Hyperparameters"] == {"a": {"Ref": "Number"}, "b": {"Ref": "Number"}}


def test_unchecked_names_cross_the_wire_and_absent_ones_do_not() -> None:
    job = synth(hyperparameters=HyperParameters({"a": 1}, unchecked={"c": 10, "b": True, "d": None})).job()
    assert job["Hyperparameters"] == {"a": "1", "c": "10", "b": "True"}
    assert job["UncheckedHyperparameters"] == ["b", "c"]
    assert "UncheckedHyperparameters" not in synth(hyperparameters=HyperParameters({"a": 1})).job()


def test_a_name_both_checked_and_unchecked_is_refused() -> None:
    twice = HyperParameters({"a": 1, "b": 1}, unchecked={"a": 2})
    assert "hyperparameters has a both in values and in unchecked" in refused(hyperparameters=twice)


def test_an_unchecked_value_has_the_services_characters_all_the_same() -> None:
    said = refused(hyperparameters=HyperParameters(unchecked={"a": "{1}"}))
    assert "hyperparameters['a'] is '{1}', but must be text of letters" in said


def test_two_names_that_stand_twice_in_overrides_come_together() -> None:
    with pytest.raises(ValueError, match=r"(?s)overrides has a twice: a, x.a.*overrides has b twice: b, x.b"):
        trainer(stack_of(), overrides={"a": 1, "b": 1, "x": {"a": 2, "b": 2}})
