"""What a test may switch on: reads that lag, throttling, quotas, and answers with less in them."""

from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import World
from local.test_requests import code_of, request_of

from agent_rft_handler import facts
from agent_rft_local import control, ministack_names, roles, store
from agent_rft_local.job_run import Run
from agent_rft_local.local_aws import ACCOUNT, REGION

NAMED = {"JobName": "another", "JobCategory": "AgentRFT"}


def names(world: World, **more: Any) -> list[str]:
    return [row["JobName"] for row in world.sagemaker.list_jobs(JobCategory="AgentRFT", **more)["JobSummaries"]]


def test_describe_job_lags_alone(world: World) -> None:
    request = request_of(world)
    store.behaviour.describe_job_lag = 60
    world.sagemaker.create_job(**request)
    assert "another" in names(world)
    assert code_of(world.sagemaker.describe_job, **NAMED) == "ResourceNotFound"
    assert code_of(world.sagemaker.create_job, **request) == "ResourceInUse"
    world.clock.sleep(60)
    assert world.sagemaker.describe_job(**NAMED)["JobStatus"] == "InProgress"
    world.sagemaker.stop_job(**NAMED)
    assert world.sagemaker.describe_job(**NAMED)["JobStatus"] == "InProgress"
    world.clock.sleep(61)
    assert world.sagemaker.describe_job(**NAMED)["JobStatus"] == "Stopped"


def test_list_jobs_lags_alone_and_still_names_the_deleted(world: World) -> None:
    request = request_of(world)
    store.behaviour.list_jobs_lag = 60
    world.sagemaker.create_job(**request)
    assert "another" not in names(world)
    assert world.sagemaker.describe_job(**NAMED)
    world.finish_jobs()
    assert "another" in names(world)
    world.sagemaker.delete_job(**NAMED)
    assert "another" in names(world)
    world.clock.sleep(60)
    assert "another" not in names(world)


def test_tags_lag_alone(world: World) -> None:
    request = request_of(world)
    store.behaviour.tags_lag = 60
    arn = world.sagemaker.create_job(**request)["JobArn"]
    assert world.sagemaker.list_tags(ResourceArn=arn)["Tags"] == []
    assert world.sagemaker.describe_job(**NAMED)["Tags"] == []
    world.clock.sleep(60)
    assert world.sagemaker.list_tags(ResourceArn=arn)["Tags"] == request["Tags"]
    world.sagemaker.delete_tags(ResourceArn=arn, TagKeys=[tag["Key"] for tag in request["Tags"]])
    assert world.sagemaker.list_tags(ResourceArn=arn)["Tags"] == request["Tags"]
    world.clock.sleep(60)
    assert world.sagemaker.list_tags(ResourceArn=arn)["Tags"] == []


def test_describe_job_may_leave_the_tags_out(world: World) -> None:
    request = request_of(world)
    world.sagemaker.create_job(**request)
    assert world.sagemaker.describe_job(**NAMED)["Tags"] == request["Tags"]
    store.behaviour.describe_job_tags = False
    assert "Tags" not in world.sagemaker.describe_job(**NAMED)


def test_list_jobs_filters_by_part_of_the_name_and_by_time(world: World) -> None:
    request = request_of(world)
    before = world.clock.now
    world.clock.sleep(10)
    world.sagemaker.create_job(**request)
    assert names(world, NameContains="noth") == ["another"]
    assert names(world, NameContains="none") == []
    assert names(world, CreationTimeAfter=before + 1) == ["another"]
    assert "another" not in names(world, CreationTimeBefore=before + 1)


def test_a_token_bucket_throttles_until_it_fills_again(world: World) -> None:
    store.behaviour.throttles["ListJobs"] = {"rate": 0.5, "burst": 2}
    names(world)
    names(world)
    assert code_of(world.sagemaker.list_jobs, JobCategory="AgentRFT") == "ThrottlingException"
    world.sagemaker.list_mlflow_apps()
    world.clock.sleep(2)
    names(world)
    assert code_of(world.sagemaker.list_jobs, JobCategory="AgentRFT") == "ThrottlingException"


def test_the_quota_of_groups_is_one_of_the_account(world: World) -> None:
    store.behaviour.model_package_groups = 2
    assert code_of(world.sagemaker.create_model_package_group, ModelPackageGroupName="third") == "ResourceLimitExceeded"


