from collections.abc import Iterator

import pytest

from agent_rft_local import LocalAws


@pytest.fixture(scope="session")
def bare_aws_session() -> Iterator[LocalAws]:
    """A local AWS that is not bootstrapped: the CDK is not needed where boto3 creates the stack."""
    with LocalAws.start() as aws:
        yield aws


@pytest.fixture
def bare_aws(bare_aws_session: LocalAws) -> LocalAws:
    """The session's, empty and with its default behaviour."""
    bare_aws_session.reset()
    return bare_aws_session
