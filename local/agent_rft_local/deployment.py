"""``make deploy-local``: one real ``cdk deploy``, and what it submitted, for a person to read."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from agent_rft_local import cdk, foreground
from agent_rft_local.local_aws import CdkFailed, LocalAws

LOG_LINES = 40
"""How much of the server's log is shown when a deployment fails; the log goes with its folder."""

HOUR, WATCHED = 3600.0, 30.0
"""How long a job runs, in seconds: as usual, and while a person watches it."""


def deploy(app: str, *, keep: bool, watch: float | None, as_json: bool) -> None:
    """Starts the local AWS, bootstraps it, deploys the app and prints outputs, job and document.

    Args:
        app: The app's command; cdk.json's without it.
        keep: Stays up afterwards, until it is interrupted.
        watch: How long a job runs, in seconds; each is watched to its end. An hour without it, and nobody watches.
        as_json: Prints what was deployed as a JSON object, and nothing else to standard output.

    Raises:
        FileNotFoundError: before anything else, where there is no CDK command line.
    """
    cdk.script()
    with contextlib.ExitStack() as stack:
        with _step("Starting the local AWS"):
            aws = stack.enter_context(LocalAws.start(job_seconds=watch or HOUR))
            foreground.publish(aws)
        with _step("cdk bootstrap"):
            aws.bootstrap()
        with _step("cdk deploy"):
            _deploy(aws, app)
        _show(aws, as_json=as_json)
        if watch:
            _watch(aws, as_json=as_json)
        if keep:
            foreground.stay(aws, as_json=as_json)


def _deploy(aws: LocalAws, app: str) -> None:
    try:
        aws.cdk("deploy", "--all", "--require-approval", "never", app=app)
    except CdkFailed as failed:
        sys.exit(f"\n{failed}\nThe deployment failed. The server's last lines:\n{_last_lines(aws.process.log)}")


def _last_lines(log: str) -> str:
    return "\n".join(log.splitlines()[-LOG_LINES:])


def _show(aws: LocalAws, *, as_json: bool) -> None:
    stacks, jobs = _stacks(aws), _jobs(aws)
    if as_json:
        print(json.dumps({"stacks": stacks, "jobs": jobs}, indent=2), flush=True)
        return
    for stack in stacks:
        _heading(f"Stack {stack['name']}: {stack['status']}")
        _rows(stack["outputs"])
    for job in jobs:
        _heading("Job, as DescribeJob gives it")
        _rows({key: value for key, value in job.items() if key != "JobConfigDocument"})
        _heading("JobConfigDocument, as submitted")
        print(json.dumps(job["JobConfigDocument"], indent=2), flush=True)


def _stacks(aws: LocalAws) -> list[dict[str, Any]]:
    found = aws.client("cloudformation").describe_stacks()["Stacks"]
    return [
        {"name": stack["StackName"], "status": stack["StackStatus"], "outputs": aws.outputs(stack["StackName"])}
        for stack in found
        if stack["StackName"] != "CDKToolkit"
    ]


def _jobs(aws: LocalAws) -> list[dict[str, Any]]:
    """Each job that was submitted, as DescribeJob gives it, with the document as it was submitted."""
    sagemaker, found = aws.client("sagemaker"), []
    for name, request in submitted(aws).items():
        job = sagemaker.describe_job(JobName=name, JobCategory=request["JobCategory"])
        shown = {key: job[key] for key in ("JobName", "JobArn", "JobStatus", "SecondaryStatus", "RoleArn")}
        found.append({**shown, "JobConfigDocument": json.loads(request["JobConfigDocument"])})
    return found


def submitted(aws: LocalAws) -> dict[str, dict[str, Any]]:
    """The requests of the jobs that were made, by their names; those of a queue that were refused are none."""
    return {call["request"]["JobName"]: call["request"] for call in aws.calls("CreateJob") if call["done"]}


def _watch(aws: LocalAws, *, as_json: bool) -> None:
    """By the command line itself, which is another package; Ctrl-C ends the watching alone."""
    output = sys.stderr if as_json else sys.stdout
    with contextlib.suppress(KeyboardInterrupt):
        for name in submitted(aws):
            print(f"\n$ agent-rft watch {name} --local", file=output, flush=True)
            command = [sys.executable, "-m", "agent_rft_cli", "watch", name, "--interval", "1"]
            subprocess.run(command, env=aws.environment, stdout=output, check=False)


@contextlib.contextmanager
def _step(what: str) -> Iterator[None]:
    print(f"{what} ... ", end="", file=sys.stderr, flush=True)
    begun = time.monotonic()
    yield
    print(f"{time.monotonic() - begun:.1f} s", file=sys.stderr, flush=True)


def _heading(text: str) -> None:
    print(f"\n{text}")


def _rows(rows: dict[str, Any]) -> None:
    width = max(map(len, rows), default=0)
    for key, value in rows.items():
        print(f"  {key:<{width}}  {value}")
