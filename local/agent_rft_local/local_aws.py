"""A running local AWS, as a test or a script holds it."""

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import cdk, environment, isolated_session, server_process, service_run
from agent_rft_local.cdk import CdkFailed, node
from agent_rft_local.environment import ACCOUNT, REGION
from agent_rft_local.server_process import ServerProcess
from agent_rft_local.service_run import Need
from agent_rft_local.signed_post import signed_post
from agent_rft_local.start_key import StartKey

__all__ = ["ACCOUNT", "REGION", "CdkFailed", "LocalAws", "node"]


@dataclass(frozen=True)
class LocalAws:
    """The local AWS of one process: its endpoint, clients for it, and what it recorded.

    Nothing of it leads out: it listens on the loopback interface, answers only what is signed with its key, and
    reads none of the user's AWS and CDK settings. Its files lie in one folder, which goes when it ends.

    Example::

        with LocalAws.start() as aws:
            aws.bootstrap()
            aws.cdk("deploy", app="python3 app.py")
            aws.client("sagemaker").list_jobs(JobCategory="AgentRFT")
    """

    process: ServerProcess = field(repr=False)
    key: StartKey = field(repr=False)

    @classmethod
    @contextlib.contextmanager
    def start(cls, *, port: int = 0, job_seconds: float = 3600, running_jobs: int = 1) -> Iterator["LocalAws"]:
        """Starts a server that ends with the block, or with this process.

        Args:
            port: The port on the loopback interface; without it, a free one.
            job_seconds: How long a job runs, in seconds.
            running_jobs: The quota of jobs that run at a time.

        Raises:
            OSError: when the port is taken.
        """
        settings = {
            "AGENT_RFT_LOCAL_JOB_SECONDS": str(job_seconds),
            "AGENT_RFT_LOCAL_RUNNING_JOBS": str(running_jobs),
        }
        key = StartKey.make()
        with server_process.started(key, port=port, settings=settings) as process:
            aws = cls(process, key)
            aws._wait_until_ready()
            yield aws

    @property
    def endpoint(self) -> str:
        """Its address, such as ``http://127.0.0.1:4566``."""
        return self.process.endpoint

    @property
    def directory(self) -> Path:
        """The folder of its files: log, objects, home and temporary files, CDK's output."""
        return self.process.directory

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which an AWS client, or the CDK, talks to this server and to nothing else."""
        return environment.for_clients(self.directory, self.endpoint, self.key)

    def client(self, service: str, region: str = REGION, **config: Any) -> Any:
        """A boto3 client with root's keys.

        Args:
            service: Such as ``"sagemaker"``.
            region: Such as ``"us-west-2"``.
            config: Further arguments of botocore's Config, such as ``retries``.
        """
        return isolated_session.client(service, region, self.endpoint, self.key, **config)

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
        return cdk.run(
            [
                *arguments,
                *("--output", str(self.directory / "cdk.out"), "--no-color"),
                *(("--app", app) if app else ()),
                *(part for key, value in (context or {}).items() for part in ("--context", f"{key}={value}")),
            ],
            environment=self.environment,
            process_group=self.process.process_group,
            cwd=cwd,
        )

    def bootstrap(self) -> None:
        """`cdk bootstrap` of the local account and region.

        The policy is CDK's own default, which ministack loses: to it, the list that the parameter's default stands
        for has one empty element.
        """
        policy = "arn:aws:iam::aws:policy/AdministratorAccess"
        arguments = (f"aws://{ACCOUNT}/{REGION}", "--cloudformation-execution-policies", policy)
        self.cdk("bootstrap", *arguments, cwd=self.directory)

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

    def struck(self) -> dict[str, int]:
        """How often the faults that were set have struck, by operation."""
        struck: Counter[str] = Counter()
        for fault in self._ask("behaviour")["faults"]:
            struck[fault["operation"]] += fault.get("struck", 0)
        return dict(struck)

    def seed_hub_content(self, hub: str, name: str, document: Mapping[str, object], **more: str) -> dict[str, Any]:
        """Puts a model into a private hub of the local account."""
        content = {"hub": hub, "name": name, "document": document, "account": ACCOUNT, "region": REGION, **more}
        return dict(self._ask("hub", content))

    def seed_model_package(self, **package: object) -> None:
        """Puts a model package into the local account: a completed one of the group that its ARN names.

        Args:
            package: Members of DescribeModelPackage's answer; ``ModelPackageArn`` at least.
        """
        self._ask("package", {"account": ACCOUNT, "region": REGION, **package})

    def run_service(self, job_name: str, category: str = AGENT_RFT.name) -> list[Need]:
        """Does as the job's execution role what the service does while the job runs; what IAM denies."""
        job = self.client("sagemaker").describe_job(JobName=job_name, JobCategory=category)
        keys = self._ask("session", {"account": ACCOUNT, "region": REGION, "role_arn": job["RoleArn"]})
        return service_run.run(
            self.endpoint, keys, service_run.needs(json.loads(job["JobConfigDocument"]), job["JobArn"])
        )

    def forget(self) -> None:
        """Forgets calls, decisions and deliveries, and keeps the resources."""
        self._ask("forget")

    def settle(self) -> None:
        """Stops every job, takes back what was changed of the behaviour, and forgets as `forget` does.

        Stacks, buckets, groups and all else that was made stay.
        """
        self._ask("settle")

    def reset(self) -> None:
        """Forgets everything; the public hub is there again afterwards."""
        signed_post(self.endpoint, self.key.credentials, "/_ministack/reset")
        self.forget()
        self._ask("ready")

    def _ask(self, what: str, given: object = None) -> Any:
        body = b"" if given is None else json.dumps(given).encode()
        return json.loads(signed_post(self.endpoint, self.key.credentials, f"/_agent_rft/{what}", body))

    def _wait_until_ready(self) -> None:
        """The socket listens before the server does: the request waits there, and fails when the server ends."""
        try:
            self._ask("ready")
        except OSError as error:
            raise RuntimeError(f"the local AWS does not answer:\n{self.process.log}") from error