@pytest.mark.parametrize(
    ("tags", "said"),
    [([("a", "1"), ("a", "2")], "Duplicate"), ([("aws:mine", "1")], "reserved")],
)
def test_tags_that_aws_refuses_are_refused(world: World, tags: list[tuple[str, str]], said: str) -> None:
    rows = [{"Key": key, "Value": value} for key, value in tags]
    request = {**request_of(world), "Tags": rows}
    with pytest.raises(ClientError, match=said):
        world.sagemaker.create_job(**request)
    with pytest.raises(ClientError, match=said):
        world.sagemaker.add_tags(ResourceArn=world.group, Tags=rows)


SERVICE = {"Service": facts.JOB_PRINCIPAL}


@pytest.mark.parametrize(
    ("statement", "says_account", "is_let_in"),
    [
        ({"Principal": SERVICE, "Action": "sts:AssumeRole"}, False, True),
        ({"Principal": SERVICE, "Action": ["sts:AssumeRole", "sts:TagSession"]}, False, True),
        ({"Principal": SERVICE, "Action": "sts:TagSession"}, False, False),
        ({"Principal": {"Service": ["sagemaker.amazonaws.com"]}, "Action": "sts:AssumeRole"}, False, False),
        ({"Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}, False, False),
        (
            {
                "Principal": SERVICE,
                "Action": "sts:*",
                "Condition": {"StringEquals": {"aws:SourceAccount": ACCOUNT}},
            },
            False,
            False,
        ),
        (
            {
                "Principal": SERVICE,
                "Action": "sts:*",
                "Condition": {"StringEquals": {"aws:SourceAccount": ACCOUNT}},
            },
            True,
            True,
        ),
        (
            {
                "Principal": SERVICE,
                "Action": "sts:*",
                "Condition": {"StringEqualsIfExists": {"aws:SourceAccount": ACCOUNT}},
            },
            False,
            True,
        ),
        (
            {
                "Principal": SERVICE,
                "Action": "sts:*",
                "Condition": {"StringEqualsIfExists": {"aws:SourceAccount": "111111111111"}},
            },
            True,
            False,
        ),
    ],
)
def test_a_trust_policy_lets_the_service_in_by_its_principal_action_and_conditions(
    world: World, statement: dict[str, Any], says_account: bool, is_let_in: bool
) -> None:
    with ministack_names.request_scope(ACCOUNT, REGION):
        ministack_names.add_role("trusting", {"Statement": [{"Effect": "Allow", **statement}]})
        arn = f"arn:aws:iam::{ACCOUNT}:role/trusting"
        problem = roles.assume_problem(arn, facts.JOB_PRINCIPAL, says_account=says_account)
        assert (problem == "") == is_let_in


def test_a_deny_in_a_trust_policy_wins(world: World) -> None:
    rows = [{"Effect": effect, "Principal": SERVICE, "Action": "sts:AssumeRole"} for effect in ("Allow", "Deny")]
    with ministack_names.request_scope(ACCOUNT, REGION):
        ministack_names.add_role("denying", {"Statement": rows})
        assert roles.assume_problem(f"arn:aws:iam::{ACCOUNT}:role/denying", facts.JOB_PRINCIPAL)


def test_a_role_arn_that_names_another_path_names_no_role(world: World) -> None:
    request = request_of(world)
    name = request["RoleArn"].rsplit("/", 1)[-1]
    elsewhere = {**request, "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/service-role/{name}"}
    assert code_of(world.sagemaker.create_job, **elsewhere) == "ValidationException"


def test_settling_ends_every_job_also_one_that_is_stopping_and_takes_back_what_was_changed(world: World) -> None:
    request = request_of(world)
    store.behaviour.running_jobs = 2
    store.behaviour.stop_seconds = 3600
    for name in ("another", "further"):
        world.sagemaker.create_job(**{**request, "JobName": name})
    world.sagemaker.stop_job(**NAMED)
    with ministack_names.request_scope(ACCOUNT, "eu-west-1"):
        store.jobs["AgentRFT", "elsewhere"] = dict(jobs()["further"])
    assert [state(name) for name in ("another", "further", "elsewhere")] == ["Stopping", "InProgress", "InProgress"]
    control.administer("settle", b"")
    assert {state(name) for name in ("another", "further", "elsewhere")} == {"Stopped"}
    assert (store.behaviour.running_jobs, store.behaviour.stop_seconds, store.calls) == (1, 0.5, [])


def jobs() -> dict[str, store.Row]:
    """The jobs of every account and region, as the store holds them."""
    return {name: job for (_, _, (_, name)), job in store.jobs.all_items()}  # type: ignore[attr-defined]


def state(name: str) -> str:
    return Run(jobs()[name], store.now()).status
