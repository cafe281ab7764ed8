"""What is wrong with a declaration, for every row of the table of arguments."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agent_rft_handler import facts, validation
from agent_rft_handler.declaration import ARGUMENTS, Argument, Declaration, Replacement

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

EVALUATION = replace(
    PLAIN,
    job_category=facts.AGENT_RFT_EVALUATION.name,
    training_dataset="",
    output_model_package_group="",
    intermediate_checkpoint_model_package_group="",
    dataset=facts.S3_URI.example,
)

DECLARED = {plain.job_category: plain for plain in (PLAIN, EVALUATION)}

CHECKED = [
    (plain, argument)
    for plain in DECLARED.values()
    for argument in ARGUMENTS
    if (argument.forms or argument.choices) and facts.CATEGORIES[plain.job_category] in argument.categories
]

of_both = pytest.mark.parametrize(
    ("plain", "argument"), CHECKED, ids=[f"{plain.job_category}-{argument.field_name}" for plain, argument in CHECKED]
)


def with_value(plain: Declaration, argument: Argument, text: str) -> Declaration:
    """The plain declaration with this text for one argument, in a list where it has one."""
    changed: Any = {argument.field_name: [text] if argument.kind is Sequence else text}
    return replace(plain, **changed)


@pytest.mark.parametrize("category", DECLARED)
def test_the_plain_declaration_has_no_problem(category: str) -> None:
    assert validation.problems(DECLARED[category]) == []


@of_both
def test_a_value_of_no_form_is_refused_by_the_users_name_for_the_argument(
    plain: Declaration, argument: Argument
) -> None:
    (problem, *missing) = validation.problems(with_value(plain, argument, "no such! thing"))
    name = argument.named(plain.job_category)
    assert problem.startswith(f"{name} is 'no such! thing', but must be ")
    assert bool(missing) == (plain is EVALUATION and name == "job_category")  # then it is judged as a training
    assert all(form.sentence in problem for form in argument.forms)
    assert all(choice in problem for choice in argument.choices)


@of_both
def test_each_form_and_choice_passes_and_so_does_what_is_unresolved(plain: Declaration, argument: Argument) -> None:
    name = argument.named(plain.job_category)
    for text in [form.example for form in argument.forms] + list(argument.choices):
        problems = validation.problems(with_value(plain, argument, text))
        assert not any(problem.startswith(name) for problem in problems)
    given = with_value(plain, argument, "a token!")

    def is_token(value: object) -> bool:
        return value == "a token!"

    problems = validation.problems(
        given, unresolved=is_token, accepts=lambda form, text: is_token(text) or form.accepts(text)
    )
    assert not any(problem.startswith(name) for problem in problems)


@of_both
def test_an_absent_argument_that_is_required_is_refused(plain: Declaration, argument: Argument) -> None:
    problems = validation.problems(with_value(plain, argument, ""))
    missing = [each for each in problems if each.startswith(f"{argument.named(plain.job_category)} is missing, but ")]
    assert bool(missing) == argument.required


@pytest.mark.parametrize("seconds", [0, 1, 9, 10, 86_400, 99_999, 100_000, 259_199, 259_200, 259_201, 300_000])
def test_a_stopping_condition_is_from_a_second_to_three_days(seconds: int) -> None:
    problems = validation.problems(replace(EVALUATION, stopping_condition=str(seconds)))
    assert bool(problems) == (not 1 <= seconds <= 259_200)


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


@pytest.mark.parametrize("name", ["dry_run", "accept_eula"])
def test_a_text_that_is_neither_true_nor_false_is_refused(name: str) -> None:
    given: Any = {name: "yes"}
    (problem,) = validation.problems(replace(PLAIN, **given))
    assert problem == f"{name} is 'yes', but must be true or false. Write one of them."
    assert validation.problems(replace(PLAIN, **given), unresolved=lambda value: value == "yes") == []


def test_every_choice_of_a_replacement_is_its_own_text() -> None:
    assert [f"{choice}" for choice in Replacement] == ["refuse", "stop_first", "submit_first"]


TOKEN = "${Token[TOKEN.9]}"


def unresolved(value: object) -> bool:
    return value == TOKEN


def accepts(fact: facts.Fact, value: str) -> bool:
    return unresolved(value) or fact.accepts(value)


def problems_of(given: Declaration, region: str = "", account: str = "") -> list[str]:
    """What is wrong where TOKEN is known at deploy only."""
    return validation.problems(given, unresolved=unresolved, accepts=accepts, region=region, account=account)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("k", "", ""),
        ("k" * 128, "v" * 256, ""),
        ("Cost Center_.:/=+-@", "1 é", ""),
        ("", "v", "tags has the key ''"),
        ("k" * 129, "v", "(129 characters), but a key has 1 to 128 characters"),
        ("aws:mine", "v", "does not start with aws: or "),
        ("AWS:mine", "v", "does not start with aws: or "),
        ("k", "v" * 257, "(257 characters), but a value has at most 256"),
        ("k", "a,b", "tags['k'] is 'a,b', but a value"),
        ("a,b", "v", "tags['a,b'] is 'v', but a value"),
    ],
)
def test_a_tag_is_judged_by_lengths_start_and_signs(key: str, value: str, said: str) -> None:
    problems = list(validation.tag_problems({key: value}))
    assert [said in problem for problem in problems] == ([True] if said else [])


def test_a_tags_key_or_value_that_is_not_known_yet_passes_and_the_next_is_judged() -> None:
    tags = {TOKEN: "a,b", "k": TOKEN, "l": "a,b"}
    assert len(list(validation.tag_problems(tags, unresolved))) == 1


def test_as_many_tags_as_there_is_room_for_pass_and_one_more_does_not() -> None:
    room = facts.TAGS_MAX - len(facts.OWN_TAGS)
    assert list(validation.tag_problems({f"k{index}": "" for index in range(room)})) == []
    (problem,) = validation.tag_problems({f"k{index}": "" for index in range(room + 1)})
    assert f"Keep at most {room}" in problem


def test_a_long_value_is_quoted_by_its_two_ends_and_its_length() -> None:
    assert validation.shown("x" * 118) == repr("x" * 118)
    assert validation.shown("a" * 100 + "b" * 19) == f"'{'a' * 79}...{'a' * 10}{'b' * 19}' (119 characters)"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"agent_env": "arn:aws:lambda:us-east-1:111122223333:function:a"},
            "in us-east-1, but the job runs in us-west-2",
        ),
        ({"agent_env": "arn:aws:lambda:us-west-2:111122223333:function:a"}, ""),
        (
            {"role_arn": "arn:aws:iam::444455556666:role/rft"},
            "of account 444455556666, but the job runs",
        ),
        ({"role_arn": "arn:aws:iam::111122223333:role/rft"}, ""),
        ({"agent_env": TOKEN, "role_arn": TOKEN}, ""),
    ],
)
def test_a_thing_of_another_region_or_account_is_refused_where_both_are_known(
    changed: dict[str, Any], said: str
) -> None:
    here = replace(PLAIN, agent_env="my-AbCdEfGhIj", role_arn="arn:aws:iam::111122223333:role/rft")
    given = replace(here, **changed)
    problems = problems_of(given, region="us-west-2", account="111122223333")
    assert [said in problem for problem in problems] == ([True] if said else [])
    assert problems_of(given, region=TOKEN, account=TOKEN) == []


def test_an_endpoint_is_named_once_or_twice_the_same() -> None:
    agent = f"{facts.AGENT_RUNTIME_ARN.example.partition('/runtime-endpoint')[0]}/runtime-endpoint/PROD"
    for qualifier, problems in (("", 0), (facts.DEFAULT_QUALIFIER, 0), ("PROD", 0), (TOKEN, 0), ("TEST", 1)):
        given = replace(PLAIN, agent_env=agent, bedrock_agentcore_qualifier=qualifier)
        assert len(problems_of(given)) == problems, qualifier
    unknown = replace(PLAIN, agent_env=TOKEN, bedrock_agentcore_qualifier="TEST")
    assert problems_of(unknown) == []


def test_hyperparameters_that_are_not_known_yet_pass_and_the_others_are_counted() -> None:
    most = facts.DOCUMENT_MAX_LENGTH
    for size, problems in ((most, 0), (most + 1, 1)):
        given = replace(PLAIN, hyperparameters={"a": "x" * size, "b": TOKEN})
        found = [each for each in problems_of(given) if "characters" in each]
        assert len(found) >= problems
        assert any(str(most) in each for each in found) == bool(problems)
