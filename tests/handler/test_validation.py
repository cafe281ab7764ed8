"""What is wrong with a declaration, for every row of the table of arguments."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agent_rft_handler import facts, validation
from agent_rft_handler.contract import ARGUMENTS, Argument, Declaration, Replacement

PLAIN = Declaration(
    job_category=facts.AGENT_RFT.name,
    role_arn=facts.ROLE_ARN.example,
    model=facts.HUB_CONTENT_NAME.example,
    agent_env=facts.AGENT_RUNTIME_ARN.example,
    training_dataset=facts.S3_URI.example,
    s3_output_path="s3://out/output",
    output_model_package_group="tuned",
    intermediate_checkpoint_model_package_group="checkpoints",
    security_group_ids=[facts.SECURITY_GROUP_ID.example],
    subnets=[facts.SUBNET_ID.example],
)

CHECKED = [argument for argument in ARGUMENTS if argument.forms or argument.choices]


def with_value(argument: Argument, text: str) -> Declaration:
    """The plain declaration with this text for one argument, in a list where it has one."""
    changed: Any = {argument.field_name: [text] if argument.kind is Sequence else text}
    return replace(PLAIN, **changed)


def test_the_plain_declaration_has_no_problem() -> None:
    assert validation.problems(PLAIN) == []


@pytest.mark.parametrize("argument", CHECKED, ids=lambda argument: argument.field_name)
def test_a_value_of_no_form_is_refused_by_the_users_name_for_the_argument(argument: Argument) -> None:
    (problem,) = validation.problems(with_value(argument, "no such! thing"))
    assert problem.startswith(f"{argument.name} is 'no such! thing', but must be ")
    assert all(form.sentence in problem for form in argument.forms)
    assert all(choice in problem for choice in argument.choices)


@pytest.mark.parametrize("argument", CHECKED, ids=lambda argument: argument.field_name)
def test_each_form_and_choice_passes_and_so_does_what_is_unresolved(argument: Argument) -> None:
    for text in [form.example for form in argument.forms] + list(argument.choices):
        assert not any(problem.startswith(argument.name) for problem in validation.problems(with_value(argument, text)))
    assert validation.problems(with_value(argument, "a token!"), unresolved=lambda value: value == "a token!") == []


@pytest.mark.parametrize("argument", [each for each in ARGUMENTS if each.required], ids=lambda each: each.field_name)
def test_an_absent_argument_that_is_required_is_refused(argument: Argument) -> None:
    (problem,) = validation.problems(with_value(argument, ""))
    assert problem.startswith(f"{argument.name} is missing, but must be ")


def test_an_alias_counts_as_the_value_that_it_stands_for() -> None:
    assert validation.problems(replace(PLAIN, model="amazon.nova-2-lite-v1")) == []


def test_a_text_is_checked_as_it_is_given_and_anything_else_is_not() -> None:
    given = {"role": "my role!", "kms_key": "alias/mine", "model": object(), "agent_env": None, "tags": "x"}
    assert [problem.split(" is ")[0] for problem in validation.given_problems(given)] == ["role", "kms_key"]
    assert list(validation.given_problems({"role": "rft"})) == []
    (problem,) = validation.given_problems({"kms_key": ""})
    assert problem.startswith("kms_key is '', but must be the ARN of a KMS key")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"intermediate_checkpoint_model_package_group": "tuned"}, "are both 'tuned', but must differ"),
        ({"subnets": ()}, "security_groups is given without vpc_subnets, but a job in a VPC needs both"),
        ({"security_group_ids": ()}, "vpc_subnets is given without security_groups, but a job in a VPC needs both"),
    ],
)
def test_what_does_not_go_together_is_refused_once(changed: dict[str, Any], said: str) -> None:
    (problem,) = validation.problems(replace(PLAIN, **changed))
    assert said in problem


def test_every_choice_of_a_replacement_is_its_own_text() -> None:
    assert [f"{choice}" for choice in Replacement] == ["refuse", "stop_first", "submit_first"]
