"""``agent-rft jobs`` against queued answers."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from cli.conftest import Stubs

FIRST = {"JobCategory": "AgentRFT", "SortBy": "CreationTime", "SortOrder": "Descending", "MaxResults": 100}
CREATED = datetime(2026, 3, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))


def job(name: str, **more: Any) -> dict[str, Any]:
    return {
        "JobArn": f"arn:aws:sagemaker:us-east-1:111122223333:job/AgentRFT/{name}",
        "JobName": name,
        "JobCategory": "AgentRFT",
        "JobStatus": "InProgress",
        "JobSecondaryStatus": "Training",
        "CreationTime": CREATED,
        "LastModifiedTime": CREATED,
        **more,
    }


def test_it_lists_every_page_with_times_in_utc(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect("sagemaker", "list_jobs", FIRST, {"JobSummaries": [job("two")], "NextToken": "next"})
    ended = job("one", JobStatus="Completed", JobSecondaryStatus="Completed", EndTime=CREATED.astimezone(UTC))
    stubs.expect("sagemaker", "list_jobs", FIRST | {"NextToken": "next"}, {"JobSummaries": [ended]})
    assert output("jobs").splitlines() == [
        "NAME  STATUS      SECONDARY STATUS  CREATED",
        "two   InProgress  Training          2026-03-01 12:30 UTC",
        "one   Completed   Completed         2026-03-01 12:30 UTC",
    ]


def test_json_has_the_arn_and_the_end(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect("sagemaker", "list_jobs", FIRST, {"JobSummaries": [job("one", EndTime=CREATED)]})
    (row,) = json.loads(output("jobs", "--json"))
    assert row == {
        "name": "one",
        "status": "InProgress",
        "secondary_status": "Training",
        "created": "2026-03-01T12:30:00+00:00",
        "ended": "2026-03-01T12:30:00+00:00",
        "arn": "arn:aws:sagemaker:us-east-1:111122223333:job/AgentRFT/one",
    }


def test_what_is_asked_for_is_left_to_the_service(stubs: Stubs, output: Callable[..., str]) -> None:
    asked = FIRST | {"JobCategory": "AgentRFTEvaluation", "StatusEquals": "Failed", "NameContains": "wordle"}
    stubs.expect("sagemaker", "list_jobs", asked, {"JobSummaries": []})
    options = ("--category", "AgentRFTEvaluation", "--status", "Failed", "--name-contains", "wordle")
    assert output("jobs", *options) == "There is no AgentRFTEvaluation job like that in us-east-1 of this account.\n"


def test_no_further_page_is_asked_for_than_the_limit_needs(stubs: Stubs, output: Callable[..., str]) -> None:
    found = {"JobSummaries": [job("three"), job("two")], "NextToken": "never used"}
    stubs.expect("sagemaker", "list_jobs", FIRST | {"MaxResults": 2}, found)
    assert [row["name"] for row in json.loads(output("jobs", "--json", "--limit", "2"))] == ["three", "two"]


def test_no_rows_are_an_empty_list_in_json(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect("sagemaker", "list_jobs", FIRST, {"JobSummaries": []})
    assert json.loads(output("jobs", "--json")) == []


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1.5"])
def test_a_limit_is_a_whole_number_above_0(output: Callable[..., str], limit: str) -> None:
    with pytest.raises(SystemExit) as ended:
        output("jobs", "--limit", limit)
    assert ended.value.code == 2
