"""Three examples, deployed to the local AWS: across stacks, with several trainers, and nested."""

import json

import pytest
from deployment import Deployment
from examples import apps
from security.test_least_privilege import runtime

from agent_rft_local import LocalAws


@pytest.mark.parametrize(
    ("name", "stacks", "jobs"),
    [
        ("two_stacks", ["Models", "Training"], 1),
        ("sweep", ["Sweep"], 3),
        ("nested_stack", ["Parent"], 1),
        ("platform", ["Platform", "TeamA"], 1),
    ],
)
def test_an_example_deploys_and_goes(name: str, stacks: list[str], jobs: int, local_aws: LocalAws) -> None:
    local_aws.set(running_jobs=10)
    agent = runtime(local_aws)
    deployments = [Deployment(local_aws, stack, apps.declare(name)) for stack in stacks]
    for each in deployments:
        assert each.deploy(agent=agent, rate="1e-4") == "CREATE_COMPLETE", each.reasons()
    submitted = local_aws.calls("CreateJob")
    assert len({call["request"]["JobName"] for call in submitted}) == jobs
    assert all(json.loads(call["request"]["JobConfigDocument"]) for call in submitted)
    for each in reversed(deployments):
        each.delete()
