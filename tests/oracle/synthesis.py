"""The table's inputs declared by the constructs: the properties that CloudFormation would hand to the handler."""

import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from aws_cdk import App, Environment, Stack
from constructs import Construct
from handler.world import ACCOUNT, REGION
from oracle import account
from oracle.case import NETWORKING, Input

from agent_rft import Dataset, Model, ModelPackageGroup, MultiTurnRLTrainer
from agent_rft.job.job_resource import DeclaredJob
from agent_rft_handler.declaration import ARGUMENTS

NAMES = {str(argument.sdk_name): argument.name for argument in ARGUMENTS if argument.sdk_name != NETWORKING}
NAMES |= {"recipe": "recipe", "overrides": "overrides"}
"""Our arguments by the SDK's names; an argument of the SDK's that is not here defines no job."""

OBJECTS: dict[str, Callable[[Construct, Any], object]] = {
    "$ModelPackage": lambda _scope, arn: Model.from_model_package(arn),
    "$ModelPackageGroup": lambda scope, name: ModelPackageGroup.from_model_package_group_name(scope, name, name),
    "$MlflowApp": lambda _scope, arn: arn,
    "$DataSet": lambda _scope, arn: Dataset.from_data_set_arn(arn),
    "$CustomAgentLambda": lambda _scope, arn: arn,
    "$VpcConfig": lambda _scope, members: members,
    "$Tag": lambda _scope, members: members,
    "$File": lambda _scope, text: _file(text),
}
"""What our trainer takes where the SDK takes an object of its own; ``record.OBJECTS`` is the SDK's side."""

PHYSICAL = {
    "OutputGroup": account.TUNED_ARN,
    "CheckpointGroup": account.CHECKPOINTS_ARN,
    "OutputBucket": "out-bucket",
    "ExecutionRole": account.ROLE_ARN,
}
"""What becomes of a resource that a trainer makes, by a part of its logical id."""

Properties = dict[str, Any]


Declare = Callable[[Construct], Construct]
"""Declares a trainer or an evaluator of an input in a scope of its own."""


def synthesized(declared: Mapping[str, Declare]) -> dict[str, list[Properties] | str]:
    """The properties of each one's custom resources, or why it was refused: all in one stack, synthesized once."""
    app = App(context={"@aws-cdk/core:stackResourceLimit": 0})
    stack = Stack(app, "Wordle", env=Environment(account=ACCOUNT, region=REGION))
    made = {name: _made(stack, name, declare) for name, declare in declared.items()}
    for name in (name for name, job in made.items() if isinstance(job, str)):
        stack.node.try_remove_child(name)
    resources = app.synth().get_stack_artifact(stack.artifact_id).template["Resources"]
    return {name: job if isinstance(job, str) else _properties(stack, job, resources) for name, job in made.items()}


def trainer(given: Input) -> Declare:
    """The input as our trainer."""
    return lambda scope: MultiTurnRLTrainer(scope, "Trainer", **arguments(scope, given))


def arguments(scope: Construct, given: Input) -> dict[str, Any]:
    """What our trainer is given for the input."""
    theirs = {name: _ours(scope, value) for name, value in {**given.given, **given.train}.items()}
    ours = {NAMES[name]: value for name, value in theirs.items() if name in NAMES}
    if NETWORKING in theirs:
        members = theirs[NETWORKING]
        ours |= {"security_groups": members["security_group_ids"], "vpc_subnets": members["subnets"]}
    if "tags" in theirs:
        ours["tags"] = {tag.get("key"): tag.get("value") for tag in theirs["tags"]}
    return {**ours, **given.ours}


def stringified(value: Any) -> Any:
    """A property as CloudFormation hands it over: references known, every scalar a string."""
    if isinstance(value, list):
        return [stringified(item) for item in value]
    if not isinstance(value, dict):
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    if len(value) == 1:
        ((function, argument),) = value.items()
        if function == "Fn::Join":
            return argument[0].join(map(stringified, argument[1]))
        if function in ("Ref", "Fn::GetAtt"):
            return _physical(argument if isinstance(argument, str) else argument[0])
    return {name: stringified(item) for name, item in value.items()}


def _made(stack: Stack, name: str, declare: Declare) -> Construct | str:
    """What is declared, or every problem that it was refused for."""
    try:
        job = declare(Construct(stack, name))
    except (TypeError, ValueError) as refused:
        return str(refused)
    return "\n".join(job.node.validate()) or job


def _properties(stack: Stack, job: Construct, resources: Mapping[str, Any]) -> list[Properties]:
    ids = [stack.resolve(each.logical_id) for each in job.node.find_all() if isinstance(each, DeclaredJob)]
    return [stringified(resources[id]["Properties"]) for id in ids]


def _physical(logical_id: str) -> str:
    if logical_id == "AWS::Partition":
        return "aws"
    return next((value for part, value in PHYSICAL.items() if part in logical_id), logical_id)


def _ours(scope: Construct, value: Any) -> Any:
    if isinstance(value, list):
        return [_ours(scope, item) for item in value]
    first = next(iter(value), "") if isinstance(value, Mapping) else ""
    return OBJECTS[first](scope, value[first]) if first in OBJECTS else value


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory()


def _file(text: str) -> Path:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=_folder().name, delete=False) as file:
        file.write(text)
    return Path(file.name)
