"""Pytest's fixtures, found by themselves where the package is installed with its extra ``local``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from agent_rft_local import LocalAws


@pytest.fixture(scope="session")
def local_aws_session() -> "Iterator[LocalAws]":
    """One local AWS for the whole session, bootstrapped."""
    from agent_rft_local import LocalAws

    with LocalAws.start() as aws:
        aws.bootstrap()
        yield aws


@pytest.fixture
def local_aws(local_aws_session: "LocalAws") -> "Iterator[LocalAws]":
    """The session's local AWS with its default behaviour: jobs of an hour, one at a time, no faults.

    Before the test and after it every job is stopped, so that none takes the quota of another test.
    """
    local_aws_session.settle()
    yield local_aws_session
    local_aws_session.settle()
