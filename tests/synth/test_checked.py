"""At the door: whatever is thrown at any argument of anything public synthesizes, or is refused in our own words."""

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Aws, CfnOutput, CfnParameter, Duration, Fn, RemovalPolicy, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_ssm as ssm
from aws_cdk import aws_stepfunctions as sfn
from synth.app import stack_of, trainer
from synth.right_calls import CALLS

import agent_rft
from agent_rft import AgentEnvironment, Dataset, HyperParameters, Model, Replacement


class Colour(Enum):
    RED = "red"


class Text(str, Enum):  # noqa: UP042 - what users write
    RED = "red"


@dataclass
class Row:
    a: int = 1


def zoo(stack: Stack) -> list[object]:
    """What users give by mistake, and what no one would."""
    parameter, bucket = CfnParameter(stack, "Parameter"), s3.Bucket(stack, "Bucket")
    plain: list[object] = [None, 1, 1.5, -1, 2**70, 1j, True, float("nan"), float("inf"), Decimal("1.5")]
    plain += ["", " ", "True", b"", b"x", Path("nowhere"), Path(__file__), datetime(2026, 1, 1, tzinfo=UTC), date.max]
    plain += [object(), object, Row(), Row, Colour.RED, Text.RED, Colour, Replacement, NotImplemented, Ellipsis]
    lists: list[object] = [[], ["a"], [None], [b"a"], (), {1, 2}, iter([1]), range(3), [{"Key": "a", "Value": "b"}]]
    mappings: list[object] = [{}, {"a": 1}, {"a": "b"}, {1: 2}, {"a": None}, {"a": object()}, {"Key": []}]
    tokens: list[object] = [parameter.value_as_string, Token.as_number(Fn.ref("N")), Aws.REGION, f"a-{Aws.REGION}"]
    tokens += [
        [1, Token.as_number(Fn.ref("N"))],
        {"a": Token.as_number(Fn.ref("N"))},
        f"{Token.as_number(Fn.ref('N'))}",
    ]
    tokens += [ssm.StringParameter.value_from_lookup(stack, "/a/b"), ec2.Vpc.from_lookup(stack, "Vpc", is_default=True)]
    tokens += [Fn.get_att("A", "B"), Fn.split(",", "a,b"), Fn.split(",", Fn.import_value("x"))]
    made: list[object] = [App(), stack, parameter, CfnOutput(stack, "Output", value="x"), bucket, s3.Bucket]
    made += [s3.Bucket.from_bucket_name(stack, "Imported", "abc"), s3.CfnBucket(stack, "L1"), kms.Key(stack, "Key")]
    made += [iam.User(stack, "User"), iam.Role.from_role_name(stack, "Role", "x", mutable=False)]
    made += [iam.ServicePrincipal("lambda.amazonaws.com"), lambda_.Runtime.PYTHON_3_13, Model, Model.from_hub("a")]
    return [*plain, *lists, *mappings, *tokens, *made, Duration.hours(1), RemovalPolicy.RETAIN, lambda: 1, print]


MANY_ARGUMENTS, MANY = ("MultiTurnRLTrainer", "MultiTurnRLEvaluator"), pytest.mark.slow

USED: dict[type, tuple[str, ...]] = {
    # a choice, and the trainer's argument that takes it
    Dataset: ("training_dataset",),
    AgentEnvironment: ("agent_env", "bedrock_agentcore_qualifier"),
    Model: ("model",),
    HyperParameters: ("hyperparameters",),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MANY) if name in MANY_ARGUMENTS else name for name in CALLS])
def test_a_value_of_any_kind_is_taken_or_refused_with_place_and_argument(name: str) -> None:
    function, right = CALLS[name]
    app = App()
    values = zoo(stack_of(app, "Zoo"))
    stack = stack_of(app, "Empty")
    given, children = right(stack), len(stack.node.children)
    for argument, (number, value) in product(arguments(function), enumerate(values)):
        said = refused(function, {**given, argument: value}, stack)
        assert not said or re.match(r"\[[^\]]+\] ", said), (argument, value, said)
        assert not said or any(each in said for each in (name, argument, *USED.get(owner(function), ()))), said
        assert "object at 0x" not in said
        if len(stack.node.children) > children:
            stack = stack_of(app, f"After-{argument.replace('_', '-')}-{number}")
            given, children = right(stack), len(stack.node.children)
    written = [json.dumps(each.template) for each in app.synth().stacks]
    assert not [text for text in written if "object at 0x" in text or "Token[" in text]


def arguments(function: Callable[..., Any]) -> list[str]:
    """Its arguments; of the many hyperparameters, one of each type."""
    called = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    parameters = {name: each for name, each in inspect.signature(called).parameters.items() if name != "self"}
    of_type = {str(each.annotation): name for name, each in parameters.items()}
    return list(of_type.values() if function is HyperParameters else parameters)


def owner(function: Callable[..., Any]) -> type:
    """The class that the function makes one of."""
    return function if isinstance(function, type) else getattr(function, "__self__", object)


def refused(function: Callable[..., Any], given: dict[str, Any], stack: Stack) -> str:
    """The words with which the call is refused; empty where it is not. Any other error is none of ours."""
    try:
        made = function(**given)
        if isinstance(made, sfn.Parallel):
            sfn.StateMachine(made, "Machine", definition_body=sfn.DefinitionBody.from_chainable(made))
        if type(made) in USED:
            trainer(stack, **{USED[type(made)][0]: made})
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def public_functions() -> dict[str, Callable[..., Any]]:
    """Every function with arguments that a user calls: those of the package, and those of its classes."""
    named = {name: getattr(agent_rft, name) for name in agent_rft.__all__}
    found: dict[str, Callable[..., Any]] = {name: each for name, each in named.items() if inspect.isfunction(each)}
    for name, each in named.items():
        for base in each.__mro__ if isinstance(each, type) and not is_interface(each) else ():
            if base.__module__.startswith("agent_rft."):
                own = {key: getattr(value, "__func__", value) for key, value in vars(base).items()}
                added = {f"{name}.{key}": value for key, value in own.items() if is_called_by_users(key, value)}
                found = added | found  # a class's own comes before its base's
    return found


def is_interface(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False)) or issubclass(kind, Enum)


def is_called_by_users(name: str, function: object) -> bool:
    """Whether it is public and takes arguments; a class that is made by its factories says so, and ``of`` is ours."""
    if not inspect.isfunction(function) or (name.startswith("_") and name != "__init__") or name in OURS:
        return False
    is_made_otherwise = "Use a ``from_*`` method instead" in (inspect.getdoc(function) or "")
    return not is_made_otherwise and bool(inspect.signature(function).parameters.keys() - {"self", "cls"})


def is_checked(function: object) -> bool:
    return getattr(function, "__wrapped__", None) is not None


OURS = ("of", "bind")
"""Methods of public classes that the constructs call: docs/architecture.md, Choices of your own."""


def test_every_public_function_is_checked_at_the_door() -> None:
    assert [name for name, function in public_functions().items() if not is_checked(function)] == []


def test_what_is_thrown_at_is_everything_public() -> None:
    made = {name.removesuffix(".__init__") for name in public_functions()}
    assert {name.partition(".")[0] for name in made} == {name.partition(".")[0] for name in CALLS}
