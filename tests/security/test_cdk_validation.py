"""What `cdk synth` judges a template by itself finds nothing, in stacks of every feature; other tests leave it out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, CfnResource, CloudFormationValidatePlugin, Validations
from security.judged import STACKS, declared
from synth.app import stack_of

pytestmark = pytest.mark.slow


def test_cdks_own_validation_finds_nothing(tmp_path: Path) -> None:
    def every(app: App) -> None:
        for name in STACKS:
            declared(stack_of(app, name.title().replace(" ", "")), name)

    assert validated(tmp_path, every) == []


def test_cdks_own_validation_is_awake(tmp_path: Path) -> None:
    wrong = {"FunctionName": ["not text"]}
    assert validated(
        tmp_path, lambda app: CfnResource(stack_of(app), "F", type="AWS::Lambda::Function", properties=wrong)
    )


def validated(directory: Path, declare: Callable[[App], object]) -> list[Any]:
    """What the rules that `cdk synth` applies by itself find in an app; elsewhere in the tests they are off."""
    app = App(outdir=str(directory))
    declare(app)
    Validations.of(app).add_plugins(CloudFormationValidatePlugin())
    app.synth()
    report = json.loads((directory / "validation-report.json").read_text())
    return [row for each in report["pluginReports"] for row in each["violations"]]
