"""The trainer as a whole: attributes, tags, names, absent values, grants."""

import inspect

import pytest
from aws_cdk import (
    App,
    CfnDeletionPolicy,
    CfnParameter,
    CfnResource,
    MissingRemovalPolicies,
    RemovalPolicies,
    RemovalPolicy,
    Tags,
)
from aws_cdk import aws_iam as iam
from synth.app import (
    ACCOUNT,
    JOB,
    REGION,
    Synthesized,
    stack_of,
    synth,
    trainer,
)
from synth.graph import waits_for

from agent_rft import MultiTurnRLTrainer, Replacement
from agent_rft_handler.declaration import ARGUMENTS
from agent_rft_handler.facts import AGENT_RFT


def test_absent_and_empty_values_are_left_out() -> None:
    job = synth(
        hyperparameters={"max_steps": None, "max_epochs": "", "val_every": 0, "temperature": 1.0},
        mlflow_experiment_name="",
        bedrock_agentcore_qualifier="",
    ).job()
    assert job["Hyperparameters"] == {"val_every": "0", "temperature": "1.0"}
    assert not {"MlflowExperimentName", "BedrockAgentcoreQualifier", "Tags", "ValidationDataset"} & set(job)


def test_only_one_of_the_two_limits_is_warned_of() -> None:
    assert any("max_steps and max_epochs" in text for text in synth(hyperparameters={"max_steps": 5}).warnings())


def test_the_job_waits_for_every_policy_and_for_the_bucket() -> None:
    made = synth()
    (job,) = made.resources(JOB)
    kinds = ("AWS::IAM::Policy", "AWS::IAM::Role", "AWS::S3::BucketPolicy", "AWS::S3::Bucket", "AWS::Logs::LogGroup")
    assert {name for kind in kinds for name in made.resources(kind)} <= waits_for(made.json, job)


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
    assert len(roles) == 2
    assert all("PermissionsBoundary" in role["Properties"] for role in roles.values())


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


def test_only_a_dry_run_says_so_in_the_properties() -> None:
    assert "DryRun" not in synth(dry_run=False).job()
    dry = synth(dry_run=True).job()
    assert dry.pop("DryRun") == "true"
    assert dry == synth().job()


def test_a_dry_run_is_checked_at_synth() -> None:
    with pytest.raises(ValueError, match="replacement is"):
        synth(dry_run=True, replacement="perhaps")


def test_a_replacement_may_be_a_token_and_is_written_as_its_text() -> None:
    assert synth(replacement=Replacement.SUBMIT_FIRST).job()["Replacement"] == "submit_first"
    stack = stack_of()
    trainer(stack, replacement=CfnParameter(stack, "Given").value_as_string)
    assert Synthesized(stack).job()["Replacement"] == {"Ref": "Given"}


def test_every_argument_of_a_declaration_is_one_of_the_trainers() -> None:
    taken = set(inspect.signature(MultiTurnRLTrainer.__init__).parameters)
    of_training = {argument.name for argument in ARGUMENTS if AGENT_RFT in argument.categories}
    assert of_training - taken == {"job_category"}


def test_every_wrong_text_that_cdk_would_refuse_in_its_own_words_is_refused_in_ours() -> None:
    with pytest.raises(ValueError, match=r"(?s)^\[S/Trainer\] role is 'my role!'.*\[S/Trainer\] kms_key is 'alias/a'"):
        synth(role="my role!", kms_key="alias/a")


def test_a_retained_job_says_so_to_cloudformation_and_to_the_handler() -> None:
    stack = stack_of()
    trainer(stack).apply_removal_policy(RemovalPolicy.RETAIN)
    (job,) = Synthesized(stack).resources(JOB).values()
    assert (job["DeletionPolicy"], job["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert job["Properties"]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize("by_an_aspect", [True, False])
def test_a_job_that_is_retained_in_another_way_says_so_to_the_handler(by_an_aspect: bool) -> None:
    stack = stack_of()
    resource = trainer(stack).node.default_child
    assert isinstance(resource, CfnResource)
    if by_an_aspect:
        RemovalPolicies.of(stack).retain()
    else:
        resource.cfn_options.update_replace_policy = CfnDeletionPolicy.RETAIN
    assert Synthesized(stack).job()["UpdateReplacePolicy"] == "Retain"


def test_a_job_that_is_not_retained_says_nothing() -> None:
    stack = stack_of()
    trainer(stack).apply_removal_policy(RemovalPolicy.DESTROY)
    assert "UpdateReplacePolicy" not in Synthesized(stack).job()


def test_what_keeps_all_that_has_no_policy_keeps_no_job() -> None:
    stack = stack_of()
    trainer(stack)
    MissingRemovalPolicies.of(stack).retain()
    (job,) = Synthesized(stack).resources(JOB).values()
    assert (job["DeletionPolicy"], job["Properties"].get("UpdateReplacePolicy")) == ("Delete", None)
