"""An event as CloudFormation sends it, and as it never would."""

import json

import pytest
from handler.world import ANSWER_MAX_BYTES, STACK_ID

from agent_rft_handler.event import Event, mapping, text, texts
from agent_rft_handler.response import Response

RAW = {
    "RequestType": "Create",
    "RequestId": "r-1",
    "StackId": STACK_ID,
    "LogicalResourceId": "Job",
    "ResourceType": "Custom::AgentRFTJob",
    "PhysicalResourceId": "job-1",
    "ResourceProperties": {"Model": "m"},
    "OldResourceProperties": {"Model": "n"},
    "ResponseURL": "https://answers.example/" + "x" * 2000,
}


def test_an_event_is_read_member_by_member() -> None:
    event = Event.of(RAW)
    assert (event.kind, event.request_id, event.stack_id, event.logical_id) == ("Create", "r-1", STACK_ID, "Job")
    assert (event.resource_type, event.physical_id) == ("Custom::AgentRFTJob", "job-1")
    assert (event.properties, event.old_properties) == ({"Model": "m"}, {"Model": "n"})
    assert event.response_url == RAW["ResponseURL"]  # whole: a presigned URL that is cut is none
    assert event.problem() == ""


def test_an_event_never_shows_its_url_and_may_have_none() -> None:
    assert "answers.example" not in repr(Event.of(RAW))
    assert (Event("Create", "r", "s", "l", "t").response_url, Event("Create", "r", "s", "l", "t").physical_id) == (
        "",
        "",
    )


@pytest.mark.parametrize("raw", [None, [], "Create", {}, dict.fromkeys(RAW, 3)])
def test_what_is_malformed_reads_as_absent(raw: object) -> None:
    event = Event.of(raw)
    assert {event.kind, event.request_id, event.stack_id, event.physical_id, event.response_url} == {""}
    assert (event.properties, event.old_properties) == ({}, {})
    assert event.problem() != ""
    assert event.doing == "An event of a resource"


def test_messages_name_the_event_and_its_resource() -> None:
    assert Event.of(RAW).doing == "Create of Job"


@pytest.mark.parametrize("more", ["x", "é", "𝄞"])
def test_the_answer_to_an_event_whose_ids_are_too_long_still_fits(more: str) -> None:
    ids = ("RequestId", "StackId", "LogicalResourceId", "PhysicalResourceId")
    event = Event.of({**RAW, **dict.fromkeys(ids, more * 9000)})
    body = Response(event.physical_id, "it is so " * 900).body(event)
    assert len(body) <= ANSWER_MAX_BYTES
    assert json.loads(body)["Status"] == "FAILED"


def test_text_is_cut_by_its_bytes_and_never_within_a_character() -> None:
    assert text("aé", 3) == "aé"
    assert text("aé", 2) == "a"
    assert text("a\ud800b", 3) == "ab"  # half of a surrogate pair is no text
    assert text("é" * 5000) == "é" * 5000


def test_entries_of_a_mapping_are_kept_by_text_and_tags_are_text_on_both_sides() -> None:
    given: dict[object, object] = {"a": 1, 2: "b", "c": "d"}
    assert mapping(given) == {"a": 1, "c": "d"}
    assert texts(given) == {"c": "d"}
    assert (mapping(["a"]), texts(None)) == ({}, {})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"RequestType": "Read"}, "RequestType is 'Read', but must be one of Create, Update, Delete."),
        ({"StackId": "a:b:c:d:e"}, "must say whose event it is"),
        ({"LogicalResourceId": ""}, "must say whose event it is"),
        ({"RequestId": "r 1"}, "must say whose event it is"),
    ],
)
def test_an_event_that_is_nobodys_says_what_is_missing(changed: dict[str, str], said: str) -> None:
    assert said in Event.of({**RAW, **changed}).problem()


def test_the_shortest_stack_id_that_says_region_and_account_will_do() -> None:
    assert Event.of({**RAW, "StackId": "arn:aws:cloudformation:us-east-1:1:stack"}).problem() == ""
