"""What a trainer makes in a stack, and how much of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, RemovalPolicy, Stack, Tags
from aws_cdk import aws_iam as iam
from synth.app import ACCOUNT, JOB, REGION, Synthesized, agnostic_stack, readable, stack_of, synth, trainer

from agent_rft import ModelPackageGroup, MultiTurnRLTrainer

GOLDEN = Path(__file__).parents[1] / "golden" / "template.json"


def masked(template: dict[str, Any]) -> dict[str, Any]:
    """The template without what changes with every release: asset hashes and the bootstrap rule."""
    for resource in template["Resources"].values():
        code = resource["Properties"].get("Code", {})
        if "S3Key" in code:
            code["S3Key"] = "ASSET"
    return {"Resources": template["Resources"]}


def test_the_template_is_the_golden_one() -> None:
    """Logical ids and job properties are a contract: a change here replaces something in every user's stack."""
    assert masked(synth().json) == json.loads(GOLDEN.read_text()), (
        "If the change is meant, say in CHANGELOG.md what it replaces, then run make golden"
    )


def test_the_smallest_stack_has_fifteen_resources_and_a_further_trainer_adds_one() -> None:
    stack = stack_of()
    first = trainer(stack)
    assert len(Synthesized(stack).json["Resources"]) == 15
    stack = stack_of()
    first = trainer(stack)
    trainer(
        stack,
        "Second",
        role=first.role,
        output_bucket=first.output_bucket,
        output_model_package_group=first.output_model_package_group,
        intermediate_checkpoint_model_package_group=first.checkpoint_model_package_group,
    )
    assert len(Synthesized(stack).json["Resources"]) == 16


def test_two_synths_give_equal_bytes() -> None:
    assert synth().text == synth().text


def test_three_trainers_share_one_handler_and_differ_in_every_name() -> None:
    stack = stack_of()
    for id in ("A", "B", "C"):
        trainer(stack, id)
    made = Synthesized(stack)
    assert len(made.resources("AWS::Lambda::Function")) == 2
    names = [
        readable(each["Properties"]["ModelPackageGroupName"])
        for each in made.resources("AWS::SageMaker::ModelPackageGroup").values()
    ]
    assert len(set(names)) == 6


def test_two_stacks_share_nothing() -> None:
    app = App()
    for name in ("One", "Two"):
        trainer(stack_of(app, name))
    for name in ("One", "Two"):
        stack = app.node.find_child(name)
        assert isinstance(stack, Stack)
        made = Synthesized(stack)
        assert len(made.resources("AWS::Lambda::Function")) == 2
        assert "ImportValue" not in made.text


def test_bucket_is_private_encrypted_tls_only_and_retained() -> None:
    made = synth()
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("Retain", "Retain")
    properties = bucket["Properties"]
    assert all(properties["PublicAccessBlockConfiguration"].values())
    assert properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert "aws:SecureTransport" in json.dumps(list(made.resources("AWS::S3::BucketPolicy").values()))


def test_groups_are_retained_and_named_after_path_and_stack_id() -> None:
    groups = synth().resources("AWS::SageMaker::ModelPackageGroup")
    assert [group["DeletionPolicy"] for group in groups.values()] == ["Retain", "Retain"]
    for group in groups.values():
        name = readable(group["Properties"]["ModelPackageGroupName"])
        assert name.startswith("S-Trainer-")
        assert "AWS::StackId" in name
        assert len(name.partition("{")[0]) <= 63 - 8


def test_execution_role_trusts_only_the_job_service_of_its_own_account() -> None:
    roles = synth().resources("AWS::IAM::Role")
    (role,) = [role for name, role in roles.items() if "ExecutionRole" in name]
    (statement,) = role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "job.sagemaker.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_the_handler_may_pass_exactly_the_execution_roles() -> None:
    stack = stack_of()
    trainer(stack, "A")
    trainer(stack, "B")
    made = Synthesized(stack)
    passing = [s for s in made.statements("Handler") if "iam:PassRole" in s["Action"]]
    assert {s["Condition"]["StringEquals"]["iam:PassedToService"] for s in passing} == {"job.sagemaker.amazonaws.com"}
    assert len(made.allowed("iam:PassRole", "Handler")) == 2
    assert all("ExecutionRole" in each for each in made.allowed("iam:PassRole", "Handler"))


def test_job_actions_reach_only_jobs_of_the_own_account() -> None:
    made = synth()
    for action in ("CreateJob", "DescribeJob", "StopJob", "AddTags"):
        assert made.allowed(f"sagemaker:{action}", "Handler") == [
            f"arn:${{AWS::Partition}}:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/*"
        ]


