"""A queue as an event declares it, and what is malformed in it."""

import re
from typing import Any

import pytest
from handler.queued import BUCKET, FOLDER, MACHINE, THREE, QueueWorld
from handler.world import STACK_ID

from agent_rft_handler.event import Event
from agent_rft_handler.job_queue.queue import GENERATIONS, PHYSICAL_ID, Queue
from agent_rft_handler.owner import Owner


def queue(rows: Any = THREE, request_id: str = "r-1", **changed: Any) -> Queue:
    """The queue of an event, with some of its properties changed."""
    event = QueueWorld().event("Create", rows, request_id=request_id)
    event["ResourceProperties"] |= changed
    return Queue.of(Event.of(event))


def test_its_properties_are_read_one_by_one() -> None:
    declared = queue(Concurrency="3", StopOnFailure="true", EverySeconds="90")
    assert (declared.state_machine_arn, declared.bucket, declared.folder) == (MACHINE, BUCKET, FOLDER)
    assert (declared.concurrency, declared.stops_on_failure, declared.every) == (3, True, 90.0)
    assert declared.owner == Owner(STACK_ID, "Job")


@pytest.mark.parametrize("odd", ["", "0", "-1", "two", "1.5", [], None])
def test_a_malformed_concurrency_is_one_and_a_malformed_interval_a_minute(odd: object) -> None:
    declared = queue(Concurrency=odd, EverySeconds=odd if odd != "0" else "", StopOnFailure=odd)
    assert (declared.concurrency, declared.every, declared.stops_on_failure) == (1, 60.0, False)


@pytest.mark.parametrize(
    "declared", [None, {}, {"Rows": "a"}, {"Rows": []}, {"Jobs": {}, "Rows": None}], ids=lambda each: str(each)
)
def test_a_queue_without_rows_has_no_jobs(declared: object) -> None:
    assert queue(Declared=declared).rows == ()


def test_a_row_is_its_job_with_what_is_given_in_its_place_and_never_a_dry_run() -> None:
    rows = queue().rows
    assert [row.name for row in rows] == ["a", "b", "c"]
    assert [row.declaration.hyperparameters["max_epochs"] for row in rows] == ["1", "2", "3"]
    assert {row.declaration.dry_run for row in rows} == {False}
    assert len({row.key for row in rows}) == 3
    assert [row.declaration.run_id for row in rows] == ["a", "b", "c"]


def test_the_jobs_own_run_id_stands_before_the_rows_name() -> None:
    given = queue().properties["Declared"]
    assert isinstance(given, dict)
    given["Jobs"]["Base"]["RunId"] = "2"
    assert queue(Declared=given).rows[0].declaration.run_id == "2:a"


def test_two_rows_that_declare_the_same_are_two_jobs() -> None:
    rows = queue({"a": {"max_epochs": "1"}, "b": {"max_epochs": "1"}}).rows
    assert rows[0].key != rows[1].key


def test_a_rows_request_is_the_same_whenever_it_is_asked_for() -> None:
    first, second = queue(request_id="r-1").rows[0], queue(request_id="r-2").rows[0]
    assert first.request == second.request
    assert first.request.request_id == first.key


def test_it_goes_through_json_as_it_is_and_odd_json_is_an_empty_queue() -> None:
    declared = queue().after(queue(request_id="r-0"))
    assert Queue.from_list(declared.to_list()) == declared
    assert Queue.from_list({"Earlier": "no list"}) == Queue(Owner("", ""), {}, "")


def test_each_event_is_a_generation_and_knows_those_before_it() -> None:
    first, second = queue(request_id="r-1"), queue(request_id="r-2")
    assert first.generation != second.generation
    assert first.after(None) == first
    assert second.after(first).earlier == (first.generation,)
    assert second.after(second.after(first)).earlier == (first.generation,)  # the same event, delivered again


def test_so_many_generations_are_known_and_no_more() -> None:
    now = queue(request_id="r-0")
    for number in range(1, GENERATIONS + 10):
        now = queue(request_id=f"r-{number}").after(now)
    assert len(now.earlier) == GENERATIONS
    assert now.earlier[0] == queue(request_id=f"r-{GENERATIONS + 8}").generation


def test_the_physical_id_says_where_its_results_are_and_since_which_event() -> None:
    declared = queue()
    found = re.fullmatch(PHYSICAL_ID, declared.physical_id)
    assert found
    assert found.groups() == (BUCKET, FOLDER)
    assert declared.physical_id.endswith(declared.generation)


def test_at_its_end_nothing_of_it_is_wanted_and_the_rest_stays() -> None:
    ended = queue().without_rows
    assert ended.rows == ()
    assert (ended.bucket, ended.folder, ended.generation) == (BUCKET, FOLDER, queue().generation)
