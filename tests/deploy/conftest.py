import pytest
from deploy import apps
from deployment import Deployment

from agent_rft_local import LocalAws


@pytest.fixture
def changing(local_aws: LocalAws, request: pytest.FixtureRequest) -> Deployment:
    """A stack of its own for each test."""
    name = "".join(part.capitalize() for part in request.node.name.partition("[")[0].split("_")[1:])[:60]
    return Deployment(local_aws, name, apps.changing)


@pytest.fixture
def nova(changing: Deployment) -> Deployment:
    """The same with a Nova trainer."""
    return changing.declared_by(apps.nova)
