"""Sentences that fit, and what they advise."""

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler.errors import (
    MESSAGE_MAX_BYTES,
    TRUST,
    Refused,
    explained,
    is_missing,
    is_name_taken,
    is_role_too_new,
    is_throttled,
    is_unanswered,
    shorten,
)

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
        ("ValidationException", "AcceptEula must be true for this model", "Read the model's licence"),
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


@pytest.mark.parametrize("said", ["what it was.", "what it was"])
def test_the_services_words_and_the_advice_are_two_sentences(said: str) -> None:
    sentence = str(explained(error("AccessDeniedException", said), "Submitting"))
    assert "AccessDeniedException: what it was. An account must be allow-listed" in sentence


def test_a_sentence_of_just_the_longest_length_is_kept_and_a_longer_one_is_cut_to_it() -> None:
    assert shorten("x" * 100, 100) == "x" * 100
    assert shorten("x" * 101, 100) == f"{'x' * 47} ... {'x' * 47}"


@pytest.mark.parametrize(
    "code", ["ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded"]
)
def test_each_word_of_the_services_for_too_many_calls_is_throttling(code: str) -> None:
    assert is_throttled(error(code, "Rate exceeded"))
    assert not is_throttled(error(f"{code}X", "Rate exceeded"))


@pytest.mark.parametrize("code", ["ResourceNotFound", "ResourceNotFoundException"])
def test_both_of_sagemakers_codes_say_that_a_thing_is_not_there(code: str) -> None:
    assert is_missing(error(code, "Requested resource not found."))


@pytest.mark.parametrize(
    ("code", "message", "taken"),
    [
        ("ResourceInUse", "Job names must be unique", True),
        ("ValidationException", "A job of that name already exists", True),
        ("ValidationException", "Something else", False),
    ],
)
def test_a_name_is_taken_by_its_code_or_by_the_services_words(code: str, message: str, taken: bool) -> None:
    assert is_name_taken(error(code, message)) is taken


def test_an_error_without_a_message_is_told_by_its_own_text() -> None:
    said = ClientError({"Error": {"Code": "Odd", "Message": ""}}, "CreateJob")
    assert "Odd" in str(explained(said, "Submitting"))
    assert "CreateJob" in str(explained(said, "Submitting"))


@pytest.mark.parametrize(("status", "unanswered"), [(400, False), (408, True), (409, False), (499, False), (500, True)])
def test_a_failure_inside_the_service_and_its_time_out_may_have_worked(status: int, unanswered: bool) -> None:
    failed = ClientError({"Error": {}, "ResponseMetadata": {"HTTPStatusCode": status}}, "CreateJob")  # type: ignore[typeddict-item]
    assert is_unanswered(failed) is unanswered
    assert not is_unanswered(ClientError({"Error": {}}, "CreateJob"))
