"""The table of warnings: every one is in it, is used, can be acknowledged by its id."""

import ast
import re
from pathlib import Path

from aws_cdk import Annotations
from synth.app import Synthesized, stack_of, trainer

import agent_rft
from agent_rft import warnings

MODULES = sorted(Path(agent_rft.__file__).parent.rglob("*.py"))


def test_no_module_warns_of_what_is_not_in_the_table() -> None:
    for path in MODULES:
        if path.name != "warnings.py":
            assert not re.search(r"\.add_(warning|info)", path.read_text()), path


def test_every_warning_in_the_table_is_given_somewhere() -> None:
    used = {
        node.attr
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "warnings"
    }
    named = {name for name, value in vars(warnings).items() if isinstance(value, warnings.SynthWarning)}
    assert used == named


def test_ids_are_unique_words_and_sentences_end() -> None:
    ids = [each.id for each in warnings.ALL]
    assert len(set(ids)) == len(ids)
    for each in warnings.ALL:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", each.id)
        assert each.sentence.endswith(".")
        assert each.source


def test_a_warning_names_its_source_and_is_silenced_by_its_id() -> None:
    stack = stack_of()
    made = trainer(stack, hyperparameters={"max_steps": 5})
    (text,) = Synthesized(stack).warnings()
    assert f"[{warnings.ONE_LIMIT.source}]" in text
    Annotations.of(made).acknowledge_warning("cdk-agent-rft:one-limit", "the recipe's epochs will do")
    assert Synthesized(stack).warnings() == []


def test_a_dataset_that_is_only_known_at_deploy_is_warned_of_by_its_argument() -> None:
    from aws_cdk import CfnParameter

    stack = stack_of()
    trainer(stack, validation_dataset=CfnParameter(stack, "Data").value_as_string)
    (text,) = Synthesized(stack).warnings()
    assert text.startswith("validation_dataset is only known at deploy")
