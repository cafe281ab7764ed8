"""Deployments of a changing declaration: each choice of ``replacement``, failures, rollback, tags."""

from deployment import JOB, Deployment


def test_a_change_while_the_job_runs_is_refused_stopped_or_run_beside(changing: Deployment) -> None:
    assert changing.deploy() == "CREATE_COMPLETE"
    first = changing.outputs()["JobName"]
    assert JOB in changing.cdk_diff(epochs="2")

    said = changing.cdk_refused(epochs="2")
    assert f"The earlier job {first} is InProgress" in said
    assert "replacement=Replacement.STOP_FIRST" in said
    assert (changing.status(), changing.jobs()) == ("UPDATE_ROLLBACK_COMPLETE", {first: "InProgress"})
    assert all(len(reason.encode()) < 4096 for reason in changing.reasons(JOB))

    assert changing.deploy(epochs="2", replacement="stop_first") == "UPDATE_COMPLETE"
    second = changing.outputs()["JobName"]
    assert changing.jobs() == {first: "Stopped", second: "InProgress"}

    changing.aws.set(running_jobs=2)
    assert changing.deploy(epochs="3", replacement="submit_first", owner="you") == "UPDATE_COMPLETE"
    third = changing.outputs()["JobName"]
    # the update's clean-up deletes the second job's resource, which stops the job
    jobs = changing.jobs()
    assert (jobs[first], jobs[second] in ("Stopping", "Stopped"), jobs[third]) == ("Stopped", True, "InProgress")


def test_a_create_that_fails_after_the_job_rolls_back_and_stops_it(changing: Deployment) -> None:
    assert changing.deploy(broken="1") == "ROLLBACK_COMPLETE"
    (status,) = changing.jobs().values()
    assert status in ("Stopping", "Stopped")


def test_a_change_after_the_first_job_ended_submits_a_second_and_leaves_the_first(changing: Deployment) -> None:
    changing.aws.set(job_seconds=0)
    changing.deploy()
    first = changing.outputs()["JobName"]
    changing.aws.set(job_seconds=3600)
    assert changing.deploy(epochs="2") == "UPDATE_COMPLETE"
    second = changing.outputs()["JobName"]
    assert changing.jobs() == {first: "Completed", second: "InProgress"}


def test_a_change_of_tags_keeps_the_job_and_sets_its_tags(changing: Deployment) -> None:
    changing.deploy()
    first = changing.outputs()["JobName"]
    assert changing.deploy(owner="you") == "UPDATE_COMPLETE"
    assert changing.jobs() == {first: "InProgress"}
    sagemaker = changing.aws.client("sagemaker")
    arn = sagemaker.describe_job(JobName=first, JobCategory="AgentRFT")["JobArn"]
    tags = {row["Key"]: row["Value"] for row in sagemaker.list_tags(ResourceArn=arn)["Tags"]}
    assert tags["Owner"] == "you"


def test_an_update_that_fails_after_the_job_rolls_back_to_the_first_job_and_starts_nothing(
    changing: Deployment,
) -> None:
    changing.deploy()
    first = changing.outputs()["JobName"]
    changing.aws.set(running_jobs=2)
    assert changing.deploy(epochs="2", replacement="submit_first", broken="1") == "UPDATE_ROLLBACK_COMPLETE"
    jobs = changing.jobs()
    assert (len(jobs), jobs.pop(first)) == (2, "InProgress")
    assert set(jobs.values()) <= {"Stopping", "Stopped"}
    assert changing.outputs()["JobName"] == first


def test_a_refusal_reaches_the_event_as_one_sentence(changing: Deployment) -> None:
    assert changing.deploy(model="huggingface-llm-falcon-7b-bf16") == "ROLLBACK_COMPLETE"
    (reason,) = [reason for reason in changing.reasons(JOB) if "recipe" in reason]
    assert "has no recipe for multi-turn RL in this region" in reason
    assert len(reason.encode()) < 4096
    assert "Traceback" not in reason
    assert changing.jobs() == {}
