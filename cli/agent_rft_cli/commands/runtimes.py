"""``agent-rft runtimes``: the account's AgentCore runtimes, any of which may be a trainer's agent."""

import argparse
from typing import Any

from agent_rft_cli.aws import PAGE, Clients
from agent_rft_cli.listing import Listing
from agent_rft_handler.clients import listed

SUMMARY = "the account's AgentCore runtimes"
COLUMNS = ("name", "id", "version", "status", "arn")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--endpoints", action="store_true", help="also each runtime's endpoints, below it")


def run(options: argparse.Namespace, clients: Clients) -> Listing:
    """Reads the runtimes and, if asked to, their endpoints."""
    control = clients.client("bedrock-agentcore-control", "ListAgentRuntimes", "ListAgentRuntimeEndpoints")
    found = listed(control.list_agent_runtimes, "agentRuntimes", "nextToken", maxResults=PAGE)
    rows = [_row(each) for each in found]
    if options.endpoints:
        rows = [{**row, "endpoints": _endpoints(control, row["id"])} for row in rows]
    lines = [line for row in rows for line in (row, *map(_below, row.get("endpoints", [])))]
    return Listing(rows, COLUMNS, f"There is no AgentCore runtime in {clients.region_name} of this account.", lines)


def _row(runtime: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": runtime["agentRuntimeName"],
        "id": runtime["agentRuntimeId"],
        "version": runtime["agentRuntimeVersion"],
        "status": runtime["status"],
        "arn": runtime["agentRuntimeArn"],
    }


def _endpoints(control: Any, runtime_id: str) -> list[dict[str, Any]]:
    found = listed(
        control.list_agent_runtime_endpoints,
        "runtimeEndpoints",
        "nextToken",
        agentRuntimeId=runtime_id,
        maxResults=PAGE,
    )
    return [_endpoint(each) for each in found]


def _endpoint(endpoint: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": endpoint["name"],
        "version": endpoint.get("liveVersion"),
        "status": endpoint["status"],
        "arn": endpoint["agentRuntimeEndpointArn"],
    }


def _below(endpoint: dict[str, Any]) -> dict[str, Any]:
    return {**endpoint, "name": f"  {endpoint['name']}"}
