"""Our own models of the operations that an older boto3 lacks; tests/deploy/test_old_runtime.py runs on them."""

import pytest
from handler.trim_model import text, trimmed

from agent_rft_handler.clients import MODELS, OPERATIONS


@pytest.mark.parametrize("service", OPERATIONS)
def test_the_fallback_model_is_what_botocore_has_now(service: str) -> None:
    path, model = trimmed(service)
    assert (MODELS / path).read_text() == text(model), "run make golden"
