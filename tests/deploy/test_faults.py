"""The worst that can happen to a job's first minutes, deployed: none is lost, and none twice."""

import time

from deployment import Deployment

TIRESOME = [{"operation": "CreateJob", "kind": "role_not_ready", "times": 3}]
"""A quarter of a minute in which the handler tries to submit."""


def running(changing: Deployment) -> list[str]:
    return [name for name, status in changing.jobs().items() if status == "InProgress"]


def tried(changing: Deployment) -> bool:
    """Whether the handler has called CreateJob; a call that a fault struck is in the log of IAM's decisions alone."""
    return any(row["action"] == "sagemaker:CreateJob" for row in changing.aws.iam_log())


def test_a_lost_answer_and_looks_that_fail_make_one_job_that_the_stack_knows(changing: Deployment) -> None:
    changing.aws.set(
        faults=[
            {"operation": "CreateJob", "kind": "error_after", "times": 1},
            {"operation": "DescribeJob", "kind": "throttled", "times": 5},
            {"operation": "ListJobs", "kind": "error_before", "times": 2},
        ]
    )
    assert changing.deploy() == "CREATE_COMPLETE"
    assert running(changing) == [changing.outputs()["JobName"]]
    assert len(changing.jobs()) == 1
    changing.delete()
    assert running(changing) == []


def test_a_stack_deleted_while_its_create_still_tries_leaves_nothing_running(changing: Deployment) -> None:
    changing.aws.set(faults=TIRESOME)
    changing.begin()
    while not tried(changing):
        time.sleep(0.1)
    changing.delete()
    assert changing.aws.calls("CreateJob") == []
    time.sleep(15)  # whatever the function still does, it has done by then
    sagemaker = changing.aws.client("sagemaker")
    assert sagemaker.list_jobs(JobCategory="AgentRFT", StatusEquals="InProgress")["JobSummaries"] == []


def test_an_update_that_fails_and_is_not_rolled_back_leaves_no_job_beside_the_next_one(changing: Deployment) -> None:
    changing.aws.set(running_jobs=3)
    assert changing.deploy() == "CREATE_COMPLETE"
    changing.cdk_refused("--no-rollback", epochs="2", replacement="submit_first", broken="1")
    assert changing.deploy(epochs="3", replacement="submit_first") == "UPDATE_COMPLETE"
    assert running(changing) == [changing.outputs()["JobName"]]
    changing.delete()
    assert running(changing) == []
