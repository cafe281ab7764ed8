"""What is written beside a token begins, ends and goes on as the whole text must."""

import re

import pytest
from aws_cdk import Aws, CfnParameter
from hypothesis import given
from hypothesis.strategies import DataObject, characters, data, from_regex, integers
from synth.app import Synthesized, stack_of, trainer

from agent_rft import MlflowApp, ModelPackageGroup
from agent_rft.arguments.literal_parts import can_match
from agent_rft_handler import facts
from agent_rft_handler.declaration import ARGUMENTS
from agent_rft_handler.facts import AGENT_RFT, Fact

WRONG = {
    "output_model_package_group": "Rft_{}",
    "base_job_name": "Rft!{}",
    "bedrock_agentcore_qualifier": "a-{}",
    "kms_key": "arn:aws:kms:{}:key/a_b",
    "model": "my model {}",
    "role": "arn:aws:iam::{}:role/my role",
    "mlflow_app": "arn:aws:sagemaker:{}:mlflow app/x",
    "agent_env": "arn:aws:lambda:{}:my agent",
}


@pytest.mark.parametrize("argument", WRONG)
def test_a_part_of_other_characters_is_refused_with_path_part_and_form(argument: str) -> None:
    stack = stack_of()
    token = CfnParameter(stack, "P").value_as_string
    with pytest.raises(ValueError, match=rf"\[S/Trainer\] {argument} is '.*', but must be"):
        trainer(stack, **{argument: WRONG[argument].format(token)})


def test_a_part_that_is_too_long_is_refused() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match="at most 63"):
        trainer(stack, base_job_name="b" * 64 + Aws.REGION)


def test_names_of_our_own_resources_too() -> None:
    stack = stack_of()
    for make in (
        lambda: ModelPackageGroup(stack, "Group", model_package_group_name=f"a_{Aws.REGION}"),
        lambda: MlflowApp(stack, "App", mlflow_app_name=f"a_{Aws.REGION}"),
    ):
        with pytest.raises(ValueError, match=r"_name is 'a_\$\{Token\[AWS\.Region.*', but must be"):
            make()


def test_a_number_in_a_text_is_a_token_like_any_other() -> None:
    stack = stack_of()
    number = CfnParameter(stack, "P", type="Number").value_as_number
    trainer(stack, base_job_name=f"rft-{number}")
    assert Synthesized(stack).job()["BaseJobName"] == {"Fn::Join": ["", ["rft-", {"Ref": "P"}]]}


@pytest.mark.parametrize("fact", facts.ALL, ids=lambda fact: fact.id)
def test_any_parts_of_a_right_text_may_be_tokens(fact: Fact) -> None:
    places = range(len(fact.example) + 1)
    parts = [(fact.example[:start], fact.example[end:]) for start in places for end in places[start:]]
    assert all(can_match(fact.pattern, each) for each in parts)
    assert can_match(fact.pattern, [fact.example])
    assert can_match(fact.pattern, ["", *fact.example, ""])


@pytest.mark.parametrize("fact", facts.ALL, ids=lambda fact: fact.id)
@given(data=data())
def test_without_a_token_it_is_what_the_pattern_says(fact: Fact, data: DataObject) -> None:
    right = data.draw(from_regex(fact.pattern, fullmatch=True))
    place, other = data.draw(integers(0, len(right))), data.draw(characters())
    for text in (right, right[:place] + other + right[place:], right[:place]):
        assert can_match(fact.pattern, [text]) == bool(re.fullmatch(fact.pattern, text))


WRONG_ENDS = {
    "S3Uri": ("s4://", "/x"),
    "RoleArn": ("arn:aws:lambda:", ":role/x"),
    "SubnetId": ("sg-", ""),
    "KmsKeyArn": ("", ":alias/x"),
}


@pytest.mark.parametrize("id", WRONG_ENDS)
def test_how_the_whole_must_begin_and_end_is_seen(id: str) -> None:
    (fact,) = (each for each in facts.ALL if each.id == id)
    assert not can_match(fact.pattern, WRONG_ENDS[id])


def with_a_token_in_it(form: Fact) -> set[str]:
    """The example with {} for each component, for all from there on, and for two of them; and for its start or end."""
    parts = form.example.split(":")
    cut = {":".join([*parts[:at], "{}", *parts[at + many :]]) for at in range(1, len(parts)) for many in (1, 2, 9)}
    return {*cut, "{}" + form.example[len(form.example) // 3 :], form.example[: len(form.example) // 2] + "{}"}


IN_A_VPC = {"vpc_subnets": [facts.SUBNET_ID.example], "security_groups": [facts.SECURITY_GROUP_ID.example]}
TEXTS = [
    (each.name, form) for each in ARGUMENTS if AGENT_RFT in each.categories for form in each.forms + each.given_forms
]


@pytest.mark.parametrize(("argument", "form"), TEXTS, ids=lambda each: getattr(each, "id", each))
def test_a_right_text_with_a_token_in_any_place_of_it_is_taken(argument: str, form: Fact) -> None:
    stack = stack_of()
    token = CfnParameter(stack, "P").value_as_string
    for number, text in enumerate(sorted(with_a_token_in_it(form))):
        if argument == "s3_output_path" and not text.startswith("s3://"):
            continue  # the role's policy needs the bucket
        value: object = text.format(token)
        given = {**IN_A_VPC, argument: [value]} if argument in IN_A_VPC else {argument: value}
        trainer(stack, f"T{number}", **given)
    Synthesized(stack)
