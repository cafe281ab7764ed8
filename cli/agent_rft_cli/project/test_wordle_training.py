"""A snapshot of the template: `pytest` records it when it is not there, and from then on shows what a change replaces.

When a change is meant, delete template.json, run `pytest`, and commit the new one.
"""

import json
from pathlib import Path

from aws_cdk import App
from aws_cdk.assertions import Template
from wordle_training import WordleTraining

from agent_rft.snapshot import masked

HERE = Path(__file__).parent
RECORDED = HERE / "template.json"
FLAGS = json.loads((HERE / "cdk.json").read_text(encoding="utf-8"))["context"]  # `cdk` reads them, `App()` does not


def test_the_template_is_the_recorded_one() -> None:
    template = masked(Template.from_stack(WordleTraining(App(context=FLAGS), "WordleTraining")).to_json())
    if not RECORDED.exists():
        RECORDED.write_text(json.dumps(template, indent=1) + "\n", encoding="utf-8")
    assert template == json.loads(RECORDED.read_text(encoding="utf-8"))
