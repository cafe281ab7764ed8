"""Jobs that one deployment submits, and the quota of one that runs at a time."""

from typing import Any

import pytest
from aws_cdk import CfnParameter, Stack
from synth.app import PACKAGE_ARN, Synthesized, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft import JobQueue

WAYS_OUT = ("dry_run=True", "JobQueue", "once the other has ended", "quota raised")


def warned(stack: Stack) -> list[str]:
    return [each for each in Synthesized(stack).warnings() if "default quota" in each]


def test_a_second_trainer_that_submits_is_warned_of_once_with_the_ways_out() -> None:
    stack = stack_of()
    for id in ("First", "Second", "Third"):
        trainer(stack, id)
    (said,) = warned(stack)
    assert "that of S/First" in said
    assert "one AgentRFT job at a time" in said
    assert [each for each in WAYS_OUT if each not in said] == []
    assert "S/Second" in [each.node.path for each in stack.node.find_all() if said in str(each.node.metadata)]


@pytest.mark.parametrize("dry_run", [True, "token"])
def test_what_submits_nothing_or_may_is_not_warned_of(dry_run: Any) -> None:
    stack = stack_of()
    given = CfnParameter(stack, "Dry").value_as_string if dry_run == "token" else dry_run
    for id in ("First", "Second"):
        trainer(stack, id, dry_run=given)
    assert warned(stack) == []


def test_a_training_and_an_evaluation_have_a_quota_each() -> None:
    stack = stack_of()
    trainer(stack)
    evaluator(stack, dry_run=False)
    assert warned(stack) == []


def test_an_evaluation_of_the_base_model_is_a_second_one_unless_both_are_dry() -> None:
    stack, dry = stack_of(), stack_of()
    evaluator(stack, model=PACKAGE_ARN, evaluate_base_model=True, dry_run=False)
    evaluator(dry, model=PACKAGE_ARN, evaluate_base_model=True, dry_run=True)
    (said,) = warned(stack)
    assert "one AgentRFTEvaluation job at a time" in said
    assert warned(dry) == []


def test_the_way_out_that_it_names_is_one() -> None:
    stack = stack_of()
    JobQueue(stack, "Queue", jobs=[trainer(stack, id, dry_run=True) for id in ("First", "Second")])
    assert warned(stack) == []
