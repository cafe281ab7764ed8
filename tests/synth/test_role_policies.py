"""One role, several trainers, several stacks: what the policies are called, hold, and wait for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Fn, Stack, Stage
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from synth.app import ACCOUNT, Synthesized, function_in, stack_of, trainer

from agent_rft import (
    MlflowApp,
    ModelPackageGroup,
    MultiTurnRLEvaluator,
    MultiTurnRLTrainer,
    grant_job_runtime,
)
from agent_rft_handler.facts import INLINE_POLICIES_MAX_SIZE, MANAGED_POLICY_MAX_SIZE

JOBS_ROLE = iam.ServicePrincipal("job.sagemaker.amazonaws.com")


def policies_on(stack: Stack, role: str) -> list[dict[str, Any]]:
    """The properties of the stack's inline policies on a role by its name."""
    found = Synthesized(stack).resources("AWS::IAM::Policy").values()
    return [each["Properties"] for each in found if each["Properties"]["Roles"] == [role]]


@pytest.mark.parametrize("flag", [True, False])
def test_two_stacks_give_one_role_policies_by_names_of_their_own(flag: bool) -> None:
    app = App(context={"@aws-cdk/aws-iam:importedRoleStackSafeDefaultPolicyName": flag})
    stacks = [stack_of(app, name) for name in ("Training", "Sweep")]
    for stack in stacks:
        trainer(stack, role="rft")
    names = [json.dumps(each["PolicyName"]) for stack in stacks for each in policies_on(stack, "rft")]
    assert len(set(names)) == 2
    assert all('{"Ref": "AWS::StackId"}' in name for name in names)


def test_nothing_is_named_by_a_literal_that_another_stack_could_use() -> None:
    """Every name that the account, or all accounts, know a resource by."""
    stack = stack_of()
    trainer(stack, role="rft", model="amazon.nova-2-lite-v1", mlflow_app=MlflowApp(stack, "Mlflow"))
    trainer(stack, "Plain")
    named = ("PolicyName", "RoleName", "FunctionName", "LogGroupName", "BucketName", "ModelPackageGroupName", "Name")
    for resource in Synthesized(stack).json["Resources"].values():
        for name in named:
            value = resource["Properties"].get(name, {"Ref": "AWS::StackId"})
            inline_only = name == "PolicyName" and "DefaultPolicy" in str(value)  # of a role that is the stack's own
            assert inline_only or "AWS::StackId" in json.dumps(value), (resource["Type"], name, value)


def test_five_trainers_share_one_policy_that_says_each_thing_once() -> None:
    stack = stack_of()
    for number in range(5):
        trainer(stack, f"T{number}", role="rft")
    (policy,) = policies_on(stack, "rft")
    statements = policy["PolicyDocument"]["Statement"]
    assert len({json.dumps([each["Action"], each.get("Condition")]) for each in statements}) == len(statements)


@pytest.mark.parametrize("role", ["rft", None])
def test_thirty_trainers_stay_within_iams_limits(role: str | None) -> None:
    stack = stack_of()
    given: dict[str, Any] = {"role": role or iam.Role(stack, "Own", assumed_by=JOBS_ROLE)}
    for number in range(30):
        trainer(stack, f"T{number}", s3_output_path=f"s3://bucket-of-{number}/{'long/' * 20}", **given)
    made = Synthesized(stack)
    inline, managed = (made.resources(f"AWS::IAM::{kind}").values() for kind in ("Policy", "ManagedPolicy"))
    assert 1 <= len(managed) <= 10
    sizes = {
        kind: [length(each["Properties"]["PolicyDocument"]) for each in policies]
        for kind, policies in {"inline": inline, "managed": managed}.items()
    }
    assert sum(sizes["inline"]) <= INLINE_POLICIES_MAX_SIZE
    assert max(sizes["managed"]) <= MANAGED_POLICY_MAX_SIZE


