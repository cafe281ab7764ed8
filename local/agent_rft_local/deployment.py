"""``make deploy-local``: one real ``cdk deploy``, and what it submitted, for a person to read."""

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import cdk, foreground
from agent_rft_local.local_aws import CdkFailed, LocalAws

LOG_LINES = 40
"""How much of the server's log is shown when a deployment fails; the log goes with its folder."""


def deploy(app: str, *, keep: bool) -> None:
    """Starts the local AWS, bootstraps it, deploys the app and prints outputs, job and document.

    Raises:
        FileNotFoundError: before anything else, where there is no CDK command line.
    """
    cdk.script()
    with contextlib.ExitStack() as stack:
        with _step("Starting the local AWS"):
            aws = stack.enter_context(LocalAws.start())
        with _step("cdk bootstrap"):
            aws.bootstrap()
        with _step("cdk deploy"):
            _deploy(aws, app)
        _show(aws)
        if keep:
            foreground.stay(aws)


def _deploy(aws: LocalAws, app: str) -> None:
    try:
        aws.cdk("deploy", "--all", "--require-approval", "never", app=app)
    except CdkFailed as failed:
        sys.exit(f"\n{failed}\nThe deployment failed. The server's last lines:\n{_last_lines(aws.process.log)}")


def _last_lines(log: str) -> str:
    return "\n".join(log.splitlines()[-LOG_LINES:])


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
