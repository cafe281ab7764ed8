"""What a queue adds to the roles is used, all of it, and nothing is denied, whatever becomes of the queue.

But for a bucket's customer key, which the local S3 does not ask for: tests/synth/test_queued_jobs.py compares.
"""

from typing import Any

import pytest
from aws_cdk import App, CfnOutput
from deploy.apps import AGENT_ENV, DATASET, stack_in
from deploy.queues import denied, statuses, submitted, until
from deployment import Deployment
from security.test_least_privilege import statements, unused

from agent_rft import JobQueue, MlflowApp, MultiTurnRLTrainer, permissions
from agent_rft_local import LocalAws

ROLE = "AWS::IAM::Role"
ADDED = [permissions.START_QUEUE, permissions.KEEP_QUEUE, permissions.FIND_QUEUE, permissions.READ_REWARD]


def queued(app: App) -> None:
    """A queue of the jobs that the context names, which log to an app of the stack or to one that is found."""
    get = app.node.try_get_context
    stack = stack_in(app)
    mlflow = MlflowApp(stack, "Mlflow")
    jobs = [
        MultiTurnRLTrainer(
            stack,
            name,
            model="openai-reasoning-gpt-oss-20b",
            agent_env=AGENT_ENV,
            training_dataset=DATASET,
            mlflow_app=None if get("found") else mlflow,
            dry_run=True,
        )
        for name in get("jobs").split(",")
    ]
    made = JobQueue(stack, "Queue", jobs=jobs)
    made.node.add_dependency(mlflow)
    CfnOutput(stack, "Results", value=made.results_uri)


@pytest.mark.parametrize("given", [{}, {"found": "yes"}], ids=["an app", "an app that is found"])
def test_what_a_queue_adds_is_used_and_nothing_is_denied(local_aws: LocalAws, given: dict[str, str]) -> None:
    """Created; changed while a job runs, which is stopped; then left to its end."""
    aws, deployment = local_aws, Deployment(local_aws, f"QueueOf{''.join(given)}", queued)
    aws.set(wait_scale=0.02, job_seconds=3600, stop_seconds=0)
    assert deployment.deploy(**given, jobs="One") == "CREATE_COMPLETE", deployment.reasons()
    until(lambda: len(submitted(deployment)) == 1)
    aws.set(job_seconds=1)
    assert deployment.deploy(**given, jobs="Two") == "UPDATE_COMPLETE", deployment.reasons()
    until(lambda: statuses(deployment) == {"Two": "Completed"})
    assert denied(deployment) == []
    assert unused_of(deployment, "HandlerRole", [{*each.actions} for each in ADDED]) == set()
    assert unused_of(deployment, "QueueRole", [{*permissions.TAKE_TURN.actions}]) == set()


def unused_of(deployment: Deployment, role: str, added: list[set[str]]) -> set[tuple[str, str]]:
    """Actions and resources of the role's statements with these actions that nothing used."""
    name = deployment.physical_id(ROLE, role)
    decisions = [row for row in deployment.aws.iam_log() if f"assumed-role/{name}/" in row["principal"]]
    granted: list[dict[str, Any]] = [each for each in statements(deployment.aws, name) if {*each["Action"]} in added]
    assert sorted(map(sorted, added)) == sorted(sorted(each["Action"]) for each in granted)
    return unused(granted, {(row["action"], row["resource"]) for row in decisions})
