"""Where a trainer stands in an app, and with what settings, by the page's table."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import (
    App,
    BootstraplessSynthesizer,
    CliCredentialsStackSynthesizer,
    DefaultStackSynthesizer,
    Environment,
    IReusableStackSynthesizer,
    NestedStack,
    Stack,
    Stage,
)
from aws_cdk import aws_s3 as s3
from aws_cdk.app_staging_synthesizer_alpha import AppStagingSynthesizer
from in_your_app.made import Made, made, titles
from synth.app import ACCOUNT, JOB, REGION, stack_of, trainer

from agent_rft import Dataset, ModelPackageGroup
from docs import feature_flags

ROOT = Path(__file__).parents[2]
PROMPTS = ROOT / "cli" / "agent_rft_cli" / "project" / "datasets"
HERE = Environment(account=ACCOUNT, region=REGION)
PLAIN = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"


def with_prompts(stack: Stack) -> None:
    """A trainer whose prompts are a file of the app."""
    (prompts,) = PROMPTS.glob("*.jsonl")
    trainer(stack, agent_env="my-AbCdEfGhIj", training_dataset=Dataset.from_asset(prompts))


def with_context(context: Mapping[str, Any]) -> Made:
    app = App(context=context)
    with_prompts(stack_of(app))
    return made(app)


def with_synthesizer(synthesizer: IReusableStackSynthesizer) -> Made:
    app = App(default_stack_synthesizer=synthesizer)
    with_prompts(stack_of(app))
    return made(app)


def staged() -> IReusableStackSynthesizer:
    return AppStagingSynthesizer.default_resources(
        app_id="rft", staging_bucket_encryption=s3.BucketEncryption.S3_MANAGED
    )


def nested() -> Made:
    app = App()
    with_prompts(NestedStack(stack_of(app), "Nested"))
    return made(app)


def in_stages() -> Made:
    app = App()
    for name in ("Beta", "Prod"):
        with_prompts(Stack(Stage(app, name, env=HERE), "S"))
    return made(app)


def in_regions() -> Made:
    app = App()
    for region in ("us-east-1", "eu-west-1"):
        with_prompts(stack_of(app, f"S-{region}", account=ACCOUNT, region=region))
    return made(app)


def anywhere() -> Made:
    app = App()
    with_prompts(Stack(app, "S"))
    return made(app)


APPS: dict[str, tuple[Callable[[], Made], list[str]]] = {
    "all recommended feature flags": (lambda: with_context(feature_flags.recommended()), [PLAIN]),
    "every feature flag off": (lambda: with_context(dict.fromkeys(feature_flags.recommended(), False)), [PLAIN]),
    "a qualifier": (
        lambda: with_synthesizer(DefaultStackSynthesizer(qualifier="team1")),
        [f"cdk-team1-assets-{ACCOUNT}-{REGION}"],
    ),
    "a qualifier in cdk.json": (
        lambda: with_context({"@aws-cdk/core:bootstrapQualifier": "team1"}),
        [f"cdk-team1-assets-{ACCOUNT}-{REGION}"],
    ),
    "`CliCredentialsStackSynthesizer`": (lambda: with_synthesizer(CliCredentialsStackSynthesizer()), [PLAIN]),
    "`AppStagingSynthesizer`": (lambda: with_synthesizer(staged()), [f"cdk-rft-staging-{ACCOUNT}-{REGION}"]),
    "a `NestedStack`": (nested, [PLAIN]),
    "several `Stage`s": (in_stages, [PLAIN] * 2),
    "several regions": (
        in_regions,
        [f"cdk-hnb659fds-assets-{ACCOUNT}-{region}" for region in ("eu-west-1", "us-east-1")],
    ),
    "no `env`": (anywhere, ["cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}"]),
}
"""By its title the app, and the buckets from which functions and jobs have their files, one for each job."""


@pytest.mark.parametrize("title", APPS)
def test_in_any_app_the_function_and_the_prompts_come_from_that_apps_bucket(title: str) -> None:
    declare, buckets = APPS[title]
    found = declare()
    functions = [each for each in found.resources("AWS::Lambda::Function") if "agent_rft_handler" in each["Handler"]]
    assert found.warnings == []
    assert _buckets(found.resources(JOB)) == buckets
    assert _buckets(functions) == buckets
    assert set(buckets) <= set(_buckets(found.resources("AWS::IAM::Policy")))


def test_the_page_has_every_app() -> None:
    assert titles("Apps") == [*APPS, "`BootstraplessSynthesizer`"]


def test_without_a_bootstrap_the_cdk_refuses_the_functions_file() -> None:
    app = App(default_stack_synthesizer=BootstraplessSynthesizer())
    with pytest.raises(ValueError, match=r"^\[S\] CDK refuses it: Cannot add assets"):
        trainer(stack_of(app))


def test_feature_flags_change_no_logical_id() -> None:
    one, other = (APPS[title][0]() for title in ("all recommended feature flags", "every feature flag off"))
    assert (
        one.templates["S.template.json"]["Resources"].keys() == other.templates["S.template.json"]["Resources"].keys()
    )


def test_the_same_stack_in_two_regions_names_nothing_twice() -> None:
    app = App()
    for region in ("us-east-1", "eu-west-1"):
        stack = stack_of(app, f"S-{region}", account=ACCOUNT, region=region)
        group = ModelPackageGroup(stack, "Tuned", model_package_group_name="tuned")
        trainer(stack, agent_env="my-AbCdEfGhIj", role="rft", output_model_package_group=group)
    policies = made(app).resources("AWS::IAM::Policy")
    names = [json.dumps(each["PolicyName"]) for each in policies if each["Roles"] == ["rft"]]
    assert len(set(names)) == len(names) == 2


def _buckets(resources: list[dict[str, Any]]) -> list[str]:
    """The bucket for the app's files that each resource names, as it stands in the template."""
    found = [re.search(r"cdk-\w+-(assets|staging)-[^\"/]+", json.dumps(each)) for each in resources]
    return sorted(each[0] for each in found if each)
