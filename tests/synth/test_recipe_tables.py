"""At synth, hyperparameters of a model with a published recipe are compared with its table, and warned of."""

from datetime import date
from typing import Any

import pytest
from aws_cdk import CfnParameter
from synth.app import Synthesized, stack_of, synth, trainer

from agent_rft import HyperParameters
from agent_rft.hyperparameters import recipe_tables
from agent_rft.hyperparameters.recipe_tables import NOVA, OTHERS, table
from agent_rft_handler.job.recipe_table import value_problem

GPT_OSS = "openai-reasoning-gpt-oss-20b"


def warnings(**given: Any) -> list[str]:
    """The warnings about hyperparameters, without where they come from."""
    ends = {"max_epochs": 1, "max_steps": 10}
    hyperparameters = given.pop("hyperparameters", HyperParameters({**ends, **given.pop("values", {})}))
    found = synth(hyperparameters=hyperparameters, **given).warnings()
    told = [text.partition(" So says AWS's table")[0].partition(" [github")[0] for text in found]
    return [text for text in told if "hyperparameters[" in text]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"max_epoch": 2},
            f"['max_epoch'] is not one of the parameters that {GPT_OSS} had; close to it is max_epochs.",
        ),
        ({"colour": "red"}, f"['colour'] is not one of the parameters that {GPT_OSS} had."),
        ({"max_epochs": 31}, "['max_epochs'] is 31, but must be from 1 to 30."),
        ({"learning_rate": "fast"}, "['learning_rate'] is 'fast', but must be a number."),
        ({"max_steps": 7.5}, "['max_steps'] is '7.5', but must be an integer."),
        ({"loss_fn": "grpo"}, "['loss_fn'] is 'grpo', but must be one of importance_sampling, ppo, cispo."),
        ({"global_batch_size": 10}, "['global_batch_size'] is '10', but must be one of 32, 64, 128."),
        (
            {"pass_k_values": "banana"},
            "['pass_k_values'] is 'banana', but must be a list such as [1, 4], without None in it.",
        ),
        (
            {"save_every": 5},
            f"['save_every'] is not one of the parameters that {GPT_OSS} had; close to it is val_every.",
        ),
        ({"name": "mine"}, "['name']: the service sets it from base_job_name. Leave it out."),
        ({"model_name_or_path": "x"}, "['model_name_or_path']: the service sets it from model. Leave it out."),
        ({"data_path": "x"}, "['data_path']: the service sets it from training_dataset. Leave it out."),
        ({"output_path": "x"}, "['output_path']: the service sets it from s3_output_path. Leave it out."),
    ],
)
def test_what_the_published_table_does_not_take_warns_and_is_sent(values: dict[str, Any], said: str) -> None:
    assert warnings(values=values) == [f"hyperparameters{said}"]


def test_a_warning_names_the_table_and_can_be_acknowledged() -> None:
    (text,) = synth(hyperparameters=HyperParameters({"max_epochs": 31, "max_steps": 1})).warnings()
    assert text.endswith(
        f" So says AWS's table of {recipe_tables.date()}; the hub's decides at deploy. "
        "[github aws/sagemaker-hyperpod-recipes] [ack: cdk-agent-rft:recipe-table]"
    )


@pytest.mark.parametrize("model", ["nova-textgeneration-lite-v2", "amazon.nova-2-lite-v1"])
def test_a_nova_model_has_a_table_of_its_own(model: str) -> None:
    nova = {"save_every": 5, "lora_plus_lr_ratio": 8, "global_batch_size": 8}
    assert warnings(model=model, values=nova) == []
    assert warnings(model=model, values={"lora_rank": 64}) == [
        "hyperparameters['lora_rank'] is 64, but must be from 16 to 32."
    ]


def test_a_model_without_a_published_recipe_and_one_known_at_deploy_warn_of_nothing() -> None:
    assert warnings(model="huggingface-reasoning-qwen3-32b", values={"max_epoch": 2, "lora_rank": 512}) == []
    stack = stack_of()
    trainer(
        stack,
        model=CfnParameter(stack, "Model").value_as_string,
        hyperparameters={"max_epochs": 99, "max_steps": 1},
    )
    assert not any("hyperparameters[" in text for text in Synthesized(stack).warnings())


def test_unchecked_names_and_values_known_at_deploy_warn_of_nothing() -> None:
    stack = stack_of()
    number = CfnParameter(stack, "Number", type="Number").value_as_number
    given = HyperParameters({"max_epochs": number, "max_steps": 1}, unchecked={"max_epoch": 1, "lora_rank": 512})
    trainer(stack, hyperparameters=given)
    assert Synthesized(stack).warnings() == []


def test_the_tables_say_where_and_when_they_are_from() -> None:
    assert date.fromisoformat(recipe_tables.date()) < date(2100, 1, 1)
    for technique in (OTHERS, NOVA, recipe_tables.EVALUATION):
        found = table(technique)
        assert set(found.places.values()) <= found.parameters.keys()


@pytest.mark.parametrize("technique", [OTHERS, NOVA, recipe_tables.EVALUATION])
def test_every_default_of_the_tables_is_right_by_its_own_entry(technique: str) -> None:
    for name, parameter in table(technique).parameters.items():
        assert not value_problem(name, parameter.default, parameter)
