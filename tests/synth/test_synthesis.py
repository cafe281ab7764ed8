"""What is done only when the app is synthesized comes into the template, however it is synthesized."""

from typing import Any

from aws_cdk import App, CfnDeletionPolicy, CfnResource, RemovalPolicies, RemovalPolicy, Stack
from aws_cdk import aws_s3 as s3
from synth.app import stack_of, trainer, unstaged_app

from agent_rft import JobQueue
from agent_rft.synthesis import said_later


def kept(stack: Stack, id: str) -> CfnResource:
    """The resource of a further trainer, which a rule of the stack does not reach."""
    resource = trainer(stack, id).node.default_child
    assert isinstance(resource, CfnResource)
    return resource


def all_that_waits() -> App:
    """Everything that stands in a template only once all of it is declared."""
    app = unstaged_app()
    elsewhere = s3.Bucket(stack_of(app, "Elsewhere"), "Results")
    stack = stack_of(app)
    trainer(stack, "Plain", output_bucket=elsewhere)
    kept(stack, "ByOption").cfn_options.update_replace_policy = CfnDeletionPolicy.RETAIN
    trainer(stack, "ByMethod").apply_removal_policy(RemovalPolicy.RETAIN)
    queue = JobQueue(stack, "Queue")
    queue.add(trainer(stack, "Queued", dry_run=True))
    every = stack_of(app, "Every")
    trainer(every, "Kept")
    RemovalPolicies.of(every).retain()
    return app


def templates(app: App, *, skip_validation: bool) -> dict[str, Any]:
    return {each.stack_name: each.template for each in app.synth(skip_validation=skip_validation).stacks}


def test_who_skips_validations_gets_the_same_templates() -> None:
    assert templates(all_that_waits(), skip_validation=True) == templates(all_that_waits(), skip_validation=False)


def test_a_value_that_is_resolved_early_is_asked_for_again() -> None:
    said: list[str] = []
    stack = Stack()
    value = said_later(lambda: said)
    assert stack.resolve(value) == []
    said.append("more")
    assert stack.resolve(value) == ["more"]


def test_nothing_stands_where_nothing_is_said() -> None:
    assert Stack().resolve({"Key": said_later(lambda: None)}) == {}
