"""One recording: the account made anew, the SDK run on an input, and the CreateJob request that reached the service."""

import contextlib
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracle import account
from oracle.case import Input
from oracle.comparison import TAIL
from oracle.evaluations import Evaluation

from agent_rft_local import LocalAws
from agent_rft_local.local_aws import ACCOUNT

SDK_VERSION = "1.27.0"

SETTINGS = "SchemaVersion: '1.0'\nSageMaker:\n  PythonSDK:\n    Modules:\n      TelemetryOptOut: true\n"
"""The SDK's configuration file: nothing is reported to anyone."""

MASKS = {
    r"app-[0-9]{12}": "app-MADE-BY-SDK",
    r"finetune-mlflow-[0-9]+": "finetune-mlflow-<time>",
    r"-20[0-9]{12}\b": f"-{TAIL}",
}
"""What differs from run to run, and what stands for it."""


@dataclass(frozen=True)
class Sdk:
    """The SDK in a process of its own; ``record.py`` is its other end."""

    process: "subprocess.Popen[str]"
    log: Path

    @classmethod
    @contextlib.contextmanager
    def start(cls, python: Path, aws: LocalAws, directory: Path) -> Iterator["Sdk"]:
        """Starts it against the local AWS; the log and the SDK's files go into the directory."""
        log = directory / "sdk.log"
        command = [str(python), "-I", str(Path(__file__).with_name("record.py"))]
        with (
            log.open("w") as stderr,
            subprocess.Popen(
                command,
                env=_environment(aws, directory),
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
            ) as process,
        ):
            sdk = cls(process, log)
            sdk._require_version()
            yield sdk

    def answer(self, given: str) -> str:
        """Hands one input over; the answer as JSON text."""
        assert self.process.stdin
        self.process.stdin.write(given + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the SDK's process ended:\n{self.log.read_text()}")
        return line.strip()

    def _require_version(self) -> None:
        found = json.loads(self._read())["sagemaker-train"]
        if found != SDK_VERSION:
            raise RuntimeError(f"the recordings are of sagemaker-train {SDK_VERSION}, but {found} is installed")


def recorded(given: Input, sdk: Sdk, aws: LocalAws) -> dict[str, Any]:
    """What the SDK asked the service to make for this input, and its refusal if it refused."""
    real = seed(given, aws)
    refusal = sdk.answer(_with_real_ids(given.for_sdk(), real))
    made = [
        {"operation": call["operation"], "request": call["request"]}
        for call in aws.calls()
        if call["operation"].startswith("Create")
    ]
    plain = json.loads(_masked(_replaced(json.dumps([made, json.loads(refusal)]), real), aws.endpoint))
    return _told(*plain)


def evaluated(given: Evaluation, sdk: Sdk, aws: LocalAws) -> dict[str, Any]:
    """The jobs of the pipeline that the SDK's evaluator would start for this input, or its refusal."""
    real = seed(given.account, aws)
    answer = json.loads(_masked(_replaced(sdk.answer(_with_real_ids(given.for_sdk(), real)), real), aws.endpoint))
    if "jobs" not in answer:
        return {"refused": answer}
    return {"jobs": [{**job, "JobConfigDocument": json.loads(job["JobConfigDocument"])} for job in answer["jobs"]]}


def seed(given: Input, aws: LocalAws) -> dict[str, str]:
    """Makes the account anew; each id that AWS made up, with the one that stands for it."""
    aws.reset()
    trust = json.dumps(account.trust_policy())
    aws.client("iam").create_role(RoleName=account.ROLE_NAME, AssumeRolePolicyDocument=trust)
    aws.client("sns").create_topic(Name=account.TOPIC_ARN.rpartition(":")[2])
    for bucket in account.BUCKETS:
        aws.client("s3").create_bucket(Bucket=bucket)
    for group in (account.TUNED, account.CHECKPOINTS):
        aws.client("sagemaker").create_model_package_group(ModelPackageGroupName=group)
    for package in account.packages():
        aws.seed_model_package(**package)
    aws.client("s3").put_object(Bucket=account.BUCKETS[0], Key=account.RECIPE_KEY, Body=account.recipe())
    aws.seed_hub_content(account.PRIVATE_HUB, account.PRIVATE_MODEL, account.private_model())
    made = {_runtime(aws): account.RUNTIME_ID, **_apps(given.apps, aws)}
    aws.forget()
    return made


def text(recording: Mapping[str, Any]) -> str:
    """A recording as it stands in its file."""
    return json.dumps(recording, indent=2) + "\n"


def _environment(aws: LocalAws, directory: Path) -> dict[str, str]:
    config = directory / "sdk.yaml"
    config.write_text(SETTINGS)
    return {
        **{name: value for name, value in aws.environment.items() if not name.startswith(("PYTHON", "SAGEMAKER"))},
        "PYTHONHASHSEED": "0",  # the SDK goes through sets, whose order would be another in each run
        "SAGEMAKER_VALIDATE_ROLE": "false",  # it simulates policies for training jobs, not for these
        "SAGEMAKER_USER_CONFIG_OVERRIDE": str(config),
        "TMPDIR": str(directory),
    }


def _apps(defaults: Mapping[str, str], aws: LocalAws) -> dict[str, str]:
    sagemaker, made = aws.client("sagemaker"), {}
    for stand_in, status in defaults.items():
        arn = sagemaker.create_mlflow_app(
            Name=stand_in, ArtifactStoreUri="s3://a/b", RoleArn=account.ROLE_ARN, AccountDefaultStatus=status
        )["Arn"]
        made[arn.rpartition("/")[2]] = stand_in
    return made


def _runtime(aws: LocalAws) -> str:
    image = {"containerConfiguration": {"containerUri": f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/agent:1"}}
    return str(
        aws.client("bedrock-agentcore-control").create_agent_runtime(
            agentRuntimeName="agent",
            agentRuntimeArtifact=image,
            roleArn=account.ROLE_ARN,
            networkConfiguration={"networkMode": "PUBLIC"},
        )["agentRuntimeId"]
    )


def _with_real_ids(given: Mapping[str, Any], real: Mapping[str, str]) -> str:
    return _replaced(json.dumps(given), {stand_in: id for id, stand_in in real.items()})


def _replaced(text: str, by: Mapping[str, str]) -> str:
    for old, new in by.items():
        text = text.replace(old, new)
    return text


def _masked(text: str, endpoint: str) -> str:
    """The text without what differs from run to run."""
    for pattern, stand_in in MASKS.items():
        text = re.sub(pattern, stand_in, text)
    return text.replace(endpoint, "http://local")


def _told(made: list[dict[str, Any]], refusal: dict[str, str]) -> dict[str, Any]:
    """The one CreateJob request with its document parsed, the other things made, and the refusal when there is one."""
    jobs = [each["request"] for each in made if each["operation"] == "CreateJob"]
    told: dict[str, Any] = {}
    for job in jobs:
        name = re.sub(r"-20[0-9]{0,12}$", f"-{TAIL}", job["JobName"])  # a long base cuts the time
        told["CreateJob"] = {**job, "JobName": name, "JobConfigDocument": json.loads(job["JobConfigDocument"])}
    if others := [each for each in made if each["operation"] != "CreateJob"]:
        told["also_made"] = others
    if refusal and jobs:  # in the words of the local AWS, which are no part of the oracle
        refusal = {**refusal, "message": "by the service"}
    return {**told, "refused": refusal} if refusal else told
