"""Real deployments of a changing declaration: each choice of ``replacement``, failures, rollback, tags."""

from deploy.conftest import Deployed


def test_a_change_after_the_first_job_ended_submits_a_second_and_leaves_the_first(deployed: Deployed) -> None:
    deployed.aws.set(job_seconds=0)
    deployed.deploy()
    first = deployed.job_name()
    deployed.aws.set(job_seconds=3600)
    assert "Custom::AgentRFTJob" in deployed.diff(epochs="2")
    deployed.deploy(epochs="2")
    second = deployed.job_name()
    assert deployed.jobs() == {first: "Completed", second: "InProgress"}


def test_a_change_while_the_job_runs_is_refused_stopped_or_run_beside(deployed: Deployed) -> None:
    deployed.deploy()
    first = deployed.job_name()

    said = deployed.refused(epochs="2")
    assert f"The earlier job {first} is InProgress" in said
    assert "replacement='stop_first'" in said
    assert (deployed.status(), deployed.jobs()) == ("UPDATE_ROLLBACK_COMPLETE", {first: "InProgress"})
    assert all(len(reason.encode()) < 4096 for reason in deployed.reasons())

    deployed.deploy(epochs="2", replacement="stop_first")
    second = deployed.job_name()
    assert deployed.jobs() == {first: "Stopped", second: "InProgress"}

    deployed.aws.set(running_jobs=2)
    deployed.deploy(epochs="3", replacement="submit_first", owner="you")
    third = deployed.job_name()
    # the clean-up of the update lets go of the second job and stops it
    jobs = deployed.jobs()
    assert (jobs[first], jobs[second] in ("Stopping", "Stopped"), jobs[third]) == ("Stopped", True, "InProgress")


def test_a_change_of_tags_keeps_the_job_and_sets_its_tags(deployed: Deployed) -> None:
    deployed.deploy()
    first = deployed.job_name()
    deployed.deploy(owner="you")
    assert deployed.jobs() == {first: "InProgress"}
    arn = deployed.aws.client("sagemaker").describe_job(JobName=first, JobCategory="AgentRFT")["JobArn"]
    tags = {row["Key"]: row["Value"] for row in deployed.aws.client("sagemaker").list_tags(ResourceArn=arn)["Tags"]}
    assert tags["Owner"] == "you"


def test_a_create_that_fails_after_the_job_rolls_back_and_stops_it(deployed: Deployed) -> None:
    deployed.refused(broken="1")
    assert deployed.status() == "ROLLBACK_COMPLETE"
    (status,) = deployed.jobs().values()
    assert status in ("Stopping", "Stopped")


def test_an_update_that_fails_after_the_job_rolls_back_to_the_first_job_and_starts_nothing(deployed: Deployed) -> None:
    deployed.deploy()
    first = deployed.job_name()
    deployed.aws.set(running_jobs=2)
    deployed.refused(epochs="2", replacement="submit_first", broken="1")
    assert deployed.status() == "UPDATE_ROLLBACK_COMPLETE"
    jobs = deployed.jobs()
    assert (len(jobs), jobs.pop(first)) == (2, "InProgress")
    assert set(jobs.values()) <= {"Stopping", "Stopped"}
    assert deployed.job_name() == first


def test_a_refusal_reaches_the_event_as_one_sentence(deployed: Deployed) -> None:
    said = deployed.refused(model="huggingface-llm-falcon-7b-bf16")
    assert "has no recipe for multi-turn RL in this region" in said
    assert deployed.status() == "ROLLBACK_COMPLETE"
    (reason,) = [reason for reason in deployed.reasons() if "recipe" in reason]
    assert len(reason.encode()) < 4096
    assert "Traceback" not in reason
    assert deployed.jobs() == {}
