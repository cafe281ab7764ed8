"""``agent-rft`` as its own process against the local AWS."""

import importlib.metadata
import itertools
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from deploy import apps
from deployment import Deployment
from local.roles import credentials

from agent_rft_handler import facts
from agent_rft_local import LocalAws, foreground

ROOT = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(ROOT / root) for root in ("lambda", "local", "cli"))
COMMAND = [sys.executable, "-m", "agent_rft_cli"]
DOCUMENT = ROOT / "tests" / "golden" / "documents" / "nothing-optional.json"
PAGE = ROOT / "docs" / "cli.md"
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


def limited(aws: LocalAws, role_name: str) -> dict[str, str]:
    """The keys of a role that may do nothing."""
    keys = credentials(aws, role_name)
    return {
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
    }


@pytest.fixture(scope="module")
def job_request(local_aws_session: LocalAws) -> dict[str, str]:
    """What CreateJob takes beside the name, with all that the document names."""
    sagemaker, iam = local_aws_session.client("sagemaker"), local_aws_session.client("iam")
    trust = {"Effect": "Allow", "Principal": {"Service": facts.JOB_PRINCIPAL}, "Action": "sts:AssumeRole"}
    role = iam.create_role(RoleName="cli-job", AssumeRolePolicyDocument=json.dumps({"Statement": [trust]}))["Role"]
    document = json.loads(DOCUMENT.read_text())
    document["TrainingConfig"]["MlflowConfig"]["MlflowResourceArn"] = sagemaker.create_mlflow_app(
        Name="cli", ArtifactStoreUri="s3://a/b", RoleArn=role["Arn"]
    )["Arn"]
    for key, name in (("Output", "cli-tuned"), ("IntermediateCheckpoint", "cli-checkpoints")):
        group = sagemaker.create_model_package_group(ModelPackageGroupName=name)["ModelPackageGroupArn"]
        document["ModelPackageConfig"][f"{key}ModelPackageGroupArn"] = group
    return {
        "RoleArn": role["Arn"],
        "JobCategory": facts.AGENT_RFT.name,
        "JobConfigSchemaVersion": facts.SCHEMA_VERSION,
        "JobConfigDocument": json.dumps(document),
    }


def test_models_of_the_public_hub_and_which_are_gated(local_aws: LocalAws) -> None:
    found = {row["name"]: row["gated"] for row in rows(local_aws, "models", "--details")}
    assert found["meta-textgeneration-llama-3-3-70b-instruct"] is True
    assert found["huggingface-reasoning-qwen3-32b"] is False
    assert "huggingface-llm-falcon-7b-bf16" not in found


def test_the_pages_example_is_what_it_prints(local_aws: LocalAws) -> None:
    assert f"$ agent-rft models --details\n{done(local_aws, 'models', '--details').stdout}```" in PAGE.read_text()


def test_models_of_a_private_hub_on_two_pages(local_aws: LocalAws) -> None:
    names = [f"model-{number:03}" for number in range(105)]
    for name in names:
        local_aws.seed_hub_content("cli-hub", name, TRAINABLE)
    assert [row["name"] for row in rows(local_aws, "models", "--hub", "cli-hub")] == names
    assert len(local_aws.calls("ListHubContents")) == 2


def test_runtimes_on_two_pages_with_their_endpoints(local_aws: LocalAws) -> None:
    control = local_aws.client("bedrock-agentcore-control")
    for number in range(101):
        made = control.create_agent_runtime(
            agentRuntimeName=f"cli_{number:03}",
            agentRuntimeArtifact={"containerConfiguration": {"containerUri": "public.ecr.aws/a/b:1"}},
            roleArn="arn:aws:iam::000000000000:role/agent",
            networkConfiguration={"networkMode": "PUBLIC"},
        )
    control.create_agent_runtime_endpoint(agentRuntimeId=made["agentRuntimeId"], name="PROD")
    found = [row for row in rows(local_aws, "runtimes", "--endpoints") if row["name"].startswith("cli_")]
    assert len(found) == 101
    last = next(row for row in found if row["name"] == "cli_100")
    assert [endpoint["name"] for endpoint in last["endpoints"]] == ["DEFAULT", "PROD"]
    assert all(facts.AGENT_RUNTIME_ARN.accepts(each["arn"]) for each in (last, *last["endpoints"]))


