"""``agent-rft runtimes`` against queued answers."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from cli.conftest import Stubs

from agent_rft_handler import facts

SERVICE = "bedrock-agentcore-control"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def runtime(name: str) -> dict[str, Any]:
    return {
        "agentRuntimeArn": f"arn:aws:bedrock-agentcore:us-east-1:111122223333:runtime/{name}-AbCdEfGhIj",
        "agentRuntimeId": f"{name}-AbCdEfGhIj",
        "agentRuntimeVersion": "2",
        "agentRuntimeName": name,
        "description": "an agent",
        "lastUpdatedAt": NOW,
        "status": "READY",
    }


def endpoint(of: str, name: str, **more: str) -> dict[str, Any]:
    arn = runtime(of)["agentRuntimeArn"]
    return {
        "name": name,
        "agentRuntimeEndpointArn": f"{arn}/runtime-endpoint/{name}",
        "agentRuntimeArn": arn,
        "status": "READY",
        "id": f"{of}-AbCdEfGhIj",
        "createdAt": NOW,
        "lastUpdatedAt": NOW,
        **more,
    }


def test_it_lists_every_page(stubs: Stubs, output: Callable[..., str]) -> None:
    first = {"agentRuntimes": [runtime("one")], "nextToken": "next"}
    stubs.expect(SERVICE, "list_agent_runtimes", {"maxResults": 100}, first)
    second = {"agentRuntimes": [runtime("two")]}
    stubs.expect(SERVICE, "list_agent_runtimes", {"maxResults": 100, "nextToken": "next"}, second)
    rows = json.loads(output("runtimes", "--json"))
    assert [row["name"] for row in rows] == ["one", "two"]
    assert all(facts.AGENT_RUNTIME_ARN.accepts(row["arn"]) for row in rows)


def test_endpoints_stand_below_their_runtime(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect(SERVICE, "list_agent_runtimes", {"maxResults": 100}, {"agentRuntimes": [runtime("one")]})
    endpoints = [endpoint("one", "DEFAULT", liveVersion="2"), endpoint("one", "new")]
    asked = {"agentRuntimeId": "one-AbCdEfGhIj", "maxResults": 100}
    stubs.expect(SERVICE, "list_agent_runtime_endpoints", asked, {"runtimeEndpoints": endpoints})
    heading, *lines = (line.split() for line in output("runtimes", "--endpoints").splitlines())
    arn = runtime("one")["agentRuntimeArn"]
    assert heading == ["NAME", "ID", "VERSION", "STATUS", "ARN"]
    assert lines == [
        ["one", "one-AbCdEfGhIj", "2", "READY", arn],
        ["DEFAULT", "-", "2", "READY", f"{arn}/runtime-endpoint/DEFAULT"],
        ["new", "-", "-", "READY", f"{arn}/runtime-endpoint/new"],
    ]


def test_an_account_without_runtimes_says_so(stubs: Stubs, output: Callable[..., str]) -> None:
    stubs.expect(SERVICE, "list_agent_runtimes", {"maxResults": 100}, {"agentRuntimes": []})
    assert output("runtimes") == "There is no AgentCore runtime in us-east-1 of this account.\n"
