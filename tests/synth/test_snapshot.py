"""What a user's snapshot test masks: the handler's code, and nothing else."""

import copy
from pathlib import Path

from aws_cdk import aws_lambda as lambda_
from synth.app import Synthesized, stack_of, synth

from agent_rft.snapshot import MASK, masked


def test_the_handlers_code_is_masked_and_everything_else_stays() -> None:
    template = synth().json
    before = copy.deepcopy(template)
    found = masked(template)
    assert template == before
    names = [name for name in template["Resources"] if found["Resources"][name] != template["Resources"][name]]
    (handler,) = names
    expected = copy.deepcopy(before["Resources"][handler])
    expected["Properties"]["Code"]["S3Key"] = MASK
    assert found["Resources"][handler] == expected
    assert {key: value for key, value in found.items() if key != "Resources"} == {
        key: value for key, value in before.items() if key != "Resources"
    }


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
