"""A value becomes Python's text, tokens stay in their places, and what no text stands for is refused."""

from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsii
import pytest
from aws_cdk import CfnParameter, Fn, IStableAnyProducer, Lazy, Token
from synth.app import Synthesized, stack_of, synth, trainer

from agent_rft import HyperParameters


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


class Text(StrEnum):
    A = "a"


class Mixed(str, Enum):  # noqa: UP042 - what users write
    A = "a"


class Number(IntEnum):
    ONE = 1


class Odd(Enum):
    NOTHING = None
    SET = frozenset({1})


@jsii.implements(IStableAnyProducer)
class Five:
    """A value that CDK asks for when it writes the template."""

    def produce(self) -> int:
        return 5


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
        ([Number.ONE, Text.A, Mixed.A], "[1, 'a', 'a']"),
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
            "is of type date, but must be text, a number, a boolean or a list of them. Write it as text: '2026-",
        ),
        (datetime(2026, 6, 23, tzinfo=UTC), "is of type datetime, but must be"),
        ([date(2026, 6, 23)], "is of type date, but must be"),
        ({1, 4}, "is of type set, but must be"),
        (b"1", "is of type bytes, but must be"),
        ([{"a": 1}], "is of type dict, but must be"),
        (
            Decimal("1.5"),
            "is of type Decimal, but must be text, a number, a boolean or a list of them. Give float(...) of it.",
        ),
        (Fraction(1, 3), "is of type Fraction, but must be"),
        (Odd.NOTHING, "is of type NoneType, but must be"),
        (Odd.SET, "is of type frozenset, but must be"),
        (Path("a"), "is of type PosixPath, but must be text, a number, a boolean or a list of them. Give its text."),
        (object(), "is of type object, but must be"),
        (print, "is of type builtin_function_or_method, but must be"),
        ("{1}", "is '{1}', but must be text of letters"),
        (["{1}"], """is "['{1}']", but must be text of letters"""),
    ],
)
def test_what_no_text_stands_for_is_refused_before_jsii_sees_it(value: Any, said: str) -> None:
    assert refused(value).startswith(said)


def test_a_parameter_in_the_place_of_its_value_is_refused_with_the_way_out() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"type CfnParameter, but .* Give its value_as_string, or value_as_number\."):
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
        "lazy": Lazy.any(Five()),
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
        "lazy": 5,
    }


def test_what_is_written_beside_a_token_has_the_services_characters() -> None:
    stack = stack_of()
    token = CfnParameter(stack, "Token").value_as_string
    with pytest.raises(ValueError, match=r"'a'\] is '\{\$\{Token\[.*\]\}\}', but must be text"):
        trainer(stack, hyperparameters={"a": f"{{{token}}}", "b": f"[{token}]", "c": f"{token}{token}"})
