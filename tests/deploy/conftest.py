from collections.abc import Iterator

import pytest
from deploy import apps
from deployment import Deployment

from agent_rft_local import LocalAws


@pytest.fixture
def changing(local_aws: LocalAws, request: pytest.FixtureRequest) -> Iterator[Deployment]:
    """A stack of its own for each test; what runs afterwards is stopped, so that the quota is free."""
    name = "".join(part.capitalize() for part in request.node.name.partition("[")[0].split("_")[1:])[:60]
    yield Deployment(local_aws, name, apps.changing)
    client = local_aws.client("sagemaker")
    for job in client.list_jobs(JobCategory="AgentRFT", StatusEquals="InProgress")["JobSummaries"]:
        client.stop_job(JobName=job["JobName"], JobCategory="AgentRFT")


@pytest.fixture
def nova(changing: Deployment) -> Deployment:
    """The same with a Nova trainer."""
    return changing.declared_by(apps.nova)
