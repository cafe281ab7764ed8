"""CloudFormation's limit of resources in one stack."""

import pytest
from aws_cdk import App
from synth.app import Synthesized, stack_of, trainer

from agent_rft.provider.resource_limit import CONTEXT


def test_a_stack_with_too_many_trainers_says_how_to_split_it() -> None:
    app = App(context={CONTEXT: 20})
    stack = stack_of(app)
    for id in ("A", "B", "C"):
        trainer(stack, id)
    said = r"\[S/AgentRFTJobProvider\] The stack has 25 resources, but CloudFormation takes 20, and 3 jobs .*in several"
    with pytest.raises(RuntimeError, match=said):
        app.synth()


def test_trainers_that_share_what_they_can_have_room() -> None:
    app = App(context={CONTEXT: 20})
    stack = stack_of(app)
    first = trainer(stack, "A")
    for id in ("B", "C", "D"):
        trainer(
            stack,
            id,
            role=first.role,
            output_bucket=first.output_bucket,
            output_model_package_group=first.output_model_package_group,
            intermediate_checkpoint_model_package_group=first.checkpoint_model_package_group,
        )
    assert len(Synthesized(stack).json["Resources"]) == 14


def test_the_check_can_be_switched_off_as_the_cdks_own() -> None:
    app = App(context={CONTEXT: 0})
    trainer(stack_of(app))
    app.synth()
