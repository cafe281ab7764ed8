"""A job's whole course, told by a clock that the test turns."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import World

from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION
from agent_rft_local import job_run, store

HOUR = 3600.0


def training(world: World, **parameters: str) -> str:
    """Submits a job of an hour; its name."""
    given = {"max_epochs": "2", **parameters}
    return str(world.deliver("Create", world.declaration(hyperparameters=given))["PhysicalResourceId"])


def described(world: World, name: str, category: str = AGENT_RFT.name) -> dict[str, Any]:
    return dict(world.sagemaker.describe_job(JobName=name, JobCategory=category))


def output(world: World, name: str, category: str = AGENT_RFT.name) -> dict[str, Any]:
    return dict(json.loads(described(world, name, category)["JobConfigDocument"])["ServiceOutput"])


def step_of(progress: dict[str, int]) -> int:
    """Which step of all it is at, counted as the SDK counts: CurrentStep is a step of the epoch."""
    return (progress["CurrentEpoch"] - 1) * progress["StepsPerEpoch"] + progress["CurrentStep"]


def packages(world: World, group: str) -> list[dict[str, Any]]:
    return list(world.sagemaker.list_model_packages(ModelPackageGroupName=group)["ModelPackageSummaryList"])


def test_a_job_passes_through_its_phases_with_times(world: World) -> None:
    name, begun = training(world), world.clock.now
    seen = []
    for _ in range(100):
        seen.append(described(world, name)["SecondaryStatus"])
        world.clock.sleep(HOUR / 100)
    assert list(dict.fromkeys(seen)) == ["Starting", "Downloading", "Training", "Uploading"]
    job = described(world, name)
    assert (job["JobStatus"], job["SecondaryStatus"]) == ("Completed", "Completed")
    transitions = job["SecondaryStatusTransitions"]
    assert [row["Status"] for row in transitions] == [*dict.fromkeys(seen), "Completed"]
    assert [row["EndTime"] for row in transitions[:-1]] == [row["StartTime"] for row in transitions[1:]]
    assert (job["CreationTime"], job["EndTime"]) == (begun, begun + HOUR)


def test_its_output_grows_and_never_shrinks(world: World) -> None:
    name = training(world, global_batch_size="32", group_size="4")
    steps, tokens, rollouts = [], [], []
    for _ in range(101):
        found = output(world, name)
        steps.append(step_of(found["ProgressInfo"]))
        tokens.append(found["BillableTokenUsage"]["TrainTokenCount"])
        rollouts.append(found["RolloutInfo"]["Completed"])
        world.clock.sleep(HOUR / 100)
    for figures in (steps, tokens, rollouts):
        assert figures == sorted(figures)
        assert figures[0] == 0
        assert figures[-1] > figures[50] > 0
    assert found["ProgressInfo"] == {
        "MaxEpoch": 2,
        "StepsPerEpoch": 10,
        "CurrentEpoch": 2,
        "CurrentStep": 10,
        "BatchSize": 32,
    }
    assert found["RolloutInfo"]["Completed"] == found["RolloutInfo"]["Total"] == 20 * 32 * 4


def test_the_step_it_is_at_is_the_one_after_those_it_has_done(world: World) -> None:
    name = training(world)
    seen = []
    for _ in range(100):
        world.clock.sleep(HOUR / 100)
        progress = output(world, name)["ProgressInfo"]
        if described(world, name)["SecondaryStatus"] == "Training":
            assert step_of(progress) == min(20, world.sagemaker.run(name).step + 1)
            seen.append((progress["CurrentEpoch"], progress["CurrentStep"]))
    assert list(dict.fromkeys(seen)) == [(epoch, step) for epoch in (1, 2) for step in range(1, 11)]


def test_the_fewer_of_max_steps_and_epochs_end_the_training(world: World) -> None:
    name = training(world, max_steps="7")
    world.clock.sleep(HOUR)
    assert output(world, name)["ProgressInfo"] == {"MaxSteps": 7, "CurrentStep": 7, "BatchSize": 128}


def test_checkpoints_and_the_tuned_model_appear_in_their_groups(world: World) -> None:
    name = training(world)
    world.clock.sleep(HOUR / 2)
    half = packages(world, world.checkpoint_group)
    assert 0 < len(half) < 20
    assert packages(world, world.group) == []
    assert "OutputModelPackageArn" not in output(world, name)
    world.clock.sleep(HOUR / 2)
    assert len(packages(world, world.checkpoint_group)) == 20
    (tuned,) = packages(world, world.group)
    assert output(world, name)["OutputModelPackageArn"] == tuned["ModelPackageArn"]
    found = world.sagemaker.describe_model_package(ModelPackageName=tuned["ModelPackageArn"])
    (container,) = found["InferenceSpecification"]["Containers"]
    assert container["BaseModel"]["HubContentName"] == "huggingface-reasoning-qwen3-32b"
    assert container["IsCheckpoint"] is False


def test_a_tuned_model_can_be_trained_on(world: World) -> None:
    training(world)
    world.finish_jobs()
    (tuned,) = packages(world, world.group)
    world.deliver("Create", world.declaration(model=tuned["ModelPackageArn"], accept_eula=True), logical_id="Next")
    assert world.document()["ModelPackageConfig"]["InputModelPackageArn"] == tuned["ModelPackageArn"]


def test_a_group_deleted_under_a_job_gets_nothing_and_the_job_ends_as_ever(world: World) -> None:
    name = training(world)
    world.sagemaker.delete_model_package_group(ModelPackageGroupName=world.group)
    world.clock.sleep(HOUR)
    assert described(world, name)["JobStatus"] == "Completed"
    assert "OutputModelPackageArn" not in output(world, name)
    assert len(packages(world, world.checkpoint_group)) == 20


def test_a_group_that_holds_packages_is_not_deleted(world: World) -> None:
    training(world)
    world.clock.sleep(HOUR)
    for arn in (world.group, world.checkpoint_group):
        with pytest.raises(ClientError, match="holds model packages"):
            world.sagemaker.delete_model_package_group(ModelPackageGroupName=arn)
        for row in packages(world, arn):
            world.sagemaker.delete_model_package(ModelPackageName=row["ModelPackageArn"])
        world.sagemaker.delete_model_package_group(ModelPackageGroupName=arn)


@pytest.mark.parametrize("after", [0, 1, HOUR / 4, HOUR / 2, HOUR - 1])
def test_a_job_fails_at_any_point_with_its_reason(world: World, after: float) -> None:
    name = training(world)
    store.behaviour.ends[name] = {"after": after, "status": "Failed", "reason": "the agent answered with an error"}
    world.clock.sleep(HOUR)
    job = described(world, name)
    assert (job["JobStatus"], job["SecondaryStatus"]) == ("Failed", "Failed")
    assert job["FailureReason"] == "the agent answered with an error"
    assert job["EndTime"] == job["CreationTime"] + after
    made = packages(world, world.checkpoint_group)
    assert len(packages(world, world.group)) == bool(made)  # the last checkpoint is promoted
    assert len(made) < 20 or after > HOUR * 0.97 - 1


@pytest.mark.parametrize("after", [0, HOUR / 4, HOUR / 2, HOUR - 60])
def test_a_stopped_job_is_stopping_and_keeps_what_it_has(world: World, after: float) -> None:
    store.behaviour.stop_seconds = 30
    name = training(world)
    world.clock.sleep(after)
    world.sagemaker.stop_job(JobName=name, JobCategory=AGENT_RFT.name)
    step = output(world, name)["ProgressInfo"]["CurrentStep"]
    assert described(world, name)["SecondaryStatus"] == "Stopping"
    world.clock.sleep(30)
    job = described(world, name)
    assert (job["JobStatus"], job["SecondaryStatus"]) == ("Stopped", "Stopped")
    assert [row["Status"] for row in job["SecondaryStatusTransitions"]][-2:] == ["Stopping", "Stopped"]
    assert output(world, name)["ProgressInfo"]["CurrentStep"] == step


def test_metrics_and_log_lines_say_each_step_at_its_time(world: World) -> None:
    name = training(world)
    world.clock.sleep(HOUR)
    run = world.sagemaker.run(name)
    rewards = [values["rollout/reward/mean"] for _, _, values in run.metrics()]
    assert len(rewards) == run.steps == 20
    assert rewards == sorted(rewards)
    lines = run.log_lines()
    assert [time for time, _ in lines] == sorted(time for time, _ in lines)
    assert sum(text.startswith("step ") for _, text in lines) == 20


def evaluation(world: World, **more: Any) -> dict[str, Any]:
    """A request for an evaluation job."""
    training(world)
    document = world.document()
    request = world.submitted()[-1]
    world.finish_jobs()
    config = document["TrainingConfig"]
    sections = {
        "AgentConfig": document["AgentConfig"],
        "InputDataConfig": [{**document["InputDataConfig"][0], "ChannelName": "evaluation"}],
        "OutputDataConfig": {**document["OutputDataConfig"], "MlflowConfig": config["MlflowConfig"]},
        "EvaluationConfig": {
            "BaseModelArn": config["BaseModelArn"],
            "AcceptEula": True,
            "HyperParameters": {"eval_group_size": "4"},
        },
        **more,
    }
    return {
        **request,
        "JobName": "evaluation",
        "JobCategory": AGENT_RFT_EVALUATION.name,
        "JobConfigDocument": json.dumps(sections),
    }


def test_an_evaluation_ends_with_metrics(world: World) -> None:
    world.sagemaker.create_job(**evaluation(world))
    world.clock.sleep(HOUR / 2)
    assert described(world, "evaluation", AGENT_RFT_EVALUATION.name)["SecondaryStatus"] == "Evaluating"
    assert "EvaluationMetrics" not in output(world, "evaluation", AGENT_RFT_EVALUATION.name)
    world.clock.sleep(HOUR / 2)
    assert output(world, "evaluation", AGENT_RFT_EVALUATION.name)["EvaluationMetrics"]


def test_an_evaluation_stops_at_its_longest_run_time(world: World) -> None:
    world.sagemaker.create_job(**evaluation(world, StoppingCondition={"MaxRuntimeInSeconds": 60}))
    world.clock.sleep(60)
    job = described(world, "evaluation", AGENT_RFT_EVALUATION.name)
    assert (job["JobStatus"], job["SecondaryStatus"]) == ("Stopped", "MaxRuntimeExceeded")


@pytest.mark.parametrize(
    "more",
    [
        {"TrainingConfig": {}},
        {"StoppingCondition": {"MaxRuntimeInSeconds": 259201}},
        {"EvaluationConfig": {"BaseModelArn": "x", "AcceptEula": True}},
    ],
)
def test_an_evaluation_takes_only_its_own_sections(world: World, more: dict[str, Any]) -> None:
    request = evaluation(world, **more)
    with pytest.raises(ClientError, match="ValidationException"):
        world.sagemaker.create_job(**request)


def test_an_evaluation_takes_only_the_names_that_the_service_was_seen_to_take(world: World) -> None:
    request = evaluation(world)
    document = json.loads(request["JobConfigDocument"])
    document["EvaluationConfig"]["HyperParameters"] = {"sampling_temperature": "0"}
    with pytest.raises(ClientError, match="eval_group_size"):
        world.sagemaker.create_job(**{**request, "JobConfigDocument": json.dumps(document)})


def test_every_phase_is_a_secondary_status_of_the_api() -> None:
    from agent_rft_local.sagemaker import model

    known = model().shape_for("JobSecondaryStatus").enum
    phases = {name for name, _, _ in (*job_run.PHASES, *job_run.EVALUATION_PHASES)}
    assert phases <= set(known)
