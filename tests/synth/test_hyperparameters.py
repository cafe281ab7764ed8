"""The typed arguments are the recipe tables', and what is given by argument and by mapping is sent together."""

import ast
import inspect
from dataclasses import fields
from itertools import pairwise
from typing import Any, get_args, get_type_hints

import pytest
from aws_cdk import CfnParameter
from synth.app import stack_of, synth, trainer

from agent_rft import HyperParameters
from agent_rft.hyperparameters.recipe_tables import NOVA, OTHERS, SET_BY_ARGUMENT, table
from agent_rft_handler.job.recipe_table import Parameter, range_of

TYPES = {"integer": int, "number": float, "array": "Sequence"}


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
    with pytest.raises(TypeError, match=rf"a name in {argument} is 2026, but must be text"):
        trainer(stack_of(), **number)
    stack = stack_of()
    token: dict[str, Any] = {argument: {CfnParameter(stack, "Name").value_as_string: 1}}
    with pytest.raises(ValueError, match=rf"{argument} has a name that is only known at deploy"):
        trainer(stack, **token)
