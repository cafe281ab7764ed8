"""Queues and sweeps, deployed: every job once, whatever is throttled; what an update or an end of the stack does."""

import csv
import io
import time
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnOutput
from deploy.apps import AGENT_ENV, DATASET, break_after, stack_in
from deployment import Deployment

from agent_rft import JobQueue, MlflowApp, MultiTurnRLEvaluator, MultiTurnRLTrainer, Sweep

MACHINE = "AWS::StepFunctions::StateMachine"


def sweep(app: App) -> None:
    """As many variants as the context says, from its first on."""
    get = app.node.try_get_context
    stack = stack_in(app)
    base = MultiTurnRLTrainer(
        stack,
        "Base",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=AGENT_ENV,
        training_dataset=DATASET,
        mlflow_app=MlflowApp(stack, "Mlflow"),
        hyperparameters={"max_epochs": 1, "max_steps": 10},
        dry_run=True,
    )
    first, last = int(get("first") or 1), int(get("last") or 3)
    variants = {f"v{i}": {"learning_rate": i * 1e-6} for i in range(first, last + 1)}
    if get("wrong"):
        variants["odd"] = {"max_epoch": 1}
    made = Sweep(stack, "Sweep", base=base, variants=variants, concurrency=int(get("concurrency") or 1))
    CfnOutput(stack, "Results", value=made.results_uri)
    if get("broken"):
        break_after(stack, made)


def queue(app: App) -> None:
    """A trainer, and an evaluator of the same model."""
    stack = stack_in(app)
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "mlflow_app": MlflowApp(stack, "Mlflow"),
        "dry_run": True,
    }
    trainer = MultiTurnRLTrainer(stack, "Trainer", **plain, agent_env=AGENT_ENV, training_dataset=DATASET)
    evaluator = MultiTurnRLEvaluator(stack, "Evaluator", **plain, agent_config=AGENT_ENV, dataset=DATASET)
    made = JobQueue(stack, "Queue", jobs=[trainer, evaluator])
    CfnOutput(stack, "Results", value=made.results_uri)


@pytest.fixture
def swept(changing: Deployment) -> Deployment:
    """A stack with a sweep; waits take a fiftieth of their time, and jobs a second."""
    changing.aws.set(wait_scale=0.02, job_seconds=1)
    return changing.declared_by(sweep)


def table(deployment: Deployment) -> dict[str, dict[str, str]]:
    """The table of results by the rows' names."""
    bucket, _, key = deployment.outputs()["Results"].removeprefix("s3://").partition("/")
    s3 = deployment.aws.client("s3")
    if not s3.list_objects_v2(Bucket=bucket, Prefix=key).get("Contents"):
        return {}
    text = s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode()
    return {row["name"]: row for row in csv.DictReader(io.StringIO(text))}


def statuses(deployment: Deployment) -> dict[str, str]:
    return {name: row["status"] for name, row in table(deployment).items()}


def until(done: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.2)


def submitted(deployment: Deployment) -> list[str]:
    """The variant of each job that was made, in their order."""
    return [call["request"]["JobName"].split("-")[0] for call in deployment.aws.calls("CreateJob") if call["done"]]


def denied(deployment: Deployment) -> list[dict[str, Any]]:
    """What this stack's roles were denied; a role's name starts with its stack's."""
    start = f"assumed-role/{deployment.stack[:24]}"
    return [row for row in deployment.aws.iam_log() if start in row["principal"] and not row["allowed"]]


def all_completed(deployment: Deployment, *names: str) -> None:
    until(lambda: statuses(deployment) == dict.fromkeys(names, "Completed"))


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


def test_a_deleted_stack_stops_what_runs_and_submits_no_more(swept: Deployment) -> None:
    swept.aws.set(job_seconds=3600)
    swept.deploy()
    until(lambda: submitted(swept) == ["v1"])
    swept.delete()
    time.sleep(2)
    assert submitted(swept) == ["v1"]
    assert set(swept.jobs().values()) <= {"Stopping", "Stopped"}


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


@pytest.mark.exhaustive
def test_a_hundred_variants_all_complete_under_throttling_and_none_twice(swept: Deployment) -> None:
    swept.aws.set(running_jobs=10, wait_scale=0.005)
    limited = {name: {"rate": 8, "burst": 4} for name in ("CreateJob", "DescribeJob", "ListJobs")}
    swept.aws.set(throttles=limited)
    assert swept.deploy(last="100", concurrency="10") == "CREATE_COMPLETE", swept.reasons()
    names = [f"v{i}" for i in range(1, 101)]
    until(lambda: statuses(swept) == dict.fromkeys(names, "Completed"), seconds=300)
    swept.aws.set(throttles={})
    assert submitted(swept) == names
    assert [call for call in swept.aws.calls("CreateJob") if not call["done"]], "nothing was throttled"