def test_jobs_newest_first_on_two_pages_and_by_status(local_aws: LocalAws, job_request: dict[str, str]) -> None:
    sagemaker = local_aws.client("sagemaker")
    local_aws.set(job_seconds=0)
    names = [f"cli-{number:03}" for number in range(104)]
    for name in names:
        sagemaker.create_job(JobName=name, **job_request)
    local_aws.set(job_seconds=3600)
    sagemaker.create_job(JobName="cli-running", **job_request)
    found = [row["name"] for row in rows(local_aws, "jobs", "--name-contains", "cli-")]
    assert found == ["cli-running", *reversed(names)]
    assert [row["name"] for row in rows(local_aws, "jobs", "--limit", "2")] == ["cli-running", "cli-103"]
    (running,) = rows(local_aws, "jobs", "--status", "InProgress", "--name-contains", "cli-")
    assert (running["name"], running["secondary_status"], running["ended"]) == ("cli-running", "Starting", None)


def test_a_region_is_read_from_the_option_before_the_environment(local_aws: LocalAws) -> None:
    (row, *_) = rows(local_aws, "models", "--region", "us-west-2")
    assert facts.region_of(row["arn"]) == "us-west-2"
    other = done(local_aws, "models", "--json", AWS_REGION="us-west-2", AWS_DEFAULT_REGION="us-east-1")
    assert facts.region_of(json.loads(other.stdout)[0]["arn"]) == "us-west-2"


@pytest.mark.parametrize(("command", "action"), [("models", "ListHubContents"), ("jobs", "ListJobs")])
def test_a_refusal_by_iam_is_one_line(local_aws: LocalAws, command: str, action: str) -> None:
    ended = done(local_aws, command, **limited(local_aws, f"cli-no-{command}"))
    (line,) = ended.stderr.splitlines()
    assert (ended.returncode, ended.stdout) == (1, "")
    assert action in line
    assert line.endswith("Ask whoever manages your permissions to allow it, or give another --profile.")


