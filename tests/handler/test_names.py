"""Job names: legal, at most 63 characters, the distinguishing tail kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler import facts
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import Refused
from agent_rft_handler.job.history import name_after
from agent_rft_handler.job.names import ATTEMPTS_MAX, attempt, attempt_in, is_name_of, job_name, name_in
from agent_rft_handler.owner import Owner

WHOSE = Owner("stack", "Job")


def declared(model: str = "m", base_job_name: str = "") -> Declaration:
    return Declaration("AgentRFT", "r", model, "a", "t", "s", "o", "c", base_job_name=base_job_name)


@given(st.text(max_size=90), st.text(max_size=90), st.integers(1, ATTEMPTS_MAX))
def test_every_name_is_legal_and_says_whose_it_is_and_which_attempt(model: str, base: str, number: int) -> None:
    first = job_name(declared(model, base), WHOSE)
    name = attempt(first, number)
    assert facts.JOB_NAME.accepts(name)
    assert is_name_of(name, WHOSE)
    assert attempt_in(name, first) == number


@pytest.mark.parametrize(
    ("model", "base", "start"),
    [
        ("huggingface-reasoning-qwen3-32b", "", "huggingface-reasoning-qwen3-32b-mtrl"[:36]),
        ("amazon.nova-2-lite-v1", "", "nova-textgeneration-lite-v2-mtrl"),
        ("arn:aws:sagemaker:us-west-2:1:hub-content/MyHub/Model/mine/1.0.0", "", "mine-mtrl"),
        ("arn:aws:sagemaker:us-west-2:1:model-package/tuned/3", "", "tuned-mtrl"),
        ("m", "my.job_name", "my-job-name"),
        ("m", "x" * 60, "x" * 36),
    ],
)
def test_the_name_starts_with_the_base_or_the_model(model: str, base: str, start: str) -> None:
    name = job_name(declared(model, base), WHOSE)
    assert name[: -len("-0123456789-0123456789ab")] == start


@pytest.mark.parametrize("state", ["dry-run:", "unconfirmed:", "not-submitted:"])
def test_an_id_of_a_job_that_is_not_known_is_no_jobs_name(state: str) -> None:
    assert not is_name_of(state + job_name(declared(), WHOSE), WHOSE)


def test_what_is_no_attempt_is_none() -> None:
    first = job_name(declared(), WHOSE)
    assert [attempt_in(name, first) for name in (first, f"{first}-2", f"{first}x", f"{first}-0", "")] == [1, 2, 0, 0, 0]


def test_two_resources_and_two_stacks_never_share_a_name() -> None:
    owners = [Owner(stack, resource) for stack in ("a", "b") for resource in ("A", "B")]
    names = [job_name(declared(), whose) for whose in owners]
    assert len(set(names)) == 4
    assert [[is_name_of(name, whose) for name in names].count(True) for whose in owners] == [1] * 4


@pytest.mark.parametrize(
    ("physical_id", "name"),
    [
        ("job-1", "job-1"),
        ("dry-run:job-1", "job-1"),
        ("unconfirmed:job-1", "job-1"),
        ("not-submitted:job-1", "job-1"),
        ("2026/12/01/[$LATEST]0123abcd", ""),
        ("", ""),
    ],
)
def test_a_physical_id_holds_a_name_unless_cloudformation_made_it_up(physical_id: str, name: str) -> None:
    assert name_in(physical_id) == name


def test_a_declaration_is_submitted_so_often_and_no_more() -> None:
    first = job_name(declared(), WHOSE)
    assert name_after("", first) == first
    assert name_after(first, first) == f"{first}-2"
    assert name_after(attempt(first, ATTEMPTS_MAX - 1), first) == attempt(first, ATTEMPTS_MAX)
    with pytest.raises(Refused, match=f"was submitted {ATTEMPTS_MAX} times. Change run_id"):
        name_after(attempt(first, ATTEMPTS_MAX), first)
