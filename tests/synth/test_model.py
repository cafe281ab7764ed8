"""Models by name, ARN and package, and where the SDK lets them be trained."""

from typing import Any

import pytest
from aws_cdk import aws_sagemaker as sagemaker
from synth.app import (
    ACCOUNT,
    REGION,
    Synthesized,
    agnostic_stack,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import Model, ModelPackageGroup

GROUP_ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/tuned"


@pytest.mark.parametrize(
    ("region", "model", "warned"),
    [
        ("eu-west-1", "openai-reasoning-gpt-oss-20b", False),
        ("eu-west-1", "amazon.nova-2-lite-v1", True),
        ("us-west-2", "amazon.nova-2-lite-v1", False),
        ("eu-central-1", "openai-reasoning-gpt-oss-20b", True),
        ("", "amazon.nova-2-lite-v1", False),
    ],
)
def test_a_region_where_the_sdk_runs_no_such_job_is_warned_of(region: str, model: str, warned: bool) -> None:
    stack = stack_of(account=ACCOUNT, region=region) if region else agnostic_stack()
    trainer(stack, model=model, agent_env="my-AbCdEfGhIj")
    assert any("the SDK lets such jobs run" in text for text in Synthesized(stack).warnings()) == warned


def test_a_model_whose_name_only_starts_alike_is_not_granted() -> None:
    contents = [
        resource
        for each in synth(model="huggingface-reasoning-qwen3-32b").statements("Handler")
        if "sagemaker:DescribeHubContent" in each["Action"]
        for resource in map(readable, each["Resource"])
        if "hub-content/" in resource
    ]
    assert [each.rpartition("/Model/")[2] for each in contents] == [
        "huggingface-reasoning-qwen3-32b",
        "huggingface-reasoning-qwen3-32b/*",
    ]


@pytest.mark.parametrize("form", ["construct", "l1", "ref", "arn", "text"])
def test_training_continues_from_the_newest_package_of_a_group(form: str) -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", model_package_group_name="tuned")
    l1 = group.node.default_child
    assert isinstance(l1, sagemaker.CfnModelPackageGroup)
    given: Any = {"construct": group, "l1": l1, "ref": l1.ref, "arn": GROUP_ARN, "text": GROUP_ARN}[form]
    model: Any = given if form in ("ref", "text") else Model.from_model_package_group(given, only_approved=True)
    trainer(stack, model=model)
    made = Synthesized(stack)
    packages = (
        "model-package/${Tuned" if form in ("construct", "l1", "ref") else f"{REGION}:{ACCOUNT}:model-package/tuned/*"
    )
    for action in ("sagemaker:ListModelPackages", "sagemaker:DescribeModelPackage"):
        (resource,) = made.allowed(action, "Handler")
        assert packages in resource or resource.endswith("/*")
    job = made.job()
    assert job.get("OnlyApproved") == (None if form in ("ref", "text") else "true")
    assert job["OutputModelPackageGroup"] == job["Model"] or form in ("arn", "text")


def test_a_group_of_another_region_is_refused_as_a_model() -> None:
    with pytest.raises(ValueError, match=r"model is '.*' in eu-west-1, but the job runs in us-west-2"):
        synth(model=Model.from_model_package_group(GROUP_ARN.replace(REGION, "eu-west-1")))


def test_a_tuned_model_that_goes_elsewhere_is_read_by_the_job_from_any_package_of_its_group() -> None:
    made = synth(model=Model.from_model_package_group(GROUP_ARN), output_model_package_group="other")
    assert any(
        each.endswith(f"{ACCOUNT}:model-package/tuned/*") for each in made.allowed("sagemaker:AccessModelPackage")
    )