def test_twelve_nova_trainers_stay_within_the_limits_of_the_handlers_role() -> None:
    stack = stack_of()
    for number in range(12):
        trainer(stack, f"T{number}", model="amazon.nova-2-lite-v1")
    made = Synthesized(stack)
    of_handler = [
        each["Properties"]["PolicyDocument"]
        for name, each in made.resources("AWS::IAM::Policy").items()
        if "HandlerRole" in name
    ]
    assert sum(map(length, of_handler)) <= INLINE_POLICIES_MAX_SIZE
    assert all(length(each["Properties"]["PolicyDocument"]) <= MANAGED_POLICY_MAX_SIZE for each in managed_of(made))


def test_forty_trainers_on_the_same_groups_add_nothing_to_the_policies_of_one() -> None:
    def policies(count: int) -> list[Any]:
        stack = stack_of()
        first = trainer(stack, "T0")
        shared: dict[str, Any] = {
            "role": first.role,
            "output_bucket": first.output_bucket,
            "output_model_package_group": first.output_model_package_group,
            "intermediate_checkpoint_model_package_group": first.checkpoint_model_package_group,
        }
        for number in range(1, count):
            trainer(stack, f"T{number}", **shared)
        made = Synthesized(stack)
        assert managed_of(made) == []
        return [each["Properties"]["PolicyDocument"] for each in made.resources("AWS::IAM::Policy").values()]

    assert policies(40) == policies(1)


def test_the_same_thing_by_two_tokens_is_said_once() -> None:
    stack = stack_of()
    arns = [Fn.import_value("Package") for _ in range(2)]
    for number, arn in enumerate(arns):
        trainer(stack, f"T{number}", role="rft", mlflow_app=arn)
    (policy,) = policies_on(stack, "rft")
    assert arns[0] != arns[1]
    assert json.dumps(policy).count('{"Fn::ImportValue": "Package"}') == 1


def test_trainers_that_wait_for_one_another_but_need_the_same_share_one_policy() -> None:
    stack = stack_of()
    first = trainer(stack, "T0")
    shared: dict[str, Any] = {
        "role": first.role,
        "output_bucket": first.output_bucket,
        "output_model_package_group": first.output_model_package_group,
        "intermediate_checkpoint_model_package_group": first.checkpoint_model_package_group,
    }
    for number in range(1, 4):
        trainer(stack, f"T{number}", **shared).node.add_dependency(stack.node.find_child(f"T{number - 1}"))
    assert len(Synthesized(stack).resources("AWS::IAM::Policy")) == 2


def managed_of(made: Synthesized) -> list[dict[str, Any]]:
    return list(made.resources("AWS::IAM::ManagedPolicy").values())


def length(document: Any) -> int:
    """A document's characters as IAM counts them, with what only the deploy knows at its longest."""
    if isinstance(document, dict) and len(document) == 1 and next(iter(document)).startswith(("Ref", "Fn::")):
        ((function, argument),) = document.items()
        if function == "Fn::Join":
            return 2 + sum(length(part) - 2 for part in argument[1])
        return 2 + (14 if str(argument).startswith("AWS::") and argument != "AWS::StackId" else 120)
    if isinstance(document, dict):
        return 1 + sum(length(key) + 2 + length(value) for key, value in document.items())
    if isinstance(document, list):
        return 1 + sum(length(each) + 1 for each in document)
    return len(json.dumps(document))


def test_a_statement_stands_in_the_trainers_stack_and_not_in_the_roles() -> None:
    app = App()
    theirs, ours = stack_of(app, "Iam"), stack_of(app)
    trainer(ours, role=iam.Role(theirs, "Role", assumed_by=JOBS_ROLE))
    assert Synthesized(theirs).resources("AWS::IAM::Policy") == {}
    assert "s3:PutObject" in Synthesized(ours).text


