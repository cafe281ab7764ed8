"""``make deploy-local``: one real ``cdk deploy``, and what it submitted, for a person to read."""

import contextlib
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local.local_aws import ACCOUNT, CREDENTIALS, REGION, CdkFailed, LocalAws


def deploy(app: str, *, keep: bool, directory: Path) -> None:
    """Starts the local AWS, bootstraps it, deploys the app and prints outputs, job and document."""
    with contextlib.ExitStack() as stack:
        with _step("Starting the local AWS"):
            aws = stack.enter_context(LocalAws.start(directory))
        with _step("cdk bootstrap"):
            aws.bootstrap()
        with _step("cdk deploy"):
            _deploy(aws, app)
        _show(aws)
        if keep:
            _keep(aws)


def _deploy(aws: LocalAws, app: str) -> None:
    try:
        aws.cdk("deploy", "--all", "--require-approval", "never", app=app)
    except CdkFailed as failed:
        sys.exit(f"\n{failed}\nThe deployment failed; the server's log is {aws.directory / 'server.log'}")


def _show(aws: LocalAws) -> None:
    cloudformation, sagemaker = aws.client("cloudformation"), aws.client("sagemaker")
    for stack in cloudformation.describe_stacks()["Stacks"]:
        if stack["StackName"] != "CDKToolkit":
            _heading(f"Stack {stack['StackName']}: {stack['StackStatus']}")
            _rows({row["OutputKey"]: row["OutputValue"] for row in stack.get("Outputs", [])})
    submitted = {call["request"]["JobName"]: call["request"] for call in aws.calls("CreateJob")}
    for name, request in submitted.items():
        job = sagemaker.describe_job(JobName=name, JobCategory=AGENT_RFT.name)
        _heading("Job, as DescribeJob gives it")
        _rows({key: job[key] for key in ("JobName", "JobArn", "JobStatus", "SecondaryStatus", "RoleArn")})
        _heading("JobConfigDocument, as submitted")
        print(json.dumps(json.loads(request["JobConfigDocument"]), indent=2))


def _keep(aws: LocalAws) -> None:
    _heading("The local AWS stays up until Ctrl-C. In another shell:")
    for name, value in {"AWS_ENDPOINT_URL": aws.endpoint, "AWS_REGION": REGION, **CREDENTIALS}.items():
        print(f"  export {name}={value}")
    print(f"  export CDK_DEFAULT_ACCOUNT={ACCOUNT} CDK_DEFAULT_REGION={REGION}")
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    stopped.wait()


@contextlib.contextmanager
def _step(what: str) -> Iterator[None]:
    print(f"{what} ... ", end="", flush=True)
    begun = time.monotonic()
    yield
    print(f"{time.monotonic() - begun:.1f} s", flush=True)


def _heading(text: str) -> None:
    print(f"\n{text}")


def _rows(rows: dict[str, Any]) -> None:
    width = max(map(len, rows), default=0)
    for key, value in rows.items():
        print(f"  {key:<{width}}  {value}")
