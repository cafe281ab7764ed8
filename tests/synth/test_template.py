"""The template as a whole: golden, counted, the same twice, shared by trainers and not by stacks."""

import json
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from synth.app import (
    ACCOUNT,
    Synthesized,
    agnostic_stack,
    readable,
    stack_of,
    synth,
    trainer,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "template.json"


def masked(template: dict[str, Any]) -> dict[str, Any]:
    """The template without what changes with every release: asset hashes and the bootstrap rule."""
    for resource in template["Resources"].values():
        code = resource["Properties"].get("Code", {})
        if "S3Key" in code:
            code["S3Key"] = "ASSET"
    return {"Resources": template["Resources"]}


def test_the_template_is_the_golden_one() -> None:
    """Logical ids and job properties are a contract: a change here replaces something in every user's stack."""
    assert masked(synth().json) == json.loads(GOLDEN.read_text()), (
        "If the change is meant, say in CHANGELOG.md what it replaces, then run make golden"
    )


def count(stack: Stack) -> int:
    return len(Synthesized(stack).json["Resources"])


def test_a_stack_has_as_many_resources_as_the_pages_say() -> None:
    smallest, shared, nova = stack_of(), stack_of(), stack_of()
    trainer(smallest)
    first = trainer(shared)
    trainer(
        shared,
        "Second",
        role=first.role,
        output_bucket=first.output_bucket,
        output_model_package_group=first.output_model_package_group,
        intermediate_checkpoint_model_package_group=first.checkpoint_model_package_group,
    )
    trainer(nova, model="amazon.nova-2-lite-v1")
    readme = " ".join((GOLDEN.parents[2] / "README.md").read_text().split())
    costs = (GOLDEN.parents[2] / "docs" / "costs.md").read_text()
    assert f"| the smallest stack | {count(smallest)} |" in costs
    assert f"| a Nova trainer alone | {count(nova)} |" in costs
    assert f"The smallest stack has {count(smallest)} resources" in readme
    assert f"that shares bucket, role and groups adds {count(shared) - count(smallest)}." in readme
    assert f"with a policy for both: {count(nova)}." in readme


def test_two_synths_give_equal_bytes() -> None:
    assert synth().text == synth().text


def test_three_trainers_share_one_handler_and_differ_in_every_name() -> None:
    stack = stack_of()
    for id in ("A", "B", "C"):
        trainer(stack, id)
    made = Synthesized(stack)
    assert len(made.resources("AWS::Lambda::Function")) == 1
    names = [
        readable(each["Properties"]["ModelPackageGroupName"])
        for each in made.resources("AWS::SageMaker::ModelPackageGroup").values()
    ]
    assert len(set(names)) == 6


def test_two_stacks_share_nothing() -> None:
    app = App()
    for name in ("One", "Two"):
        trainer(stack_of(app, name))
    for name in ("One", "Two"):
        stack = app.node.find_child(name)
        assert isinstance(stack, Stack)
        made = Synthesized(stack)
        assert len(made.resources("AWS::Lambda::Function")) == 1
        assert "ImportValue" not in made.text


@pytest.mark.parametrize("region", ["us-gov-west-1", "cn-north-1", ""])
def test_no_partition_region_or_account_is_literal(region: str) -> None:
    stack = stack_of(account=ACCOUNT, region=region) if region else agnostic_stack()
    trainer(stack, agent_env="my-AbCdEfGhIj")
    assert "arn:aws:" not in Synthesized(stack).text