@pytest.mark.parametrize("kind", ["immutable", "another account's"])
def test_a_grant_to_a_role_that_cannot_be_changed_is_warned_of(kind: str) -> None:
    stack = stack_of()
    account = "444455556666" if kind == "another account's" else ACCOUNT
    theirs = iam.Role.from_role_arn(stack, "Theirs", f"arn:aws:iam::{account}:role/x", mutable=kind != "immutable")
    job = trainer(stack)
    assert not job.grant_stop(theirs).success
    MlflowApp(stack, "Mlflow", role=theirs)
    made = Synthesized(stack)
    warned = [text for text in made.warnings() if "cannot be changed from here" in text]
    assert len(warned) == 2
    assert policies_on(stack, "x") == []


def test_roles_that_are_made_beforehand_are_reported_and_get_no_policy(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    stack = stack_of(app)
    iam.Role.customize_roles(
        stack,
        prevent_synthesis=True,
        use_precreated_roles={"S/Trainer/ExecutionRole": "rft", "S/AgentRFTJobProvider/HandlerRole": "handler"},
    )
    trainer(stack)
    app.synth()
    report = (tmp_path / "iam-policy-report.txt").read_text()
    assert "sagemaker:CreateModelPackage" in report
    assert "iam:PassRole" in report
    assert "AWS::IAM" not in (tmp_path / "S.template.json").read_text()


def test_a_grant_is_a_grant_that_others_can_wait_for() -> None:
    stack = stack_of()
    function = function_in(stack)
    granted = trainer(stack).grant_describe(function)
    later = s3.Bucket(stack, "Later")
    granted.apply_before(later)
    made = Synthesized(stack)
    assert granted.success
    (bucket,) = [each for name, each in made.resources("AWS::S3::Bucket").items() if name.startswith("Later")]
    assert any("Grants" in name for name in bucket["DependsOn"])


def test_a_stage_holds_policies_as_an_app_does() -> None:
    app = App()
    stage = Stage(app, "Prod")
    stack = Stack(stage, "S")
    trainer(stack, role="rft")
    template = stage.synth().get_stack_by_name(stack.stack_name).template
    assert len([each for each in template["Resources"].values() if each["Type"] == "AWS::IAM::Policy"]) == 2


GRANTS: dict[str, Callable[[Stack, iam.IRole], object]] = {
    "describe": lambda stack, role: trainer(stack).grant_describe(role),
    "stop": lambda stack, role: trainer(stack).grant_stop(role),
    "output": lambda stack, role: trainer(stack).grant_read_output(role),
    "read": lambda stack, role: ModelPackageGroup(stack, "G").grant_read(role),
    "register": lambda stack, role: ModelPackageGroup(stack, "G").grant_register(role),
    "track": lambda stack, role: MlflowApp(stack, "M").grant_track(role),
    "open": lambda stack, role: MlflowApp(stack, "M").grant_open(role),
    "runtime": grant_job_runtime,
    "store": lambda stack, role: MlflowApp(stack, "M", role=role),
    "execution": lambda stack, role: trainer(stack, role=role),
    "own": lambda stack, role: trainer(stack, role=role).add_to_role_policy(iam.PolicyStatement(actions=["a:b"])),
}


@pytest.mark.parametrize("name", GRANTS)
def test_every_grant_to_an_immutable_role_is_warned_of(name: str) -> None:
    stack = stack_of()
    theirs = iam.Role.from_role_arn(stack, "Theirs", f"arn:aws:iam::{ACCOUNT}:role/x", mutable=False)
    GRANTS[name](stack, theirs)
    assert any("The role x cannot be changed from here" in text for text in Synthesized(stack).warnings())


def test_every_method_that_grants_is_among_those_that_are_tried() -> None:
    classes = (MultiTurnRLTrainer, MultiTurnRLEvaluator, ModelPackageGroup, MlflowApp)
    methods = {name.removeprefix("grant_") for each in classes for name in dir(each) if name.startswith("grant_")}
    renamed = {"read_output": "output"}
    assert {renamed.get(name, name) for name in methods} - {"principal"} <= set(GRANTS)
