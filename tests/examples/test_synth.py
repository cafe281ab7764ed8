"""Every example synthesizes, with a job in it and none of our warnings."""

import json
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App
from examples import apps


def templates(folder: Path) -> list[dict[str, Any]]:
    """Those of nested stacks and of stages, too."""
    return [json.loads(path.read_text()) for path in folder.rglob("*.template.json")]


@pytest.mark.parametrize("name", apps.NAMES)
def test_an_example_synthesizes_a_job(name: str, tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    apps.declare(name)(app)
    app.synth()
    kinds = [each["Type"] for template in templates(tmp_path) for each in template.get("Resources", {}).values()]
    assert "Custom::AgentRFTJob" in kinds
    entries = [entry for construct in app.node.find_all() for entry in construct.node.metadata]
    told = [str(entry.data) for entry in entries if entry.type == "aws:cdk:warning"]
    assert [each for each in told if "cdk-agent-rft:" in each] == []


def test_the_page_names_every_example() -> None:
    text = (apps.EXAMPLES / "README.md").read_text()
    assert sorted({name for name in apps.NAMES if f"]({name}/app.py)" in text}) == apps.NAMES