@pytest.mark.parametrize("arguments", [["models"], ["--help"]], ids=" ".join)
def test_a_closed_pipe_is_quiet(local_aws: LocalAws, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([*COMMAND, *arguments], env=local_aws.environment, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_an_old_boto3_lists_models_and_jobs_and_says_what_it_lacks(local_aws: LocalAws, old_python: Path) -> None:
    def old(command: str) -> "subprocess.CompletedProcess[str]":
        environment = local_aws.environment | {"PYTHONPATH": SOURCES}
        arguments = [str(old_python), "-m", "agent_rft_cli", command]
        return subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)

    assert "huggingface-reasoning-qwen3-32b" in old("models").stdout
    assert old("jobs").returncode == 0
    refused = old("runtimes")
    assert refused.returncode == 1
    assert "boto3 1.34.0 does not know ListAgentRuntimeEndpoints, ListAgentRuntimes. Update it" in refused.stderr


def test_the_version_is_the_distributions(local_aws: LocalAws) -> None:
    assert done(local_aws, "--version").stdout == f"agent-rft {importlib.metadata.version('cdk-agent-rft')}\n"


def test_local_serves_until_it_is_interrupted_and_prints_how_to_use_it(local_aws: LocalAws) -> None:
    command = [*COMMAND, "local", "serve", "--port", "0"]
    server = subprocess.Popen(command, env=local_aws.environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        exports = itertools.takewhile(lambda line: "CDK_CA_BUNDLE_PATH" not in line, server.stdout)
        settings = dict(shlex.split(line)[1].split("=", 1) for line in exports if line.startswith("  export "))
        assert settings["AWS_ENDPOINT_URL"] != local_aws.endpoint
        assert "There is no AgentRFT job" in done(local_aws, "jobs", **settings).stdout
        stale = {"AWS_ACCESS_KEY_ID": local_aws.key.access_key_id}
        assert "security token" in done(local_aws, "jobs", **settings | stale).stderr
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert server.returncode == 0


def test_a_job_is_watched_to_its_end_and_read(local_aws: LocalAws, job_request: dict[str, str]) -> None:
    local_aws.set(job_seconds=6)
    local_aws.client("sagemaker").create_job(JobName="cli-watched", **job_request)
    ended = done(local_aws, "watch", "cli-watched", "--interval", "0.5")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "UTC  InProgress: Training, " in ended.stdout
    assert "Status    Completed" in ended.stdout
    found = json.loads(done(local_aws, "metrics", "cli-watched", "--json").stdout)
    every = json.loads(done(local_aws, "metrics", "cli-watched", "--json", "--all").stdout)
    assert found["steps"]
    assert [set(step) for step in found["steps"]] == [set(step) for step in every["steps"]]
    log = done(local_aws, "logs", "cli-watched", "--follow").stdout
    assert log.count(" step ") == len(found["steps"])
    status = json.loads(done(local_aws, "status", "cli-watched", "--json").stdout)
    assert status["reward"]["step"] == len(found["steps"])
    assert "mlflow  https://" in done(local_aws, "open", "cli-watched").stdout


def test_what_a_stack_submitted_is_found_by_its_name(local_aws: LocalAws) -> None:
    deployment = Deployment(local_aws, "CliStack", apps.changing)
    assert deployment.deploy() == "CREATE_COMPLETE", deployment.reasons()
    found = json.loads(done(local_aws, "status", "--stack", "CliStack", "--json").stdout)
    assert found["status"] == "InProgress"
    (call,) = local_aws.calls("CreateJob")
    assert found["name"] == call["request"]["JobName"]
    missing = done(local_aws, "status", "--stack", "CliStack", "--resource", "Nobody")
    assert "--resource one of: " in missing.stderr
    assert "TrainerJob" in missing.stderr
    assert done(local_aws, "stop", "--stack", "CliStack", "--yes").returncode == 0
    assert done(local_aws, "watch", found["name"], "--interval", "0.2").returncode == 4
    deployment.delete()


def test_who_may_not_read_mlflow_reads_the_job_all_the_same(local_aws: LocalAws, job_request: dict[str, str]) -> None:
    local_aws.set(job_seconds=2)
    local_aws.client("sagemaker").create_job(JobName="cli-unread", **job_request)
    keys = limited(local_aws, "cli-no-mlflow")
    allowed = {"Effect": "Allow", "Action": "sagemaker:DescribeJob", "Resource": "*"}
    local_aws.client("iam").put_role_policy(
        RoleName="cli-no-mlflow", PolicyName="read", PolicyDocument=json.dumps({"Statement": [allowed]})
    )
    assert (
        done(local_aws, "watch", "cli-unread", "--interval", "0.2").returncode == 0
    )  # the account's one job at a time
    ended = done(local_aws, "status", "cli-unread", **keys)
    assert ended.returncode == 0
    assert "The reward cannot be read. MLflow answers 40" in ended.stdout
    assert "sagemaker:CallMlflowAppApi" in ended.stdout


def test_local_finds_the_one_that_is_up(local_aws: LocalAws, tmp_path: Path) -> None:
    folder = tmp_path / local_aws.directory.name
    folder.mkdir()
    foreground.publish(local_aws)
    (local_aws.directory / "session.json").rename(folder / "session.json")  # beside it, others may be up
    away = ("AWS_", "TMPDIR")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(away)}
    environment["TMPDIR"] = str(tmp_path)
    command = [*COMMAND, "jobs", "--local", "--status", "Failed"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.stdout == "There is no AgentRFT job like that in us-east-1 of this account.\n", ended.stderr
