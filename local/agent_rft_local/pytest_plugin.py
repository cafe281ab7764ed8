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
def local_aws(local_aws_session: "LocalAws") -> "LocalAws":
    """The session's local AWS with its default behaviour: jobs of an hour, one at a time, no faults."""
    local_aws_session.set(job_seconds=3600, stop_seconds=0.5, running_jobs=1, outcome="Completed", faults=[], time=None)
    local_aws_session.forget()
    return local_aws_session
