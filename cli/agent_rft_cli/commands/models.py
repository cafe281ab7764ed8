"""``agent-rft models``: the hub's models that multi-turn RL can train."""

import argparse
import json
import textwrap
from typing import Any

from agent_rft_cli.aws import PAGE, Clients
from agent_rft_cli.listing import Listing
from agent_rft_handler import facts
from agent_rft_handler.clients import listed
from agent_rft_handler.job import base_model

SUMMARY = "the models of the hub that multi-turn RL can train"
TITLE_MAX = 60
"""A description may have a thousand characters; JSON has them all."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--hub", default=facts.PUBLIC_HUB, help="the hub's name or ARN (default: %(default)s)")
    parser.add_argument("--details", action="store_true", help="also whether a model is gated; one more call for each")


def run(options: argparse.Namespace, clients: Clients) -> Listing:
    """Reads the hub."""
    sagemaker = clients.client("sagemaker", "ListHubContents", "DescribeHubContent")
    contents = listed(
        sagemaker.list_hub_contents,
        "HubContentSummaries",
        HubName=options.hub,
        HubContentType="Model",
        MaxResults=PAGE,
    )
    rows = [_row(each) for each in contents if base_model.is_trainable(each)]
    if options.details:
        rows = [{**row, "gated": _is_gated(sagemaker, options.hub, row)} for row in rows]
    columns = ("name", "version", *(("gated",) if options.details else ()), "title")
    lines = [{**row, "title": _title(row)} for row in rows]
    return Listing(rows, columns, f"The hub {options.hub} has no model that multi-turn RL can train.", lines)


def _row(content: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": content["HubContentName"],
        "version": content["HubContentVersion"],
        "display_name": content.get("HubContentDisplayName"),
        "description": content.get("HubContentDescription"),
        "arn": content["HubContentArn"],
    }


def _title(row: dict[str, Any]) -> str:
    return textwrap.shorten(row["display_name"] or row["description"] or "", TITLE_MAX, placeholder="...")


def _is_gated(sagemaker: Any, hub_name: str, row: dict[str, Any]) -> bool:
    found = sagemaker.describe_hub_content(
        HubName=hub_name,
        HubContentType="Model",
        HubContentName=row["name"],
        HubContentVersion=row["version"],
    )
    return base_model.is_gated(json.loads(found["HubContentDocument"]))
