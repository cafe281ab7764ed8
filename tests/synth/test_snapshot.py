"""What a user's snapshot test masks: the handler's code, and nothing else."""

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App
from aws_cdk import aws_lambda as lambda_
from security.judged import declared
from synth.app import Synthesized, stack_of, trainer
from synth.test_job_task import evaluator

import agent_rft_handler
from agent_rft.snapshot import MASK, masked


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """Another release's handler: one file of it says one word more."""
    package = tmp_path / "agent_rft_handler"
    shutil.copytree(Path(agent_rft_handler.__file__).parent, package)
    with (package / "owner.py").open("a") as file:
        file.write("# changed\n")
    return package / "__init__.py"


def written(name: str, directory: Path) -> dict[str, Any]:
    """The template of a stack of the security tests, as `cdk synth` writes it."""
    app = App(outdir=str(directory), context={"aws:cdk:enable-asset-metadata": True})
    declared(stack_of(app), name)
    app.synth()
    return dict(json.loads((directory / "S.template.json").read_text()))


@pytest.mark.parametrize("name", ["told and shown", "sweep", "nova", "agent"])
def test_a_snapshot_stays_when_a_release_changes_only_the_handlers_files(
    name: str, next_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = written(name, tmp_path / "before")
    monkeypatch.setattr(agent_rft_handler, "__file__", str(next_release))
    upgraded = written(name, tmp_path / "after")
    assert upgraded != recorded
    assert masked(upgraded) == masked(recorded)


def test_a_snapshot_changes_with_the_declaration() -> None:
    one, other = stack_of(), stack_of()
    trainer(one, hyperparameters={"max_epochs": 1})
    trainer(other, hyperparameters={"max_epochs": 2})
    assert masked(Synthesized(one).json) != masked(Synthesized(other).json)


def test_the_code_of_all_of_our_functions_is_masked_and_everything_else_stays() -> None:
    stack = stack_of()
    trainer(stack).evaluate_on_completion(evaluator(stack))
    template = Synthesized(stack).json
    before = copy.deepcopy(template)
    found = masked(template)
    assert template == before
    expected = copy.deepcopy(before)
    ours = [each for each in expected["Resources"].values() if each["Type"] == "AWS::Lambda::Function"]
    assert len(ours) == 4
    for each in ours:
        each["Properties"]["Code"]["S3Key"] = MASK
    assert found == expected


def test_a_users_own_function_is_not_masked(tmp_path: Path) -> None:
    (tmp_path / "index.py").write_text("def handler(event, context): return {}")
    stack = stack_of()
    lambda_.Function(
        stack,
        "Agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_asset(str(tmp_path)),
    )
    template = Synthesized(stack).json
    assert masked(template) == template


def test_a_template_without_resources_stays() -> None:
    assert masked({"Outputs": {}}) == {"Outputs": {}, "Resources": {}}
