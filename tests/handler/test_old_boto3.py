"""The handler on a runtime whose boto3 predates CreateJob."""

import json
import subprocess
from pathlib import Path

import pytest
from handler.trim_model import text, trimmed

from agent_rft_handler.clients import MODELS, OPERATIONS

ROOT = Path(__file__).parents[2]
LAMBDA_ROOT = ROOT / "lambda"


@pytest.mark.parametrize("service", OPERATIONS)
def test_the_fallback_model_is_what_botocore_has_now(service: str) -> None:
    path, model = trimmed(service)
    assert (MODELS / path).read_text() == text(model), "run make golden"


PROBE = """
import boto3, json
from agent_rft_handler.clients import OPERATIONS, client
had = hasattr(boto3.client("sagemaker"), "create_job")
found = {service: sorted(client(service).meta.service_model.operation_names) for service in OPERATIONS}
print(json.dumps({"version": boto3.__version__, "had": had, "found": found,
                  "host": client("bedrock-agentcore-control").meta.endpoint_url,
                  "sagemaker": client("sagemaker").meta.endpoint_url}))
"""


def test_an_old_boto3_gets_the_operations_from_our_models(old_python: Path) -> None:
    environment = {"PYTHONPATH": str(LAMBDA_ROOT), "AWS_DEFAULT_REGION": "us-west-2", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([old_python, "-c", PROBE], env=environment, check=True, capture_output=True, text=True)
    probe = json.loads(done.stdout)
    assert (probe["version"], probe["had"]) == ("1.34.0", False)
    assert probe["found"] == {service: sorted(names) for service, names in OPERATIONS.items()}
    assert probe["host"] == "https://bedrock-agentcore-control.us-west-2.amazonaws.com"
    assert probe["sagemaker"] == "https://api.sagemaker.us-west-2.amazonaws.com"
