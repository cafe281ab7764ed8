"""``agent-rft`` as its own process against the local AWS."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_rft_handler import facts
from agent_rft_local import LocalAws

ROOT = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(ROOT / root) for root in ("lambda", "cli"))
COMMAND = [sys.executable, "-m", "agent_rft_cli"]
TRAINABLE = {"RecipeCollection": [{"CustomizationTechnique": "MTRL"}]}


def done(aws: LocalAws, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments], env=aws.environment | environment, capture_output=True, text=True, check=False
    )


def rows(aws: LocalAws, *arguments: str) -> list[dict[str, Any]]:
    """What a command found, as a program reads it."""
    ended = done(aws, *arguments, "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    return list(json.loads(ended.stdout))


def submitted(aws: LocalAws, names: list[str]) -> None:
    """Jobs that run, made as the handler makes them."""
    sagemaker, iam = aws.client("sagemaker"), aws.client("iam")
    trust = {"Effect": "Allow", "Principal": {"Service": facts.JOB_PRINCIPAL}, "Action": "sts:AssumeRole"}
    role = iam.create_role(RoleName="cli", AssumeRolePolicyDocument=json.dumps({"Statement": [trust]}))["Role"]["Arn"]
    app = sagemaker.create_mlflow_app(Name="cli", ArtifactStoreUri="s3://a/b", RoleArn=role)["Arn"]
    groups = [
        sagemaker.create_model_package_group(ModelPackageGroupName=name)["ModelPackageGroupArn"]
        for name in ("cli-tuned", "cli-checkpoints")
    ]
    document = (ROOT / "tests" / "golden" / "documents" / "nothing-optional.json").read_text()
    aws.set(running_jobs=len(names) + 100)
    for name in names:
        sagemaker.create_job(
            JobName=name,
            RoleArn=role,
            JobCategory=facts.AGENT_RFT,
            JobConfigSchemaVersion=facts.SCHEMA_VERSION,
            JobConfigDocument=_document(json.loads(document), app, *groups),
        )


def _document(document: dict[str, Any], app: str, output: str, checkpoint: str) -> str:
    print(document)
    return json.dumps(document)


def test_models(local_aws: LocalAws) -> None:
    found = {row["name"]: row["gated"] for row in rows(local_aws, "models", "--details")}
    assert found["meta-textgeneration-llama-3-3-70b-instruct"] is True
    assert found["huggingface-reasoning-qwen3-32b"] is False
    assert "huggingface-llm-falcon-7b-bf16" not in found
