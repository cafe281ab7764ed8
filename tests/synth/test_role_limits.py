"""IAM's limits on one role: what overflows, what is warned of, and what is refused at synth."""

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_iam as iam
from synth.app import Synthesized, stack_of, trainer
from synth.test_role_policies import length

from agent_rft_handler.facts import INLINE_POLICIES_MAX_SIZE, MANAGED_POLICIES_DEFAULT, MANAGED_POLICIES_MAX

SIZE = 5_800
"""Characters of a resource for which a managed policy has room once."""


def filling(stack: Stack, policies: int, role: str = "rft") -> None:
    """A trainer that needs so many managed policies, as its own statements have no room elsewhere."""
    job = trainer(stack, f"Trainer-{role}", role=role)
    for number in range(policies):
        large = f"arn:aws:s3:::rewards/{number}/{'x' * SIZE}"
        job.add_to_role_policy(iam.PolicyStatement(actions=["s3:GetObject"], resources=[large]))


def managed(stack: Stack) -> int:
    return len(Synthesized(stack).resources("AWS::IAM::ManagedPolicy"))


def warned(stack: Stack) -> list[str]:
    return [each for each in Synthesized(stack).warnings() if "managed policies" in each]


def test_all_stacks_of_an_app_together_have_room_in_a_roles_inline_policies() -> None:
    app = App()
    stacks = [stack_of(app, f"S{number}") for number in range(4)]
    for stack in stacks:
        for number in range(12):
            path = f"s3://bucket-{number}/{'long/' * 20}"
            trainer(stack, f"T{number}", role="rft", s3_output_path=path, dry_run=True)
    found = [each for stack in stacks for each in Synthesized(stack).resources("AWS::IAM::Policy").values()]
    policies = [each["Properties"] for each in found]
    sizes = [length(each["PolicyDocument"]) for each in policies if each["Roles"] == ["rft"]]
    assert len(sizes) > 1
    assert sum(sizes) <= INLINE_POLICIES_MAX_SIZE
    assert all("sagemaker:CreateModelPackage" in Synthesized(stack).text for stack in stacks)


def test_more_managed_policies_than_the_default_quota_are_warned_of_once() -> None:
    stack = stack_of()
    filling(stack, MANAGED_POLICIES_DEFAULT + 1)
    assert managed(stack) == MANAGED_POLICIES_DEFAULT + 1
    (said,) = warned(stack)
    assert f"needs {MANAGED_POLICIES_DEFAULT + 1} managed policies" in said
    assert f"quota of a role is {MANAGED_POLICIES_DEFAULT}." in said


def test_as_many_as_the_default_quota_are_not() -> None:
    stack = stack_of()
    filling(stack, MANAGED_POLICIES_DEFAULT)
    assert warned(stack) == []


def test_more_than_iam_attaches_are_refused_over_all_stacks_with_the_ways_out() -> None:
    app = App()
    filling(stack_of(app, "One"), MANAGED_POLICIES_MAX)
    filling(stack_of(app, "Two"), 1)
    said = rf"needs {MANAGED_POLICIES_MAX + 1} managed .* at most {MANAGED_POLICIES_MAX} .* another role, or let them"
    with pytest.raises(RuntimeError, match=said):
        app.synth()


def test_each_role_is_counted_by_itself() -> None:
    stack = stack_of()
    for role in ("rft", "other"):
        filling(stack, MANAGED_POLICIES_DEFAULT, role)
    assert warned(stack) == []
