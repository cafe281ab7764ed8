"""What a user's snapshot test masks: the handler's code, and nothing else."""

import copy
from pathlib import Path

from aws_cdk import aws_lambda as lambda_
from synth.app import Synthesized, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft.snapshot import MASK, masked


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
