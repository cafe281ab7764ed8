"""Hyperparameters: the typed arguments are the tables', values become text, and what no text stands for is refused."""

import ast
import inspect
from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Any, get_args, get_type_hints

import pytest
from aws_cdk import CfnParameter, Fn, Token
from synth.app import Synthesized, stack_of, synth, trainer

from agent_rft import HyperParameters, recipe_tables
from agent_rft.recipe_tables import NOVA, OTHERS, SET_BY_ARGUMENT, table
from agent_rft_handler.job.recipe_table import Parameter, range_of, value_problem

TYPES = {"integer": int, "number": float, "array": "Sequence"}
GPT_OSS = "openai-reasoning-gpt-oss-20b"


def arguments() -> dict[str, str]:
    """The typed arguments and their documentation."""
    names = [each.name for each in fields(HyperParameters) if each.name not in ("values", "unchecked")]
    (declared,) = [
        node for node in ast.parse(inspect.getsource(HyperParameters)).body if isinstance(node, ast.ClassDef)
    ]
    documented = {
        ast.unparse(field.target): str(ast.literal_eval(text.value))
        for field, text in pairwise(declared.body)
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr)
    }
    return {name: documented[name] for name in names}


def allowed(parameter: Parameter) -> str:
    """What the documentation must say that the table allows."""
    return range_of(parameter) if not parameter.choices else ", ".join(parameter.choices)


def test_there_is_an_argument_for_every_parameter_of_the_tables_and_no_other() -> None:
    names = {*table(OTHERS).parameters, *table(NOVA).parameters}
    assert set(arguments()) == names - SET_BY_ARGUMENT.keys()
    assert set(SET_BY_ARGUMENT) <= names


@pytest.mark.parametrize("name", sorted(arguments()))
def test_an_arguments_type_and_documentation_are_the_tables(name: str) -> None:
    plain, nova = table(OTHERS).parameters.get(name), table(NOVA).parameters[name]
    kind, *_ = get_args(get_type_hints(HyperParameters)[name])
    if nova.kind == "string":
        assert get_args(kind) == nova.choices
        assert plain == nova
        return
    assert TYPES[nova.kind] in (kind, getattr(kind, "__name__", ""))
    said = arguments()[name]
    if plain is None:
        assert said.endswith(f": only Nova: {allowed(nova)}.")
    elif allowed(plain) != allowed(nova):
        assert said.endswith(f": {allowed(plain)}; Nova: {allowed(nova)}.")
    else:
        assert said.endswith(f": {allowed(plain)}." if allowed(plain) else ".")


def sent(*given: Any, **more: Any) -> dict[str, Any]:
    return dict(synth(hyperparameters=HyperParameters(*given, **more)).job()["Hyperparameters"])


def refused(value: Any) -> str:
    """The sentence for a value of a mapping; the same for one of overrides."""
    said = []
    for argument in ("hyperparameters", "overrides"):
        given: dict[str, Any] = {argument: {"a": value}}
        with pytest.raises(ValueError, match=r"^\[S/Trainer\] ") as error:
            trainer(stack_of(), **given)
        said.append(str(error.value).replace("overrides: a", "hyperparameters['a']"))
    assert said[0] == said[1]
    return said[0].removeprefix("[S/Trainer] hyperparameters['a'] ")