def test_the_job_waits_for_every_policy_and_for_the_bucket() -> None:
    made = synth()
    (job,) = made.resources(JOB).values()
    policies = set(made.resources("AWS::IAM::Policy")) | set(made.resources("AWS::S3::BucketPolicy"))
    assert policies <= set(job["DependsOn"])


def test_every_function_has_a_log_group_with_a_retention() -> None:
    made = synth()
    groups = made.resources("AWS::Logs::LogGroup")
    assert len(groups) == len(made.resources("AWS::Lambda::Function")) == 2
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == 30
        assert group["DeletionPolicy"] == "Delete"
    for function in made.resources("AWS::Lambda::Function").values():
        assert function["Properties"]["LoggingConfig"]["LogGroup"]["Ref"] in groups


def test_no_state_machine_and_minutes_to_answer() -> None:
    made = synth()
    assert made.resources("AWS::StepFunctions::StateMachine") == {}
    assert made.job()["ServiceTimeout"] == "900"


def test_stack_and_own_tags_reach_every_resource_and_the_job() -> None:
    app = App()
    stack = stack_of(app)
    trainer(stack, tags={"Owner": "me", "CostCenter": "1"})
    Tags.of(app).add("CostCenter", "42")
    made = Synthesized(stack)
    assert made.job()["Tags"] == {"CostCenter": "42", "Owner": "me"}
    for kind in ("AWS::S3::Bucket", "AWS::SageMaker::ModelPackageGroup", "AWS::IAM::Role"):
        for resource in made.resources(kind).values():
            assert {"Key": "CostCenter", "Value": "42"} in resource["Properties"]["Tags"]


def test_a_permissions_boundary_reaches_every_role() -> None:
    stack = stack_of()
    trainer(stack)
    boundary = iam.ManagedPolicy.from_managed_policy_name(stack, "Boundary", "boundary")
    iam.PermissionsBoundary.of(stack).apply(boundary)
    roles = Synthesized(stack).resources("AWS::IAM::Role")
    assert len(roles) == 3
    assert all("PermissionsBoundary" in role["Properties"] for role in roles.values())


@pytest.mark.parametrize("region", ["us-gov-west-1", "cn-north-1", ""])
def test_no_partition_region_or_account_is_literal(region: str) -> None:
    stack = stack_of(account=ACCOUNT, region=region) if region else agnostic_stack()
    trainer(stack, agent_env="my-AbCdEfGhIj")
    assert "arn:aws:" not in Synthesized(stack).text


def test_destroy_warns_that_a_bucket_with_objects_stays() -> None:
    made = synth(removal_policy=RemovalPolicy.DESTROY)
    assert any("only while it is empty" in text for text in made.warnings())
    (bucket,) = made.resources("AWS::S3::Bucket").values()
    assert bucket["DeletionPolicy"] == "Delete"
    assert made.resources("Custom::S3AutoDeleteObjects") == {}


def test_a_plain_trainer_warns_of_nothing() -> None:
    assert synth().warnings() == []


def test_grants_name_the_job() -> None:
    stack = stack_of()
    made = trainer(stack)
    role = iam.Role(stack, "Operator", assumed_by=iam.AccountRootPrincipal())
    made.grant_describe(role)
    made.grant_stop(role)
    synthesized = Synthesized(stack)
    arn = ["${TrainerJob5D55E165.JobArn}"]
    assert synthesized.allowed("sagemaker:DescribeJob", "Operator") == arn
    assert synthesized.allowed("sagemaker:StopJob", "Operator") == arn


def test_an_attached_job_has_its_arn_and_makes_nothing() -> None:
    stack = stack_of()
    job = MultiTurnRLTrainer.from_job_name(stack, "Job", "qwen-mtrl-1")
    assert stack.resolve(job.job_arn) == {
        "Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, f":sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/qwen-mtrl-1"]]
    }
    assert "Resources" not in Synthesized(stack).json
    with pytest.raises(ValueError, match=r"\[S/Wrong\] job_name is 'a_b', but must be a job name"):
        MultiTurnRLTrainer.from_job_name(stack, "Wrong", "a_b")


def test_a_group_of_its_own_can_be_shared_and_named() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned", model_package_group_name="wordle-agents")
    trainer(stack, output_model_package_group=group)
    made = Synthesized(stack)
    assert len(made.resources("AWS::SageMaker::ModelPackageGroup")) == 2
    assert made.job()["OutputModelPackageGroup"] == stack.resolve(group.model_package_group_arn)
