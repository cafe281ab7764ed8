"""A recipe's table: values are compared as values, sent as the SDK writes them, and no table breaks the handler."""

from contextlib import suppress
from typing import Any

import pytest
from handler.world import World
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_rft_handler.errors import Refused
from agent_rft_handler.job.recipe_table import Parameter, as_sent, problems, range_of, read, sequence_length

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("type", "default", "min", "max", "enum", "required"), ANYTHING)
)
KINDS = ("", "integer", "float", "boolean", "array", "string", "object")


def judged(text: str, **entry: Any) -> str:
    """What is said of the value by a table of one entry; nothing when it is right."""
    return " ".join(problems({"a": text}, read({"a": {"required": True, **entry}}), 0))


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("1", {"type": "float", "enum": [1.0, 2.0]}),
        ("1.0", {"type": "float", "enum": [1, 2]}),
        ("0.00001", {"type": "float", "enum": [1e-05]}),
        ("1e-5", {"type": "float", "enum": ["0.00001"]}),
        ("8", {"type": "integer", "enum": ["8", "16"]}),
        ("1", {"enum": [1.0, 2.0]}),
        ("true", {"type": "boolean", "enum": [True]}),
        ("FALSE", {"type": "bool"}),
        ("[1, 4]", {"type": "array"}),
        ("[1,2,4]", {"type": "array"}),
        ("[]", {"type": "array"}),
        ('["a", true]', {"type": "list"}),
        ("1.0", {"type": "string", "enum": ["1.0"]}),
        ("banana", {"type": "fruit"}),
        ("banana", {}),
        ("5", {"type": "integer", "min": "many", "max": None}),
        ("5", {"type": "integer", "min": "1", "max": "9"}),
        ("1", {"type": "integer", "min": 1, "max": 30}),
        ("30", {"type": "integer", "min": 1, "max": 30}),
        ("5", {"type": "integer", "min": True}),
        ("5", {"type": "integer", "enum": "5"}),
        ("5", {"type": "integer", "enum": []}),
    ],
)
def test_a_value_is_judged_as_a_value_whatever_its_spelling(text: str, entry: dict[str, Any]) -> None:
    assert judged(text, **entry) == ""


@pytest.mark.parametrize(
    ("text", "entry", "said"),
    [
        ("banana", {"type": "boolean"}, "'banana', but must be true or false"),
        ("1", {"type": "boolean"}, "'1', but must be true or false"),
        ("banana", {"type": "array"}, "'banana', but must be a list such as [1, 4]"),
        ("1, 4", {"type": "array"}, "but must be a list"),
        ("[1, None, 4]", {"type": "array"}, "without None in it"),
        ("[1, [null]]", {"type": "array"}, "without None in it"),
        ("[1, 4", {"type": "array"}, "but must be a list"),
        ("True", {"type": "integer"}, "but must be an integer"),
        ("1.0", {"type": "integer"}, "but must be an integer"),
        ("9" * 5000, {"type": "integer"}, "but must be an integer"),
        ("1e999", {"type": "float"}, "but must be a number"),
        ("inf", {"type": "float"}, "but must be a number"),
        ("3", {"type": "float", "enum": [1.0, 2.0]}, "must be one of 1.0, 2.0"),
        ("1", {"type": "string", "enum": ["1.0"]}, "must be one of 1.0"),
        ("true", {"type": "boolean", "enum": [False]}, "must be one of False"),
        ("0", {"type": "integer", "min": 1}, "must be 1 or more"),
        ("2", {"type": "float", "max": 1.5}, "must be 1.5 or less"),
        ("2e-2", {"type": "float", "min": 1e-16, "max": 0.01}, "must be from 1e-16 to 0.01"),
    ],
)
def test_a_value_that_the_table_does_not_allow_is_refused_with_what_it_allows(
    text: str, entry: dict[str, Any], said: str
) -> None:
    assert said in judged(text, **entry)
    assert "HyperParameters(unchecked=...)" in judged(text, **entry)


@pytest.mark.parametrize(
    ("kind", "text", "sent"),
    [
        ("float", "0.00001", "1e-05"),
        ("float", "1e-5", "1e-05"),
        ("float", "1", "1"),
        ("float", "1.50", "1.5"),
        ("float", "1e20", "1e20"),
        ("integer", "007", "7"),
        ("boolean", "true", "True"),
        ("array", "[1,4]", "[1,4]"),
        ("string", "0.00001", "0.00001"),
        ("", "0.00001", "0.00001"),
        ("float", "banana", "banana"),
    ],
)
def test_a_value_is_sent_as_the_sdk_writes_it(kind: str, text: str, sent: str) -> None:
    spec = read({"a": {"type": kind}})
    assert as_sent({"a": text, "b": "true"}, spec) == {"a": sent, "b": "true"}
    assert as_sent({"a": text}, spec, unchecked=["a"]) == {"a": text}
    assert as_sent({"a": text}, None) == {"a": text}


