"""Models by name, ARN and package, and where the SDK lets them be trained."""

import pytest
from synth.app import (
    ACCOUNT,
    Synthesized,
    agnostic_stack,
    readable,
    stack_of,
    synth,
    trainer,
)


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
