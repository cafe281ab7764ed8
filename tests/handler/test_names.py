"""Job names: legal, at most 63 characters, the distinguishing tail kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler import facts
from agent_rft_handler.contract import Declaration
from agent_rft_handler.names import is_attempt_of, job_name


def declared(model: str = "m", base_job_name: str = "") -> Declaration:
    return Declaration("AgentRFT", "r", model, "a", "t", "s", "o", "c", base_job_name=base_job_name)


@given(st.text(max_size=90), st.text(max_size=90), st.integers(1, 99))
def test_every_name_is_legal(model: str, base: str, attempt: int) -> None:
    assert facts.JOB_NAME.accepts(job_name(declared(model, base), "stack", "Job", attempt))


@pytest.mark.parametrize(
    ("model", "base", "start"),
    [
        ("huggingface-reasoning-qwen3-32b", "", "huggingface-reasoning-qwen3-32b-mtrl-"),
        ("amazon.nova-2-lite-v1", "", "nova-textgeneration-lite-v2-mtrl-"),
        ("arn:aws:sagemaker:us-west-2:1:hub-content/MyHub/Model/mine/1.0.0", "", "mine-mtrl-"),
        ("arn:aws:sagemaker:us-west-2:1:model-package/tuned/3", "", "tuned-mtrl-"),
        ("m", "my.job_name", "my-job-name-"),
        ("m", "x" * 60, "x" * 43 + "-"),
    ],
)
def test_the_name_starts_with_the_base_or_the_model(model: str, base: str, start: str) -> None:
    name = job_name(declared(model, base), "stack", "Job")
    assert name[: -len("0123456789abcdef")] == start


def test_attempts_are_numbered_and_known_by_their_number() -> None:
    first, second = (job_name(declared(), "stack", "Job", attempt) for attempt in (1, 2))
    assert second == f"{first}-2"
    assert is_attempt_of(first, first)
    assert is_attempt_of(second, first)
    assert not is_attempt_of(f"{first}x", first)


def test_two_resources_and_two_stacks_never_share_a_name() -> None:
    names = {job_name(declared(), stack, resource) for stack in ("a", "b") for resource in ("A", "B")}
    assert len(names) == 4
