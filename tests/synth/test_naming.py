"""What we make lies below our own constructs, or below ids of the stack that start with AgentRFT: none of a user's."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnResource, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct
from synth.app import KEY_ARN, PACKAGE_ARN, RUNTIME_ARN, Synthesized, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft import (
    AgentRFTTrainTask,
    CustomAgentLambda,
    JobProvider,
    MlflowApp,
    ModelPackageGroup,
    MultiTurnRLEvaluator,
    MultiTurnRLTrainer,
    grant_job_runtime,
)

ROLE = "arn:aws:iam::111122223333:role/rft"


def told(stack: Stack, id: str) -> None:
    job = trainer(stack, id)
    job.on_failed("Told")
    job.notify(sns.Topic.from_topic_arn(job, "Topic", "arn:aws:sns:us-west-2:111122223333:told"))
    job.evaluate_on_completion(evaluator(job))


def granted(stack: Stack, id: str) -> None:
    grant_job_runtime(stack, iam.Role(stack, id, assumed_by=iam.AccountRootPrincipal()))


def given_by_text(stack: Stack, id: str) -> None:
    """Whatever is imported below the trainer."""
    groups = {"output_model_package_group": "a", "intermediate_checkpoint_model_package_group": "b"}
    network = {"vpc_subnets": ["subnet-0123456789abcdef0"], "security_groups": ["sg-0123456789abcdef0"]}
    texts: dict[str, Any] = {**groups, **network, "s3_output_path": "s3://out-bkt/x"}
    trainer(stack, id, role=ROLE, kms_key=KEY_ARN, **texts).connections.allow_to_any_ipv4  # noqa: B018 - imports


def evaluated(stack: Stack, id: str) -> None:
    given: dict[str, Any] = {"dataset": "s3://data-bkt/a.jsonl", "agent_config": RUNTIME_ARN}
    MultiTurnRLEvaluator(stack, id, model=PACKAGE_ARN, evaluate_base_model=True, **given)


def task(stack: Stack, id: str) -> None:
    state = AgentRFTTrainTask(stack, id, trainer=trainer(stack, f"{id}2", dry_run=True))
    sfn.StateMachine(stack, f"{id}3", definition_body=sfn.DefinitionBody.from_chainable(state))


MADE: dict[str, Callable[[Stack, str], object]] = {
    "trainer": trainer,
    "nova": lambda stack, id: trainer(stack, id, model="amazon.nova-2-lite-v1"),
    "given by text": given_by_text,
    "told": told,
    "granted": granted,
    "evaluator": evaluated,
    "task": task,
    "group": ModelPackageGroup,
    "restricted group": lambda stack, id: ModelPackageGroup(stack, id, managed_storage_type="Restricted"),
    "app": MlflowApp,
    "code in S3": lambda stack, id: CustomAgentLambda(stack, id, code="s3://code-bkt/agent.zip"),
    "code": lambda stack, id: CustomAgentLambda(stack, id, code="def handler(event, context):\n    return {}\n"),
    "attached trainer": lambda stack, id: MultiTurnRLTrainer.from_job_name(stack, id, "job"),
    "attached evaluator": lambda stack, id: MultiTurnRLEvaluator.from_job_name(stack, id, "job"),
    "imported group": lambda stack, id: ModelPackageGroup.from_model_package_group_name(stack, id, "tuned"),
    "provider": lambda stack, _id: JobProvider(stack),
}
THEIRS = {"X", "X2", "X3"}
CDKS = {"Resource", "Default"}
"""No scope of anybody's has both."""


@pytest.mark.parametrize("name", MADE)
def test_only_ids_of_ours_stand_beside_a_construct(name: str) -> None:
    stack = stack_of()
    MADE[name](stack, "X")
    assert {each.node.id for each in stack.node.children if not each.node.id.startswith("AgentRFT")} <= THEIRS


@pytest.mark.parametrize("name", MADE)
def test_siblings_by_all_of_our_ids_are_taken_for_the_users_own(name: str) -> None:
    """Those inside the construct, alone and after its own id, as an id made of text would be."""
    alone = stack_of()
    MADE[name](alone, "X")
    Synthesized(alone)
    inside = {each.node.id for each in alone.node.find_all() if each is not alone}
    beside = {prefix + id for id in inside for prefix in ("", "X")} - THEIRS - CDKS
    stack = stack_of(App())
    for id in sorted(each for each in beside if not each.startswith("AgentRFT")):
        CfnResource(Construct(stack, id), "Topic", type="AWS::SNS::Topic")
    MADE[name](stack, "X")
    Synthesized(stack)


def test_a_trainer_may_have_any_id_that_our_policies_have() -> None:
    stack = stack_of()
    first = trainer(stack, "First", role="rft")
    trainer(stack, "Shared", role="rft").node.add_dependency(first)
    assert any("Shared" in name for name in Synthesized(stack).resources("AWS::IAM::Policy"))


def test_roles_whose_paths_or_names_look_alike_are_two() -> None:
    stack = stack_of()
    inner = CfnResource(stack, "A", type="AWS::SNS::Topic")
    roles = [
        iam.Role(inner, "B", assumed_by=iam.AccountRootPrincipal()),
        iam.Role(stack, "A-B", assumed_by=iam.AccountRootPrincipal()),
        iam.Role.from_role_name(stack, "Named", "A-B"),
    ]
    for number, role in enumerate(roles):
        trainer(stack, f"T{number}", role=role)
    policies = Synthesized(stack).resources("AWS::IAM::Policy")
    on = [stack.resolve(each["Properties"]["Roles"]) for name, each in policies.items() if "Handler" not in name]
    assert sorted(map(str, on)) == sorted(str([stack.resolve(role.role_name)]) for role in roles)