@given(st.one_of(st.integers(-(10**9), 10**9), st.floats(-1e9, 1e9), st.booleans()))
def test_what_python_writes_is_right_by_its_type_and_sent_unchanged(value: object) -> None:
    kind = {int: "integer", float: "float", bool: "boolean"}[type(value)]
    assert judged(str(value), type=kind, enum=[value]) == ""
    assert as_sent({"a": str(value)}, read({"a": {"type": kind}})) == {"a": str(value)}


@given(st.text(max_size=12), st.sampled_from(KINDS), ENTRIES)
@settings(max_examples=300)
def test_no_text_and_no_entry_breaks_the_judgement(text: str, kind: str, entry: dict[str, Any]) -> None:
    table = read({"a": {**entry, "required": True}, "b": {"type": kind}})
    problems({"a": text, "b": text}, table, 1024)
    as_sent({"a": text, "b": text}, table)


@given(ANYTHING)
@settings(max_examples=300)
def test_a_table_is_read_or_said_to_be_none(content: object) -> None:
    with suppress(ValueError):
        assert set(map(type, read(content).values())) == {Parameter}


@pytest.mark.parametrize(
    "content",
    [[], [{"name": "max_epochs", "type": "integer"}], {}, {"training": {"max_epochs": {"type": "integer"}}}, 5, None],
)
def test_a_table_of_another_shape_leaves_hyperparameters_to_the_service_with_a_warning(
    world: World, caplog: pytest.LogCaptureFixture, content: Any
) -> None:
    world.s3.spec = content
    world.deliver("Create", world.declaration(hyperparameters={"anything": "1"}))
    assert "left to the service to check" in caplog.text
    assert "it is not a table of names" in caplog.text


def test_an_odd_entry_is_a_known_name_that_the_service_judges(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.s3.spec = {"max_epochs": {"type": "integer"}, "note": "see the docs", "nested": {"a": {"type": "integer"}}}
    world.deliver("Create", world.declaration(hyperparameters={"max_epochs": "1", "note": "x", "nested": "y"}))
    assert "says nothing readable of note, nested" in caplog.text


def test_an_unknown_name_comes_with_the_one_that_was_meant(world: World) -> None:
    with pytest.raises(Refused, match=r"has max_epoch, colour, which .* Close to max_epoch: max_epochs\."):
        world.deliver("Create", world.declaration(hyperparameters={"max_epoch": "1", "colour": "red"}))


def test_a_token_resolved_at_deploy_is_sent_as_the_sdk_writes_it(world: World) -> None:
    world.deliver("Create", world.declaration(hyperparameters={"learning_rate": "0.00001", "max_epochs": "2"}))
    assert world.document()["TrainingConfig"]["HyperParameters"] == {"learning_rate": "1e-05", "max_epochs": "2"}


LENGTHS = {"max_prompt_length": "32000", "max_response_length": "32000"}
SPEC = read({name: {"type": "integer", "default": 1024} for name in LENGTHS})


def test_a_sequence_that_is_too_long_is_refused_with_the_way_round() -> None:
    (sentence, _) = problems(LENGTHS, SPEC, 32768)
    assert sentence.endswith("sequences of 32768 tokens. Lower one of them, or give both in unchecked.")


@pytest.mark.parametrize("unchecked", [tuple(LENGTHS), tuple(LENGTHS)[:1], tuple(LENGTHS)[1:]])
def test_a_sequence_with_an_unchecked_part_is_left_to_the_service(unchecked: tuple[str, ...]) -> None:
    assert problems(LENGTHS, SPEC, 32768, unchecked) == []


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("32K", 32768),
        ("1K", 1024),
        (" 32k ", 32768),
        (32768, 32768),
        ("32768", 32768),
        (32, 0),
        ("32M", 0),
        ("K", 0),
        (None, 0),
        ("", 0),
        ([32768], 0),
        (-32768, 0),
        (32768.5, 0),
    ],
)
def test_a_sequence_length_is_kilo_tokens_or_tokens(written: object, tokens: int) -> None:
    assert sequence_length(written) == tokens


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(1, 30, "from 1 to 30"), (1, None, "1 or more"), (None, 86400, "86400 or less"), (None, None, "")],
)
def test_a_range_is_said_in_words(low: float | None, high: float | None, said: str) -> None:
    assert range_of(Parameter(low=low, high=high)) == said
