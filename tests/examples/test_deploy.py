"""Five examples, deployed to the local AWS: across stacks, one job after another, nested, and shared."""

import json

import pytest
from deploy.queues import until
from deployment import Deployment
from examples import apps
from security.seeds import runtime

from agent_rft_local import LocalAws


@pytest.mark.parametrize(
    ("name", "stacks", "jobs"),
    [
        ("two_stacks", ["Models", "Training"], 1),
        ("sweep", ["Sweep"], 3),
        ("evaluation_after_training", ["Training"], 2),
        ("nested_stack", ["Parent"], 1),
        ("platform", ["Platform", "TeamA"], 1),
    ],
)
def test_an_example_deploys_and_goes(name: str, stacks: list[str], jobs: int, local_aws: LocalAws) -> None:
    local_aws.set(job_seconds=1, wait_scale=0.02)
    agent = runtime(local_aws)
    deployments = [Deployment(local_aws, stack, apps.declare(name)) for stack in stacks]
    for each in deployments:
        assert each.deploy(agent=agent) == "CREATE_COMPLETE", each.reasons()
    until(lambda: len(submitted(local_aws)) == jobs)
    for each in reversed(deployments):
        each.delete()
    assert len(submitted(local_aws)) == jobs


def submitted(aws: LocalAws) -> set[str]:
    """The names of the jobs that were made; each has a document."""
    made = [call["request"] for call in aws.calls("CreateJob") if call["done"]]
    assert all(json.loads(request["JobConfigDocument"]) for request in made)
    assert len(made) == len({request["JobName"] for request in made})
    return {request["JobName"] for request in made}
