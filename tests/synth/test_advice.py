"""What the refusal of a wrong type says: construct path, argument, what was given, what it must be, what to write."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import CfnOutput, CfnParameter, Fn, RemovalPolicy, Stack, Token
from aws_cdk import aws_s3 as s3
from synth.app import stack_of, trainer

from agent_rft import Dataset, MultiTurnRLTrainer, Replacement

A_TRUTH = "must be True or False."
OF_TEXT = "Write it without quotes; of a text, such as one from CDK's context, write text == 'true'."


def parameter(stack: Stack) -> CfnParameter:
    return CfnParameter(stack, "P")


def bucket(stack: Stack) -> s3.Bucket:
    return s3.Bucket(stack, "B")


SAID: dict[str, tuple[str, Any, str]] = {
    "dry_run in quotes": ("dry_run", "True", f"is 'True', but {A_TRUTH} {OF_TEXT}"),
    "a number for a truth": ("dry_run", 1, f"is 1, but {A_TRUTH} Write True."),
    "no truth in quotes": ("accept_eula", "no", f"is 'no', but {A_TRUTH} {OF_TEXT}"),
    "a parameter": ("run_id", parameter, "is a CfnParameter, but must be text. Write .value_as_string behind it."),
    "a run's": ("mlflow_run_name", parameter, "is a CfnParameter, but must be text. Write .value_as_string behind it."),
    "boto3's tags": (
        "tags",
        [{"Key": "a", "Value": "b"}],
        "is a list, but must be a mapping of names to text. Write {'a': 'b'}.",
    ),
    "a tag's number": ("tags", {"a": 1}, "['a'] is 1, but must be text. Write it in quotes: '1'."),
    "a bucket": (
        "training_dataset",
        bucket,
        "is an s3.Bucket, but must be a Dataset or text. Write Dataset.from_bucket(...) around it.",
    ),
    "an output": (
        "training_dataset",
        lambda stack: CfnOutput(stack, "O", value="x"),
        "is a CfnOutput, but must be a Dataset or text. Write .value behind it.",
    ),
    "a class": (
        "training_dataset",
        Dataset,
        "is the class Dataset, but must be a Dataset or text. Give one of",
    ),
    "a function": (
        "training_dataset",
        Dataset.from_asset,
        "is a function, but must be a Dataset or text. Give what",
    ),
    "a path": ("s3_output_path", Path("x"), "is a PosixPath, but must be text. Write str(...) around it."),
    "bytes": ("model", b"x", "is b'x', but must be a Model or text. Write .decode() behind it."),
    "a number for a model": ("model", 3, "is 3, but must be a Model or text. Write it in quotes: '3'."),
    "a bucket's name": (
        "output_bucket",
        "x",
        "is 'x', but must be an s3.IBucket. Write s3.Bucket.from_bucket_name(...).",
    ),
    "one group": ("security_groups", "sg-1", "but must be a list of ec2.ISecurityGroup or text. Put it into a list"),
    "a policy in words": (
        "removal_policy",
        "destroy",
        "is 'destroy', but must be a RemovalPolicy. Write RemovalPolicy.DESTROY.",
    ),
    "another's enum": ("run_id", RemovalPolicy.RETAIN, "is RemovalPolicy.RETAIN, but must be text."),
    "members": (
        "vpc_subnets",
        {"subnet_type": 1},
        "but must be an ec2.SubnetSelection or a list of text. Write ec2.SubnetSelection(...).",
    ),
    "a number token": (
        "base_job_name",
        Token.as_number(Fn.ref("N")),
        "is a number that is only known at deploy, but must be text. Write Token.as_string(...) around it.",
    ),
    "an object's token": ("run_id", Fn.get_att("A", "B"), "but must be text. Write Token.as_string(...) around it."),
    "nothing": ("agent_env", None, "is None, but must be an AgentEnvironment, "),
}


@pytest.mark.parametrize("kind", SAID)
def test_the_refusal_says_what_was_given_and_what_to_write(kind: str) -> None:
    argument, value, said = SAID[kind]
    stack = stack_of()
    given = value(stack) if value in (parameter, bucket) or kind == "an output" else value
    plain = {"model": "a", "agent_env": "my-AbCdEfGhIj", "training_dataset": "s3://data-bkt/x.jsonl"}
    with pytest.raises(TypeError) as error:
        MultiTurnRLTrainer(stack, "Trainer", **{**plain, argument: given})
    (sentence,) = str(error.value).splitlines()
    assert sentence.startswith(f"[S/Trainer] {argument}")
    assert said in sentence


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "is nan, but must be a finite number."),
        (float("-inf"), "is -inf, but must be a finite number."),
        (date(2026, 1, 1), "Write it as text: '2026-01-01'."),
        ([1, [None]], "has None in its list."),
    ],
)
def test_what_jsii_cannot_carry_is_refused_before_it_sees_it(value: object, said: str) -> None:
    for name in ("hyperparameters", "overrides"):
        given: dict[str, Any] = {name: {"a": value}}
        with pytest.raises(ValueError, match=r"^\[S/Trainer\] ") as error:
            trainer(stack_of(), **given)
        assert said in str(error.value)


def test_a_token_for_a_truth_is_taken() -> None:
    stack = stack_of()
    trainer(stack, dry_run=parameter(stack).value_as_string, replacement=Replacement.REFUSE)


def test_an_l1_where_its_construct_is_asked_for_is_told_the_way() -> None:
    stack = stack_of()
    with pytest.raises(TypeError, match=r"output_bucket is an s3\.CfnBucket, but must be an s3\.IBucket\. Write s3\."):
        trainer(stack, output_bucket=s3.CfnBucket(stack, "L1"))
