"""Every context look-up of CDK passes the first synth, and what it found is checked on the second."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_ssm as ssm
from synth.app import ACCOUNT, REGION, stack_of, trainer
from synth.right_calls import CALLS

from agent_rft import AgentEnvironment, Dataset, HyperParameters, Model, ModelPackageGroup
from agent_rft.arguments.checked import _hints
from agent_rft.arguments.types import fits

FILES = ("path", "recipe", "code", "handler", "id")
"""What is read at synth, and what names a construct: no look-up could ever find it."""

USED = {Dataset: "training_dataset", AgentEnvironment: "agent_env", Model: "model", HyperParameters: "hyperparameters"}


def texts(function: Callable[..., Any]) -> list[str]:
    """The arguments that take any text."""
    called = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    hints = _hints(getattr(called, "__wrapped__", called))
    return [name for name, hint in hints.items() if fits("x", hint) and name not in FILES]


@pytest.mark.parametrize("name", [name for name, (function, _) in CALLS.items() if texts(function)])
def test_a_parameter_that_is_still_to_be_looked_up_passes_in_every_argument(name: str) -> None:
    function, right = CALLS[name]
    for argument in texts(function):
        stack = stack_of()
        given = {**right(stack), argument: ssm.StringParameter.value_from_lookup(stack, "/rft/value")}
        if argument == "model_package" and "evaluator" in given:
            given["model_package_group"] = ModelPackageGroup(stack, "Group")
        if argument == "job_arn":
            given.pop("job_name", None)
        if argument == "s3_output_path":
            given.pop("output_bucket", None)
        made = function(**given)
        if type(made) in USED:
            trainer(stack, **{USED[type(made)]: made})


GROUP = "sg-0123456789abcdef0"
KEY = "1234abcd-12ab-34cd-56ef-999999999999"


def looked_up_vpc(stack: Stack) -> ec2.IVpc:
    return ec2.Vpc.from_lookup(stack, "Vpc", vpc_name="a")


def found_vpc(kind: str) -> dict[str, object]:
    subnets = [
        {
            "subnetId": f"subnet-0123456789abcdef{zone}",
            "availabilityZone": zone,
            "routeTableId": "rtb-1",
            "cidr": "10.0.0.0/24",
        }
        for zone in "ab"
    ]
    return {
        "vpcId": "vpc-1",
        "vpcCidrBlock": "10.0.0.0/16",
        "availabilityZones": [],
        "subnetGroups": [{"name": kind, "type": kind, "subnets": subnets}],
    }


def found_role(account: str) -> list[dict[str, str]]:
    return [{"Arn": f"arn:aws:iam::{account}:role/service-role/found"}]


LookedUp = Callable[[Stack], dict[str, Any]]
LOOKED_UP: dict[str, tuple[LookedUp, list[Any], str]] = {
    "vpc": (lambda stack: {"vpc": looked_up_vpc(stack)}, [found_vpc("Private")], "subnet-0123456789abcdefb"),
    "isolated": (
        lambda stack: {
            "vpc": looked_up_vpc(stack),
            "vpc_subnets": ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
        },
        [found_vpc("Isolated")],
        "subnet-0123456789abcdefb",
    ),
    "security group": (
        lambda stack: {
            "vpc": (vpc := looked_up_vpc(stack)),
            "security_groups": [ec2.SecurityGroup.from_lookup_by_name(stack, "Group", "a", vpc)],
        },
        [found_vpc("Private"), {"securityGroupId": GROUP, "allowAllOutbound": True}],
        GROUP,
    ),
    "key": (lambda stack: {"kms_key": kms.Key.from_lookup(stack, "K", alias_name="alias/a")}, [{"keyId": KEY}], KEY),
    "role": (
        lambda stack: {"role": iam.Role.from_lookup(stack, "Looked", role_name="a")},
        [found_role(ACCOUNT)],
        "role/service-role/found",
    ),
    "part of a uri": (
        lambda stack: {
            "training_dataset": f"s3://{ssm.StringParameter.value_from_lookup(stack, '/rft/bucket')}/train.jsonl"
        },
        ["found-bucket"],
        "s3://found-bucket/train.jsonl",
    ),
}


def synthesized(arguments: LookedUp, context: dict[str, Any]) -> tuple[list[str], str]:
    """The keys of what is still to be looked up, and the template."""
    app = App(context=context)
    stack = stack_of(app)
    trainer(stack, **arguments(stack))
    folder = Path(app.synth().directory)
    manifest = json.loads((folder / "manifest.json").read_text())
    return [each["key"] for each in manifest.get("missing", [])], (folder / "S.template.json").read_text()


def filled(arguments: LookedUp, found: list[Any]) -> dict[str, Any]:
    """The context that the command line writes, synth after synth, until nothing is missing."""
    context: dict[str, Any] = {}
    while missing := synthesized(arguments, context)[0]:
        context |= {key: found[-1 if key.startswith("security-group") else 0] for key in missing}
    return context


@pytest.mark.parametrize("kind", LOOKED_UP)
def test_a_construct_that_is_still_to_be_looked_up_passes_and_what_is_found_is_sent(kind: str) -> None:
    arguments, found, sent = LOOKED_UP[kind]
    assert sent in synthesized(arguments, filled(arguments, found))[1]


FOUND_WRONG: dict[str, tuple[str, list[Any], str]] = {
    "vpc": ("vpc", [found_vpc("Isolated")], "vpc has no private subnets"),
    "role": ("role", [found_role("999999999999")], "of account 999999999999"),
    "part of a uri": (
        "part of a uri",
        ["no bucket!"],
        "training_dataset is 's3://no bucket!/train.jsonl'",
    ),
}


@pytest.mark.parametrize("kind", FOUND_WRONG)
def test_what_is_found_is_checked(kind: str) -> None:
    looked_up, found, problem = FOUND_WRONG[kind]
    arguments, _, _ = LOOKED_UP[looked_up]
    with pytest.raises(ValueError, match=rf"^\[S/Trainer\] .*{problem}"):
        filled(arguments, found)


def test_a_found_text_is_checked_in_every_form() -> None:
    key = f"ssm:account={ACCOUNT}:parameterName=/rft/group:region={REGION}"
    stack = stack_of(App(context={key: "my group"}))
    group = ssm.StringParameter.value_from_lookup(stack, "/rft/group")
    with pytest.raises(ValueError, match=r"\[S/Trainer\] output_model_package_group is 'my group', but must be"):
        trainer(stack, output_model_package_group=group)
