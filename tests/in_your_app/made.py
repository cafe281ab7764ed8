"""What an app came to, and the tables of docs/in-your-app.md: each row is a test by its first column."""

import json
import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from aws_cdk import App
from synth.app import readable
from synth.graph import circle_in

PAGE = Path(__file__).parents[2] / "docs" / "in-your-app.md"


def titles(section: str) -> list[str]:
    """The first column of the page's table below that heading."""
    text = PAGE.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| (.+?) \|", text, re.MULTILINE)[1:]


@dataclass(frozen=True)
class Made:
    """The templates of an app, those of its stages and nested stacks too, by their files, and its warnings."""

    templates: dict[str, dict[str, Any]]
    warnings: list[str]

    def ids(self) -> set[tuple[str, str]]:
        """Every logical id, by the file that it stands in."""
        return {(file, id) for file, template in self.templates.items() for id in template["Resources"]}

    def resources(self, kind: str) -> list[dict[str, Any]]:
        """The properties of all resources of a type."""
        every = [each for template in self.templates.values() for each in template.get("Resources", {}).values()]
        return [each.get("Properties", {}) for each in every if each["Type"] == kind]

    def allowed(self, role: str) -> dict[str, list[str]]:
        """On what the app's policies let a role do each action, by a part of what the template calls it."""
        found: dict[str, list[str]] = {}
        every = [resource for template in self.templates.values() for resource in template["Resources"].items()]
        own = [each["Properties"] for name, each in every if each["Type"] == "AWS::IAM::Role" and role in name]
        policies = [each for each in self.resources("AWS::IAM::Policy") if role in json.dumps(each["Roles"])]
        for policy in chain(policies, *(each.get("Policies", []) for each in own)):
            for statement in policy["PolicyDocument"]["Statement"]:
                for action in _listed(statement["Action"]):
                    found.setdefault(action, []).extend(map(readable, _listed(statement["Resource"])))
        return found


def made(app: App) -> Made:
    """The app, synthesized; no resource waits for itself."""
    assert circle_in(app) == []
    folder = Path(app.synth().directory)
    files = {str(path.relative_to(folder)): json.loads(path.read_text()) for path in folder.rglob("*.template.json")}
    entries = [entry for each in app.node.find_all() for entry in each.node.metadata]
    return Made(files, [str(each.data) for each in entries if each.type == "aws:cdk:warning"])


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
