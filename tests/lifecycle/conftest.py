import logging
from collections.abc import Iterator

import pytest

from agent_rft_local import store


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Thousands of refusals are not logged, and the local SageMaker's clock is set back afterwards."""
    monkeypatch.setattr(store, "clock", store.clock)
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
