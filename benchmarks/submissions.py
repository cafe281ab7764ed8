"""One submission, ours and the SDK's, to the same local AWS: warm, cold, its memory and its API calls."""

import contextlib
import json
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, cast

from deployment import GATE
from inbox import Inbox
from oracle import recording
from oracle.case import Input
from oracle.synthesis import synthesized, trainer

from agent_rft_handler import contract
from agent_rft_local import LocalAws
from benchmarks import programs
from benchmarks.side_by_side import RUNS, Row, in_turn, ratio

PROGRAM = str(Path(__file__).with_name("submit_process.py"))
SDK = "the SDK's trainer constructed + `train(wait=False)`"
WARM_RUNS = 2 * RUNS + 1


def rows(sdk_python: Path, calls: dict[str, list[str]]) -> Iterator[Row]:
    """Every row about submissions; the API calls of both sides go into ``calls``."""
    with Submissions.prepared(sdk_python, calls) as prepared:
        yield from prepared.rows()


@dataclass(frozen=True)
class Side:
    """One of the two programs, and the line that makes it submit a job of its own."""

    command: list[str]
    environment: Mapping[str, str]
    line: Callable[[], dict[str, Any]]

    def cold(self) -> float:
        """Seconds from the process's start to the answer."""
        begun = time.perf_counter()
        with self.running() as submit:
            submit()
            return time.perf_counter() - begun

    def cold_peak(self) -> float:
        """The memory that a first submission needs, in MiB."""
        with self.running() as submit:
            return float(submit()["peak"]) / 1024

    @contextlib.contextmanager
    def running(self) -> Iterator[Callable[[], dict[str, Any]]]:
        """The program; each call submits a job."""
        with subprocess.Popen(
            self.command,
            env=dict(self.environment),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:

            def submit() -> dict[str, Any]:
                to_it, from_it, log = (cast(IO[str], each) for each in (process.stdin, process.stdout, process.stderr))
                to_it.write(json.dumps(self.line()) + "\n")
                to_it.flush()
                answer = from_it.readline()
                if not answer:
                    raise RuntimeError(f"{self.command} ended:\n{log.read()}")
                return dict(json.loads(answer))

            try:
                yield submit
            finally:
                process.kill()


@dataclass
class Submissions:
    """The account in which both sides submit, and both sides."""

    aws: LocalAws
    ours: Side
    sdk: Side
    inbox: Inbox
    calls: dict[str, list[str]]

    @classmethod
    @contextlib.contextmanager
    def prepared(cls, sdk_python: Path, calls: dict[str, list[str]]) -> Iterator["Submissions"]:
        """A local AWS with what the plain input of the oracle needs, and a stack that is being created."""
        with tempfile.TemporaryDirectory() as name, LocalAws.start(running_jobs=10_000) as aws, Inbox.opened() as inbox:
            made_up = recording.seed(Input(), aws)
            stack = _stack_in_progress(aws)
            ours = Side(
                programs.python("-P", PROGRAM, "handler", str(programs.ROOT / "lambda")),
                {**aws.environment, contract.STACK_ID_VARIABLE: stack, "PYTHONDONTWRITEBYTECODE": ""},
                lambda: _real(_event(stack, inbox), made_up),
            )
            sdk = Side(
                [str(sdk_python), "-I", PROGRAM, "sdk"],
                {**recording._environment(aws, Path(name)), "PYTHONDONTWRITEBYTECODE": ""},
                lambda: _real({**Input().given, "base_job_name": f"b{uuid.uuid4().hex[:12]}"}, made_up),
            )
            yield cls(aws, ours, sdk, inbox, calls)

    def rows(self) -> Iterator[Row]:
        """Every row about submissions."""
        with self.ours.running() as ours, self.sdk.running() as sdk:
            self.calls |= {"Ours": self._calls(ours), "The SDK's": self._calls(sdk)}
            self._require_jobs()
            warm = in_turn(lambda: ours()["seconds"], lambda: sdk()["seconds"], WARM_RUNS)
        yield ratio("event to answered CloudFormation, warm", SDK, warm[0] * 1000, warm[1] * 1000, 1 / 3, "ms")
        cold = in_turn(self.ours.cold, self.sdk.cold)
        yield ratio("process start to answered CloudFormation, cold", SDK, *cold, 1 / 5, "s")
        memory = in_turn(self.ours.cold_peak, self.sdk.cold_peak)
        yield ratio("peak memory of a cold submission", SDK, *memory, 1 / 3, "MiB")
        calls = (len(self.calls["Ours"]), len(self.calls["The SDK's"]))
        yield ratio("API calls of a submission", SDK, *calls, 0.99, "calls")

    def _calls(self, submit: Callable[[], Any]) -> list[str]:
        """What the second submission of a process asks AWS for."""
        submit()
        return sorted(submit()["calls"])

    def _require_jobs(self) -> None:
        refused = [each for each in self.inbox.answers.values() if each["Status"] != "SUCCESS"]
        if refused:
            raise RuntimeError(f"our side was refused: {refused[0]['Reason']}")


def _stack_in_progress(aws: LocalAws) -> str:
    """A stack that stays CREATE_IN_PROGRESS: the handler asks whether it goes forward."""
    made = aws.client("cloudformation").create_stack(
        StackName="Benchmark", TemplateBody=json.dumps({"Resources": GATE}), Capabilities=["CAPABILITY_NAMED_IAM"]
    )
    return str(made["StackId"])


def _event(stack: str, inbox: Inbox) -> dict[str, Any]:
    """A Create of a resource of its own."""
    return {
        "RequestType": "Create",
        "RequestId": uuid.uuid4().hex,
        "StackId": stack,
        "ResponseURL": inbox.url,
        "ResourceType": contract.JOB_RESOURCE_TYPE,
        "LogicalResourceId": f"Job{uuid.uuid4().hex}",
        "ResourceProperties": _properties(),
    }


@cache
def _properties() -> dict[str, Any]:
    """What CloudFormation hands over for the plain trainer."""
    return cast("dict[str, Any]", synthesized({"plain": trainer(Input())})["plain"][0])


def _real(given: dict[str, Any], made_up: Mapping[str, str]) -> dict[str, Any]:
    """The input with the ids that the account has in place of those that stand for them."""
    text = json.dumps(given)
    for real, stand_in in made_up.items():
        text = text.replace(stand_in, real)
    return dict(json.loads(text))
