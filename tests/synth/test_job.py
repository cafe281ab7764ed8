"""What can be done with a job, whether a trainer submits it or it was submitted elsewhere."""

from fnmatch import fnmatch

import pytest
from aws_cdk import CfnResource, Fn, RemovalPolicies, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from synth.app import ACCOUNT, JOB, REGION, Synthesized, agnostic_stack, readable, stack_of, trainer

from agent_rft import IAgentRFTJob, ModelPackageGroup, MultiTurnRLTrainer
from agent_rft.job.job_arns import every_job
from agent_rft.permissions import EVERY_JOB
from agent_rft_handler.facts import CATEGORIES

ELSEWHERE = "arn:aws:sagemaker:eu-west-1:444455556666:job/AgentRFT/qwen-mtrl-1"


def operator(stack: Stack) -> iam.Role:
    return iam.Role(stack, "Operator", assumed_by=iam.AccountRootPrincipal())


def test_a_trainer_is_a_resource_of_its_stack_and_environment() -> None:
    stack = stack_of()
    made = trainer(stack)
    assert made.stack is stack
    assert (made.env.account, made.env.region) == (ACCOUNT, REGION)
    assert isinstance(made.node.default_child, CfnResource)
    assert made.node.default_child.cfn_resource_type == JOB


def test_a_removal_policy_set_on_everything_below_the_stack_reaches_the_handler_too() -> None:
    """Not by the trainer's own method, but from outside: the handler must still not take the job for a stray."""
    stack = stack_of()
    trainer(stack)
    RemovalPolicies.of(stack).retain(priority=100)
    (job,) = Synthesized(stack).resources(JOB).values()
    assert (job["DeletionPolicy"], job["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert job["Properties"]["UpdateReplacePolicy"] == "Retain"


def test_a_job_that_is_retained_except_on_a_failed_create_is_retained_when_it_is_replaced() -> None:
    stack = stack_of()
    trainer(stack).apply_removal_policy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
    (job,) = Synthesized(stack).resources(JOB).values()
    assert job["DeletionPolicy"] == "RetainExceptOnCreate"
    assert job["Properties"]["UpdateReplacePolicy"] == job["UpdateReplacePolicy"] == "Retain"


def test_what_is_granted_to_a_trainer_its_job_may_do_when_it_starts() -> None:
    stack = stack_of()
    made = trainer(stack)
    s3.Bucket(stack, "Rewards").grant_read(made)
    made.add_to_role_policy(iam.PolicyStatement(actions=["ses:SendEmail"], resources=["*"]))
    synthesized = Synthesized(stack)
    assert any(each.startswith("${Rewards") for each in synthesized.allowed("s3:GetObject*"))
    assert synthesized.allowed("ses:SendEmail") == ["*"]
    (job,) = synthesized.resources(JOB).values()
    policies = {name for name in synthesized.resources("AWS::IAM::Policy") if "ExecutionRole" in name}
    assert policies <= set(job["DependsOn"])


def test_a_database_lets_a_job_in_by_its_connections() -> None:
    stack = stack_of()
    vpc = ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"])
    made = trainer(stack, vpc=vpc)
    database = ec2.SecurityGroup(stack, "Database", vpc=vpc)
    database.connections.allow_from(made, ec2.Port.tcp(5432))
    (rule,) = Synthesized(stack).resources("AWS::EC2::SecurityGroupIngress").values()
    assert "TrainerSecurityGroup" in readable(rule["Properties"]["SourceSecurityGroupId"])
    assert made.connections is made.connections


def test_connections_of_security_groups_given_by_their_ids() -> None:
    stack = stack_of()
    vpc = ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"])
    made = trainer(stack, vpc_subnets=["subnet-1", "subnet-2"], security_groups=["sg-1", "sg-2"])
    database = ec2.SecurityGroup(stack, "Database", vpc=vpc)
    database.connections.allow_from(made, ec2.Port.tcp(5432))
    rules = Synthesized(stack).resources("AWS::EC2::SecurityGroupIngress").values()
    assert {rule["Properties"]["SourceSecurityGroupId"] for rule in rules} == {"sg-1", "sg-2"}


def test_a_job_outside_a_vpc_has_no_connections_and_says_what_to_do() -> None:
    made = trainer(stack_of())
    with pytest.raises(ValueError, match=r"\[S/Trainer\] connections need security groups.* Give the job a vpc"):
        _ = made.connections


def test_who_may_read_the_output_reads_below_its_prefix_with_both_keys() -> None:
    stack = stack_of()
    bucket = s3.Bucket(stack, "Data", encryption=s3.BucketEncryption.KMS)
    made = trainer(stack, output_bucket=bucket, output_prefix="runs", kms_key=kms.Key(stack, "Own"))
    assert made.grant_read_output(operator(stack)).success
    synthesized = Synthesized(stack)
    assert [each.partition(".Arn}")[2] for each in synthesized.allowed("s3:GetObject*", "Operator")] == ["", "/runs/*"]
    assert len(synthesized.allowed("kms:Decrypt", "Operator")) == 2
    assert not synthesized.allowed("s3:PutObject", "Operator")


def test_the_result_is_in_the_output_group() -> None:
    made = trainer(stack_of())
    assert made.model_package_group is made.output_model_package_group


def test_a_job_by_its_arn_has_the_environment_of_the_arn_and_makes_nothing() -> None:
    stack = stack_of()
    job = MultiTurnRLTrainer.from_job_arn(stack, "Job", ELSEWHERE)
    assert (job.job_name, job.job_arn) == ("qwen-mtrl-1", ELSEWHERE)
    assert (job.env.account, job.env.region) == ("444455556666", "eu-west-1")
    assert job.log_group_name == "/aws/sagemaker/Job/AgentRFT"
    assert "Resources" not in Synthesized(stack).json


def test_a_jobs_arn_may_be_known_at_deploy_only() -> None:
    stack = agnostic_stack()
    job = MultiTurnRLTrainer.from_job_arn(stack, "Job", Fn.import_value("JobArn"))
    assert stack.resolve(job.job_name) == {"Fn::Select": [2, {"Fn::Split": ["/", {"Fn::ImportValue": "JobArn"}]}]}
    assert stack.resolve(job.env.region) == {"Fn::Select": [3, {"Fn::Split": [":", {"Fn::ImportValue": "JobArn"}]}]}


def test_what_is_known_of_a_job_submitted_elsewhere_can_be_used_as_a_trainers() -> None:
    stack = stack_of()
    group = ModelPackageGroup.from_model_package_group_name(stack, "Tuned", "tuned")
    role = iam.Role(stack, "JobRole", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com"))
    vpc = ec2.Vpc(stack, "Vpc", availability_zones=["us-west-2a", "us-west-2b"])
    job = MultiTurnRLTrainer.from_job_attributes(
        stack,
        "Job",
        job_name="qwen-mtrl-1",
        role=role,
        security_groups=[ec2.SecurityGroup(stack, "Group", vpc=vpc)],
        s3_output_path="s3://data/runs/",
        kms_key=kms.Key(stack, "Key"),
        model_package_group=group,
    )
    job.grant_read_output(operator(stack))
    s3.Bucket(stack, "Rewards").grant_read(job)
    assert job.model_package_group is group
    assert len(job.connections.security_groups) == 1
    synthesized = Synthesized(stack)
    assert synthesized.allowed("s3:GetObject*", "Operator")[1].endswith(":s3:::data/runs/*")
    assert synthesized.allowed("kms:Decrypt", "Operator")
    assert synthesized.allowed("s3:GetObject*", "JobRole")


def test_what_is_not_known_of_a_job_is_asked_for() -> None:
    stack = stack_of()
    job = MultiTurnRLTrainer.from_job_name(stack, "Job", "qwen-mtrl-1")
    with pytest.raises(ValueError, match=r"\[S/Job\] model_package_group is not known .* from_job_attributes"):
        _ = job.model_package_group
    with pytest.raises(ValueError, match=r"\[S/Job\] s3_output_path is not known"):
        job.grant_read_output(operator(stack))
    with pytest.raises(ValueError, match=r"\[S/Job\] connections need security groups"):
        _ = job.connections
    ModelPackageGroup(stack, "Tuned").grant_read(job)
    assert any("sagemaker:ListModelPackages" in each for each in Synthesized(stack).warnings())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"job_name": "a_b"}, r"job_name is 'a_b', but must be a job name"),
        ({"job_arn": "qwen"}, r"job_arn is 'qwen', but must be the ARN of a job"),
        ({"job_arn": ELSEWHERE.replace("AgentRFT", "AgentRFTEvaluation")}, r"must be that of a job of the category"),
        ({"job_arn": ELSEWHERE, "job_name": "qwen"}, r"job_name and job_arn say the same thing"),
        ({}, r"Give one of them"),
    ],
)
def test_a_job_is_named_once_and_rightly(given: dict[str, str], said: str) -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=rf"^\[S/Wrong\] .*{said}"):
        MultiTurnRLTrainer.from_job_attributes(stack, "Wrong", **given)  # type: ignore[arg-type]


def test_trainers_and_attached_jobs_are_the_same_interface() -> None:
    stack = stack_of()
    jobs: list[IAgentRFTJob] = [trainer(stack), MultiTurnRLTrainer.from_job_name(stack, "Job", "qwen-mtrl-1")]
    for number, job in enumerate(jobs):
        role = iam.Role(stack, f"Operator{number}", assumed_by=iam.AccountRootPrincipal())
        assert job.grant_describe(role).success
        assert job.grant_stop(role).success


@pytest.mark.parametrize("category", CATEGORIES)
def test_what_may_be_done_with_every_job_covers_every_category(category: str) -> None:
    pattern = every_job(stack_of()).rpartition(":job/")[2]
    assert fnmatch(f"{category}/any-name", pattern)
    assert category in EVERY_JOB
