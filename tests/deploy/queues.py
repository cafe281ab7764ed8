"""Apps with a sweep or a queue, and what becomes of one that is deployed."""

import csv
import io
import time
from collections.abc import Callable
from typing import Any

from aws_cdk import App, CfnOutput
from deploy.apps import AGENT_ENV, DATASET, break_after, stack_in, trainer_in
from deployment import Deployment

from agent_rft import JobQueue, MlflowApp, MultiTurnRLEvaluator, MultiTurnRLTrainer, Sweep


def sweep(app: App) -> None:
    """As many variants as the context says, from its first on."""
    get = app.node.try_get_context
    stack = stack_in(app)
    base = trainer_in(stack, "Base", dry_run=True)
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
