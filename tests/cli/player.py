"""A local AWS in which the command line's clock is turned: a job of two hours is over in no time."""

import contextlib
import datetime
import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from aws_cdk import App
from botocore.credentials import Credentials
from deploy import apps, queues
from deployment import Deployment
from local.roles import allow, credentials

from agent_rft_cli import clock
from agent_rft_cli.__main__ import main
from agent_rft_cli.aws import Aws
from agent_rft_local import LocalAws
from agent_rft_local.local_aws import REGION

HOUR = datetime.timedelta(hours=1)
TOMORROW = datetime.datetime.now(datetime.UTC) + 24 * HOUR
DEPLOYED = TOMORROW.replace(hour=18, minute=0, second=0, microsecond=0)
"""When the stack Wordle was: not before IAM's clock, which nobody turns."""

EARLIER = DEPLOYED - HOUR
"""When the stack Earlier was, which left its job behind."""

JOB_SECONDS, WHILE_BOTH_RUN, AFTERWARDS = 7200.0, DEPLOYED + 2 / 3 * HOUR, DEPLOYED + 3 * HOUR
SWEEP_DEPLOYED = DEPLOYED + 2 * HOUR
SWEEPING = SWEEP_DEPLOYED + 8 / 3 * HOUR
"""The sweep's first job has ended, its second is under way."""

READER = "command-line"


@dataclass
class Player:
    """A local AWS with two jobs, a runtime and, once it is asked for, a sweep.

    Args:
        aws: It.
        key: That of a role that may do everything: of what root does, IAM keeps no record.
        time: What time it is for SageMaker and for the commands.
    """

    aws: LocalAws
    key: Credentials
    time: datetime.datetime = EARLIER

    @classmethod
    @contextlib.contextmanager
    def started(cls) -> "Iterator[Player]":
        """Starts the local AWS, deploys, and takes the command line's clock."""
        with LocalAws.start(job_seconds=JOB_SECONDS, running_jobs=2) as aws:
            aws.bootstrap()
            keys = credentials(aws, READER, allow("*"))
            player = cls(aws, Credentials(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"]))
            player.turn_to(EARLIER)
            _runtime(aws)
            _deployed(aws, "Earlier", apps.changing, retain="1").delete()
            player.turn_to(DEPLOYED)
            _deployed(aws, "Wordle", apps.changing)
            with _clock_of(player):
                yield player

    def turn_to(self, time: datetime.datetime) -> None:
        """Makes it another time, later or earlier."""
        self.time = time
        self.aws.set(time=time.timestamp())

    def sweep(self) -> None:
        """Deploys the stack Sweep, and lets its second job begin and get on."""
        self.turn_to(SWEEP_DEPLOYED)
        self.aws.set(wait_scale=0.01)
        deployment = _deployed(self.aws, "Sweep", queues.sweep)
        queues.until(lambda: queues.statuses(deployment) == {"v1": "InProgress", "v2": "", "v3": ""})
        self.turn_to(SWEEP_DEPLOYED + 2 * HOUR)
        queues.until(lambda: queues.statuses(deployment) == {"v1": "Completed", "v2": "InProgress", "v3": ""})
        self.aws.set(wait_scale=1)
        self.turn_to(SWEEPING)

    def sleep(self, seconds: float) -> None:
        """Whoever waits turns the clock."""
        self.turn_to(self.time + datetime.timedelta(seconds=seconds))

    def run(self, *arguments: str, signed_in: bool = True) -> str:
        """What a command prints, also on stderr; whoever it asks says yes."""
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output if not signed_in else io.StringIO()),
            _answering("y\n"),
            _without_settings(),
        ):
            main(arguments, self._connect if signed_in else Aws)
        output.seek(0)
        return output.read()

    def used(self) -> set[str]:
        """The actions that the commands have used since the last question."""
        found = {row["action"] for row in self.aws.iam_log() if f"/{READER}/" in row["principal"]}
        self.aws.forget()
        return found

    def _connect(self, _profile: str | None, region: str | None) -> Aws:
        return Aws(None, region or REGION, self.aws.endpoint, self.key)


def _deployed(aws: LocalAws, stack: str, declare: Callable[[App], None], **context: str) -> Deployment:
    deployment = Deployment(aws, stack, declare)
    assert deployment.deploy(**context) == "CREATE_COMPLETE", deployment.reasons()
    return deployment


def _runtime(aws: LocalAws) -> None:
    control = aws.client("bedrock-agentcore-control")
    made = control.create_agent_runtime(
        agentRuntimeName="wordle",
        agentRuntimeArtifact={"containerConfiguration": {"containerUri": "public.ecr.aws/a/b:1"}},
        roleArn="arn:aws:iam::000000000000:role/agent",
        networkConfiguration={"networkMode": "PUBLIC"},
    )
    control.create_agent_runtime_endpoint(agentRuntimeId=made["agentRuntimeId"], name="PROD")


@contextlib.contextmanager
def _clock_of(player: Player) -> Iterator[None]:
    now, sleep = clock.now, clock.sleep
    clock.now, clock.sleep = lambda: player.time, player.sleep
    try:
        yield
    finally:
        clock.now, clock.sleep = now, sleep


@contextlib.contextmanager
def _answering(line: str) -> Iterator[None]:
    stdin = sys.stdin
    sys.stdin = io.StringIO(line)
    try:
        yield
    finally:
        sys.stdin = stdin


@contextlib.contextmanager
def _without_settings() -> Iterator[None]:
    """A shell in which nothing of AWS is set."""
    before = dict(os.environ)
    nowhere = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
    for name in [name for name in before if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update({**nowhere, "AWS_EC2_METADATA_DISABLED": "true"})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
