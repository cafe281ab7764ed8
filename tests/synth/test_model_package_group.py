"""Groups of a stack's own."""

from synth.app import (
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import (
    ModelPackageGroup,
)


def test_groups_are_retained_and_named_after_path_and_stack_id() -> None:
    groups = synth().resources("AWS::SageMaker::ModelPackageGroup")
    assert [group["DeletionPolicy"] for group in groups.values()] == ["Retain", "Retain"]
    for group in groups.values():
        name = readable(group["Properties"]["ModelPackageGroupName"])
        assert name.startswith("S-Trainer-")
        assert "AWS::StackId" in name
        assert len(name.partition("{")[0]) <= 63 - 8


def test_a_group_of_its_own_can_be_shared_and_named() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", model_package_group_name="wordle-agents")
    trainer(stack, output_model_package_group=group)
    made = Synthesized(stack)
    assert len(made.resources("AWS::SageMaker::ModelPackageGroup")) == 2
    assert made.job()["OutputModelPackageGroup"] == stack.resolve(group.model_package_group_arn)
