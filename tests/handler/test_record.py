"""What became of a job of a queue, and the table of all of them."""

import csv
import datetime
import io
from typing import Any

import pytest
from handler.queued import QueueWorld

from agent_rft_handler.event import Event
from agent_rft_handler.facts import TERMINAL_STATUSES
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job_queue.queue import Queue
from agent_rft_handler.job_queue.record import COLUMNS, GONE, REFUSED, TRIES, Record, table

JOB = Job("a-1", "arn:job/a-1", "AgentRFT", "InProgress", "arn:role", {}, {})
NOON = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)


def test_a_record_waits_runs_or_is_over() -> None:
    waiting = Record("a")
    assert (waiting.is_waiting, waiting.is_running, waiting.is_over) == (True, False, False)
    for status in ("InProgress", "Stopping"):
        running = Record("a", status)
        assert (running.is_waiting, running.is_running, running.is_over) == (False, True, False)
    for status in (*TERMINAL_STATUSES, "DeleteFailed", REFUSED, GONE):
        over = Record("a", status)
        assert (over.is_waiting, over.is_running, over.is_over) == (False, False, True)


@pytest.mark.parametrize("status", ["", "InProgress", *TERMINAL_STATUSES, REFUSED, GONE])
def test_a_job_that_failed_and_one_that_was_refused_are_failures(status: str) -> None:
    assert Record("a", status).is_a_failure is (status in ("Failed", REFUSED))


def test_with_its_job_a_record_runs_and_its_earlier_refusals_are_forgotten() -> None:
    record = Record("a", reason="not yet", tries="2").submitted(JOB, NOON.timestamp())
    assert record == Record(
        "a", "InProgress", "a-1", "arn:job/a-1", "AgentRFT", created=NOON.isoformat(), reason="", tries="2"
    )
    assert record.created_at == NOON.timestamp()
    assert Record("a").created_at == 0


def test_the_last_refusal_is_final_and_each_says_why() -> None:
    record = Record("a")
    for number in range(1, TRIES + 1):
        assert record.is_waiting
        record = record.refused(f"no {number}")
        assert (record.tries, record.reason) == (str(number), f"no {number}")
    assert record.status == REFUSED


def test_a_record_is_read_as_text_whatever_was_written() -> None:
    assert Record.of({}) == Record("")
    assert Record.of({"name": "a", "tries": 2, "later": "x"}) == Record("a", tries="2")


def test_what_the_service_says_of_the_job_is_the_records() -> None:
    document = '{"ServiceOutput": {"OutputModelPackageArn": "arn:package/1"}}'
    described: dict[str, Any] = {
        "JobName": "a-1",
        "JobArn": "arn:job/a-1",
        "JobCategory": "AgentRFT",
        "JobStatus": "Failed",
        "FailureReason": "no memory",
        "JobConfigDocument": document,
        "CreationTime": NOON,
        "EndTime": NOON + datetime.timedelta(hours=1),
    }
    record = Record("a", "InProgress", "a-1").described(described)
    assert (record.status, record.reason, record.package) == ("Failed", "no memory", "arn:package/1")
    assert (record.created, record.ended) == (NOON.isoformat(), described["EndTime"].isoformat())


def test_the_table_has_a_line_for_each_row_and_a_column_for_each_hyperparameter() -> None:
    rows = {"a": {"learning_rate": "1e-05"}, "b": {"beta": "0.1"}}
    queue = Queue.of(Event.of(QueueWorld().event("Create", rows)))  # type: ignore[arg-type]
    a, b = queue.rows
    text = table(queue.rows, {a.key: Record("a", "Failed", "a-1", reason='said "no", twice'), b.key: Record("b")})
    header, *lines = list(csv.reader(io.StringIO(text)))
    assert header == [*COLUMNS, "beta", "learning_rate", "max_epochs"]
    assert [dict(zip(header, line, strict=True))["name"] for line in lines] == ["a", "b"]
    first, second = (dict(zip(header, line, strict=True)) for line in lines)
    assert (first["status"], first["failure_reason"]) == ("Failed", 'said "no", twice')
    assert (first["learning_rate"], first["beta"], second["beta"]) == ("1e-05", "", "0.1")
    assert {value for name, value in second.items() if name not in ("name", "beta", "max_epochs")} == {""}
    assert text.endswith("\n")
    assert "\r" not in text
