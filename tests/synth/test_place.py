"""What is worked out without asking the CDK is what the CDK would have said."""

from typing import Any

import pytest
from aws_cdk import App, Aws, Environment, Fn, Stack, Token
from constructs import Construct
from synth.app import stack_of

from agent_rft.arguments.validation import unresolved
from agent_rft.place import Place, name_in

VALUES: dict[str, Any] = {
    "text": "text",
    "empty": "",
    "marks": "${Token[",
    "another's marks": "${AWS::Region} ${Token[not one!]} #{Token[x.1]}",
    "a token": Aws.REGION,
    "text with a token": f"s3://{Aws.ACCOUNT_ID}/x",
    "a number's text": f"{Token.as_number(Fn.ref('N'))}",
    "a number's text beside a mark": "Token[ -1.8881545897087626e+289",
    "a number's text as the CDK writes it": "-1.8881545897087626e+289",
    "a whole number": 3,
    "the largest": 2**2000,
    "a truth": True,
    "a fraction": -1.5e289,
    "no number": float("nan"),
    "infinite": float("-inf"),
    "a number": Token.as_number(Fn.ref("N")),
    "no list": [],
    "a list": ["a"],
    "a list with a token": [Aws.REGION],
    "a list token": Fn.get_azs(),
    "two of them": Fn.get_azs() * 2,
    "an object": Fn.get_att("A", "Arn"),
    "nothing": None,
    "a mapping": {"a": Aws.REGION},
}
UNKNOWN_TO_JSII = ("the largest", "no number", "infinite")
"""What jsii cannot carry is no token."""
PASSED_OVER = ("a number's text", "a number's text as the CDK writes it")
"""What the CDK resolves, but does not take for unresolved."""


@pytest.mark.parametrize("name", VALUES)
def test_what_is_only_known_at_deploy_is_what_the_cdk_takes_for_it(name: str) -> None:
    value = VALUES[name]
    taken = name in PASSED_OVER or (name not in UNKNOWN_TO_JSII and Token.is_unresolved(value))
    assert unresolved(value) == taken


def test_a_numbers_text_is_resolved_though_the_cdks_own_question_passes_over_it() -> None:
    assert stack_of().resolve(VALUES["a number's text"]) == {"Ref": "N"}


def test_a_tuple_is_a_list() -> None:
    assert unresolved(tuple(Fn.get_azs()))
    assert not unresolved(("a",))


@pytest.mark.parametrize("env", [Environment(account="111122223333", region="eu-west-1"), None])
def test_an_arn_is_that_of_format_arn(env: Environment | None) -> None:
    stack = Stack(App(), "S", env=env)
    scope = Construct(stack, "Below")
    name = Fn.ref("Name")
    expected = [
        stack.format_arn(service="sagemaker", resource="job", resource_name=name),
        stack.format_arn(service="s3", region="", account="", resource="bucket"),
    ]
    place = Place.of(scope)
    given = [place.arn("sagemaker", "job", name), place.arn("s3", "bucket", region="", account="")]
    assert stack.resolve(given) == stack.resolve(expected)


def test_two_apps_have_two_places() -> None:
    first, second = stack_of(), stack_of(region="eu-west-1", account="444455556666")
    assert [Place.of(each).region for each in (first, second, first)] == ["us-west-2", "eu-west-1", "us-west-2"]
    assert Place.of(first).stack is first


def test_a_name_is_taken_from_an_arn() -> None:
    assert name_in("arn:aws:sagemaker:us-west-2:111122223333:model-package-group/tuned") == "tuned"
