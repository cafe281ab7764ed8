"""``agent-rft models`` against queued answers."""

import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from cli.conftest import Stubs

from agent_rft_cli.__main__ import main
from agent_rft_handler import facts

KEYWORD = facts.AGENT_RFT.recipe_keyword
FIRST = {"HubName": facts.PUBLIC_HUB, "HubContentType": "Model", "MaxResults": 100}


def content(name: str, keyword: str = KEYWORD, **more: str) -> dict[str, Any]:
    return {
        "HubContentName": name,
        "HubContentArn": f"arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model/{name}/1.0.0",
        "HubContentVersion": "1.0.0",
        "HubContentType": "Model",
        "DocumentSchemaVersion": "2.4.0",
        "HubContentStatus": "Available",
        "CreationTime": datetime(2026, 1, 1, tzinfo=UTC),
        "HubContentSearchKeywords": ["@task:any", keyword],
        **more,
    }


def test_it_lists_every_page_and_only_what_multi_turn_rl_can_train(stubs: Stubs, output: Callable[..., str]) -> None:
    contents = [content("one"), content("other", "@recipe:finetuning_sft")]
    stubs.expect("sagemaker", "list_hub_contents", FIRST, {"HubContentSummaries": contents, "NextToken": "next"})
    contents = [
        content("two", f"{KEYWORD}_lora"),
        content("near", f"{KEYWORD}x"),
    ]
    stubs.expect("sagemaker", "list_hub_contents", FIRST | {"NextToken": "next"}, {"HubContentSummaries": contents})
    assert [row["name"] for row in json.loads(output("models", "--json"))] == ["one", "two"]


def test_the_table_shows_the_display_name_or_a_short_description(stubs: Stubs, output: Callable[..., str]) -> None:
    long = "A model " * 40
    named = content("named", HubContentDisplayName="Named 32B", HubContentDescription=long)
    contents = [named, content("described", HubContentDescription=long), content("bare")]
    stubs.expect("sagemaker", "list_hub_contents", FIRST, {"HubContentSummaries": contents})
    heading, *lines = output("models").splitlines()
    assert heading == "NAME       VERSION  TITLE"
    assert lines[0] == "named      1.0.0    Named 32B"
    assert lines[1].startswith("described  1.0.0    A model A model")
    assert lines[1].endswith("...")
    assert lines[2] == "bare       1.0.0    -"


@pytest.mark.parametrize("gated", [True, False])
def test_details_say_whether_a_model_is_gated(stubs: Stubs, output: Callable[..., str], gated: bool) -> None:
    stubs.expect("sagemaker", "list_hub_contents", FIRST, {"HubContentSummaries": [content("one")]})
    asked = {
        "HubName": facts.PUBLIC_HUB,
        "HubContentType": "Model",
        "HubContentName": "one",
        "HubContentVersion": "1.0.0",
    }
    described = content("one") | {
        "HubName": facts.PUBLIC_HUB,
        "HubArn": "arn:aws:sagemaker:us-east-1:aws:hub/SageMakerPublicHub",
        "HubContentDocument": json.dumps({"GatedBucket": gated}),
    }
    stubs.expect("sagemaker", "describe_hub_content", asked, described)
    assert json.loads(output("models", "--details", "--json"))[0]["gated"] is gated


def test_a_hub_without_such_a_model_says_so(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect("sagemaker", "list_hub_contents", FIRST | {"HubName": "mine"}, {"HubContentSummaries": []})
    assert output("models", "--hub", "mine") == "The hub mine has no model that multi-turn RL can train.\n"


def test_a_title_that_the_terminals_encoding_lacks_is_still_shown(
    stubs: Stubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = [content("one", HubContentDisplayName="Nova\u2122")]
    stubs.expect("sagemaker", "list_hub_contents", FIRST, {"HubContentSummaries": contents})
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["models"], lambda _profile, _region: stubs) == 0
    assert written.getvalue().splitlines()[1] == b"one   1.0.0    Nova?"