def test_arguments_and_a_mapping_are_sent_together() -> None:
    assert sent({"other": 1}, max_epochs=2, learning_rate=1e-5, pass_k_values=[1, 4], unchecked={"lora_rank": 4}) == {
        "other": "1",
        "max_epochs": "2",
        "learning_rate": "1e-05",
        "pass_k_values": "[1, 4]",
        "lora_rank": "4",
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (HyperParameters({"max_steps": 1}, max_steps=2), "has max_steps both in values and in the arguments"),
        (
            HyperParameters(unchecked={"max_steps": 1}, max_steps=2),
            "has max_steps both in the arguments and in unchecked",
        ),
        (HyperParameters({"a": 1}, unchecked={"a": 1}), "has a both in values and in unchecked"),
    ],
)
def test_a_name_that_stands_twice_is_refused(given: HyperParameters, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        trainer(stack_of(), hyperparameters=given)


@pytest.mark.parametrize("argument", ["hyperparameters", "overrides"])
def test_a_name_is_text_that_is_known_at_synth(argument: str) -> None:
    number: dict[str, Any] = {argument: {2026: 1}}
    with pytest.raises(ValueError, match=rf"{argument}: 2026 is a name of type int, but must be text"):
        trainer(stack_of(), **number)
    stack = stack_of()
    token: dict[str, Any] = {argument: {CfnParameter(stack, "Name").value_as_string: 1}}
    with pytest.raises(ValueError, match=rf"{argument} has a name that is only known at deploy"):
        trainer(stack, **token)


class Text(StrEnum):
    A = "a"


class Mixed(str, Enum):  # noqa: UP042 - what users write
    A = "a"


class Number(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (0.00001, "1e-05"),
        (True, "True"),
        (2**60, str(2**60)),
        ((1, 4), "[1, 4]"),
        ([1, 2.0, "a", True, [1e-5]], "[1, 2.0, 'a', True, [1e-05]]"),
        ([], "[]"),
        (Text.A, "a"),
        (Mixed.A, "a"),
        (Number.ONE, "1"),
        ([Number.ONE], "[1]"),
    ],
)
def test_a_value_is_pythons_text(value: Any, text: str) -> None:
    assert sent({"a": value}) == {"a": text}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "is nan, but must be a finite number"),
        (float("inf"), "is inf, but must be a finite number"),
        ([1, float("-inf")], "is -inf, but must be a finite number"),
        ([[float("nan")]], "is nan, but must be a finite number"),
        ([1, None, 4], "has None in its list. Take it out."),
        ([1, [None]], "has None in its list. Take it out."),
        (
            date(2026, 6, 23),
            "is a date, but must be text, a number, a boolean or a list of them. Write it as text: '2026-",
        ),
        (datetime(2026, 6, 23, tzinfo=UTC), "is a datetime, but must be"),
        ([date(2026, 6, 23)], "is a date, but must be"),
        ({1, 4}, "is a set, but must be"),
        (b"1", "is a bytes, but must be"),
        ([{"a": 1}], "is a dict, but must be"),
        (
            Decimal("1.5"),
            "is a Decimal, but must be text, a number, a boolean or a list of them. Give float(...) of it.",
        ),
        (Fraction(1, 3), "is a Fraction, but must be"),
        (object(), "is a object, but must be"),
        (print, "is a builtin_function_or_method, but must be"),
        ("{1}", "is '{1}', but must be text of letters"),
        (["{1}"], """is "['{1}']", but must be text of letters"""),
    ],
)
def test_what_no_text_stands_for_is_refused_before_jsii_sees_it(value: Any, said: str) -> None:
    assert refused(value).startswith(said)


def test_a_parameter_in_the_place_of_its_value_is_refused_with_the_way_out() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"is a CfnParameter, but .* Give its value_as_string, or value_as_number\."):
        trainer(stack, hyperparameters={"a": CfnParameter(stack, "A")})


def test_tokens_arrive_resolved_also_inside_a_list() -> None:
    stack = stack_of()
    number = CfnParameter(stack, "Number", type="Number").value_as_number
    numbers = CfnParameter(stack, "Numbers", type="List<Number>").value_as_list
    given = {
        "number": number,
        "inside": [1, number, [number]],
        "list": numbers,
        "text": f"[1, {Token.as_string(number)}]",
        "attribute": Fn.get_att("X", "Y"),
    }
    trainer(stack, hyperparameters=HyperParameters({"none": None, "empty": "", **given}))
    found = Synthesized(stack).job()["Hyperparameters"]
    ref = {"Ref": "Number"}
    assert found == {
        "number": ref,
        "inside": {"Fn::Join": ["", ["[1, ", ref, ", [", ref, "]]"]]},
        "list": {"Fn::Join": ["", ["[", {"Fn::Join": [", ", {"Ref": "Numbers"}]}, "]"]]},
        "text": {"Fn::Join": ["", ["[1, ", ref, "]"]]},
        "attribute": {"Fn::GetAtt": ["X", "Y"]},
    }


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
        ({"max_epoch": 2}, f"['max_epoch'] is none of the parameters that {GPT_OSS} had; close to it is max_epochs."),
        ({"colour": "red"}, f"['colour'] is none of the parameters that {GPT_OSS} had."),
        ({"max_epochs": 31}, "['max_epochs'] is 31, but must be from 1 to 30."),
        ({"learning_rate": "fast"}, "['learning_rate'] is 'fast', but must be a number."),
        ({"max_steps": 7.5}, "['max_steps'] is '7.5', but must be an integer."),
        ({"loss_fn": "grpo"}, "['loss_fn'] is 'grpo', but must be one of importance_sampling, ppo, cispo."),
        ({"global_batch_size": 10}, "['global_batch_size'] is '10', but must be one of 32, 64, 128."),
        (
            {"pass_k_values": "banana"},
            "['pass_k_values'] is 'banana', but must be a list such as [1, 4], without None in it.",
        ),
        ({"save_every": 5}, f"['save_every'] is none of the parameters that {GPT_OSS} had; close to it is val_every."),
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
