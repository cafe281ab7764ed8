"""Sentences that fit, and what they advise."""

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler.errors import MESSAGE_MAX_BYTES, TRUST, Refused, explained, is_role_too_new, shorten

CALLER = "User: arn:aws:sts::111122223333:assumed-role/handler/f is not authorized to perform:"


def error(code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "CreateJob")


@given(st.text(max_size=6000), st.integers(20, 2000))
def test_a_sentence_is_one_line_and_fits_in_bytes(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short.encode()) <= limit
    assert len(short.splitlines()) <= 1


def test_a_long_one_keeps_both_ends() -> None:
    sentence = str(Refused("start " + "é" * 4000 + " end"))
    assert sentence.startswith("start ")
    assert sentence.endswith(" end")
    assert len(sentence.encode()) <= MESSAGE_MAX_BYTES


@pytest.mark.parametrize(
    ("code", "message", "advice"),
    [
        ("AccessDeniedException", f"{CALLER} sagemaker:CreateJob on resource: x", "Give the role this action"),
        ("AccessDeniedException", f"{CALLER} bedrock-agentcore:GetAgentRuntime", "Give the role this action"),
        ("AccessDeniedException", f"{CALLER} iam:PassRole on resource: x", "Let this role pass"),
        ("AccessDeniedException", "job is not authorized to perform: sts:AssumeRole", TRUST),
        ("ValidationException", "Could not assume role arn:aws:iam::1:role/x", TRUST),
        ("ValidationException", "ModelPackage arn:aws:sagemaker:us-east-1:1:model-package/a/9 does not exist.", ""),
    ],
)
def test_the_advice_fits_what_the_service_said(code: str, message: str, advice: str) -> None:
    sentence = str(explained(error(code, message), "Submitting"))
    assert advice in sentence
    assert advice or sentence.endswith(message)


def test_a_denied_call_of_the_handlers_own_assumed_role_is_no_role_that_is_too_new() -> None:
    assert not is_role_too_new(error("AccessDeniedException", f"{CALLER} sagemaker:CreateJob"))
    assert is_role_too_new(error("ValidationException", "Could not assume role arn:aws:iam::1:role/x."))


def test_a_region_that_does_not_know_the_call_is_told_apart_from_a_mistake() -> None:
    error = ClientError({"Error": {"Code": "UnknownOperationException", "Message": "Unknown operation"}}, "CreateJob")
    assert "us-east-1, us-west-2" in str(explained(error, "Submitting the job a"))
