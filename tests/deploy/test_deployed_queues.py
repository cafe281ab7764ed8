"""Queues and sweeps, deployed: every job once, whatever is throttled; what an update or an end of the stack does."""

import time

import pytest
from deploy.queues import all_completed, denied, queue, statuses, submitted, sweep, table, until
from deployment import Deployment

from agent_rft_local import deployment as local_deployment


@pytest.fixture
def swept(changing: Deployment) -> Deployment:
    """A stack with a sweep; waits take a fiftieth of their time, and jobs a second."""
    changing.aws.set(wait_scale=0.02, job_seconds=1)
    return changing.declared_by(sweep)


def test_a_sweep_runs_each_variant_once_and_tables_the_results(swept: Deployment) -> None:
    assert swept.deploy() == "CREATE_COMPLETE", swept.reasons()
    all_completed(swept, "v1", "v2", "v3")
    assert submitted(swept) == ["v1", "v2", "v3"]
    assert {row["learning_rate"] for row in table(swept).values()} == {"1e-06", "2e-06", "3e-06"}
    assert all(row["output_model_package_arn"].startswith("arn:aws:sagemaker:") for row in table(swept).values())
    assert denied(swept) == []


def test_an_added_variant_runs_and_no_other_again(swept: Deployment) -> None:
    swept.deploy(last="2")
    all_completed(swept, "v1", "v2")
    assert swept.deploy(last="3") == "UPDATE_COMPLETE", swept.reasons()
    all_completed(swept, "v1", "v2", "v3")
    assert submitted(swept) == ["v1", "v2", "v3"]


def test_a_removed_variant_is_stopped_and_the_others_run(swept: Deployment) -> None:
    swept.aws.set(job_seconds=3600)
    swept.deploy(last="2")
    until(lambda: submitted(swept) == ["v1"])
    swept.aws.set(job_seconds=1)
    assert swept.deploy(first="2", last="2") == "UPDATE_COMPLETE", swept.reasons()
    all_completed(swept, "v2")
    assert sorted(swept.jobs().values()) == ["Completed", "Stopped"]
    assert denied(swept) == []


def test_an_update_that_is_rolled_back_goes_on_as_before(swept: Deployment) -> None:
    swept.aws.set(job_seconds=4, running_jobs=2)
    swept.deploy(last="2")
    until(lambda: submitted(swept) == ["v1"])
    assert swept.deploy(first="2", last="3", broken="yes") == "UPDATE_ROLLBACK_COMPLETE"
    all_completed(swept, "v1", "v2")
    assert submitted(swept).count("v1") == submitted(swept).count("v2") == 1
    assert denied(swept) == []


def test_a_job_that_waits_for_the_quota_is_not_shown_by_a_local_deployment(swept: Deployment) -> None:
    swept.aws.set(job_seconds=3600)
    swept.deploy(last="2", concurrency="2")
    until(lambda: not all(call["done"] for call in swept.aws.calls("CreateJob")))
    assert [name.split("-")[0] for name in local_deployment.submitted(swept.aws)] == ["v1"]
    swept.delete()  # else it goes on in the next test


def test_a_deleted_stack_stops_what_runs_and_submits_no_more(swept: Deployment) -> None:
    swept.aws.set(job_seconds=3600)
    swept.deploy()
    until(lambda: submitted(swept) == ["v1"])
    swept.delete()
    time.sleep(2)
    assert submitted(swept) == ["v1"]
    assert set(swept.jobs().values()) <= {"Stopping", "Stopped"}


def test_updates_in_quick_succession_run_each_variant_once(swept: Deployment) -> None:
    swept.aws.set(job_seconds=2)
    for last in ("1", "2", "4"):
        assert swept.deploy(last=last).endswith("_COMPLETE"), swept.reasons()
    all_completed(swept, "v1", "v2", "v3", "v4")
    assert submitted(swept) == ["v1", "v2", "v3", "v4"]


def test_a_bucket_that_is_emptied_in_between_costs_no_job_and_doubles_none(swept: Deployment) -> None:
    swept.aws.set(job_seconds=4)
    swept.deploy(last="2")
    until(lambda: submitted(swept) == ["v1"])
    bucket, _, key = swept.outputs()["Results"].removeprefix("s3://").partition("/")
    s3 = swept.aws.client("s3")
    for row in s3.list_objects_v2(Bucket=bucket, Prefix=key.rpartition("/")[0])["Contents"]:
        s3.delete_object(Bucket=bucket, Key=row["Key"])
    assert swept.deploy(last="3") == "UPDATE_COMPLETE", swept.reasons()
    all_completed(swept, "v1", "v2", "v3")
    assert submitted(swept) == ["v1", "v2", "v3"]


def test_a_variant_that_the_hubs_table_refuses_fails_the_deployment_by_name(swept: Deployment) -> None:
    assert swept.deploy(wrong="yes") == "ROLLBACK_COMPLETE"
    assert any("odd: hyperparameters has max_epoch" in reason for reason in swept.reasons())
    assert submitted(swept) == []


def test_a_queue_runs_a_trainer_and_then_an_evaluator(swept: Deployment) -> None:
    deployment = swept.declared_by(queue)
    assert deployment.deploy() == "CREATE_COMPLETE", deployment.reasons()
    all_completed(deployment, "Trainer", "Evaluator")
    categories = [call["request"]["JobCategory"] for call in deployment.aws.calls("CreateJob")]
    assert categories == ["AgentRFT", "AgentRFTEvaluation"]
    assert denied(deployment) == []


def throttle(deployment: Deployment, chance: float) -> None:
    """The first calls of each operation, and then a part of them, are asked to come back later.

    Twice, as botocore itself tries twice.
    """
    operations = ("CreateJob", "DescribeJob", "ListJobs", "GetMetricHistory", "Invoke")
    first = [{"operation": each, "kind": "throttled", "times": 2} for each in operations]
    deployment.aws.set(faults=[*first, *({**each, "times": 1_000_000, "chance": chance} for each in first)])


def assert_all_complete_and_none_twice(deployment: Deployment, count: int) -> None:
    names = [f"v{i}" for i in range(1, count + 1)]
    until(lambda: statuses(deployment) == dict.fromkeys(names, "Completed"), seconds=600)
    struck = deployment.aws.struck()
    assert min(struck.values()) >= 2, f"not all were throttled: {struck}"
    assert sum(struck.values()) > 2 * len(struck), f"only the first were throttled: {struck}"
    assert submitted(deployment) == names
    assert [row["job_name"] for row in table(deployment).values()] == list(deployment.jobs())


@pytest.mark.slow
def test_variants_all_complete_under_heavy_throttling_and_none_twice(swept: Deployment) -> None:
    swept.aws.set(running_jobs=4)
    throttle(swept, 0.15)
    assert swept.deploy(last="8", concurrency="4") == "CREATE_COMPLETE", swept.reasons()
    assert_all_complete_and_none_twice(swept, 8)


@pytest.mark.exhaustive
def test_a_hundred_variants_all_complete_under_throttling_and_none_twice(swept: Deployment) -> None:
    swept.aws.set(running_jobs=10, wait_scale=0.005)
    throttle(swept, 0.05)
    assert swept.deploy(last="100", concurrency="10") == "CREATE_COMPLETE", swept.reasons()
    assert_all_complete_and_none_twice(swept, 100)
