"""A job's run, told by the clock alone: where it stands at a time, what it has put out, and how it ends.

Nothing here changes anything: whoever asks later sees more. The names of ServiceOutput's members are those that the
SDK reads; how fast a job gets on, and its figures, are made up.
"""

import functools
import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import model_hub, store
from agent_rft_local.store import Row

PHASES = (
    ("Starting", 0.0, "Starting the job"),
    ("Downloading", 0.02, "Downloading model and input data"),
    ("Training", 0.05, "Training"),
    ("Uploading", 0.97, "Uploading the model"),
)
"""Secondary statuses, and the share of the job's time at which each begins."""

EVALUATION_PHASES = (PHASES[0], PHASES[1], ("Evaluating", 0.05, "Evaluating"), PHASES[3])

TURNS, TOKENS = 4, {"Train": 900, "Prefill": 5200, "Sample": 1400}
"""Of one rollout."""


@functools.lru_cache(maxsize=1024)
def _read(document: str) -> dict[str, Any]:
    """The document of a job, read once however often the job is looked at."""
    return dict(json.loads(document))


@dataclass(frozen=True)
class Ending:
    """When the job ends, and as what."""

    time: float
    status: str
    secondary: str
    reason: str = ""


@dataclass(frozen=True)
class Run:
    """A job as it is at one time."""

    job: Row
    time: float

    @property
    def status(self) -> str:
        """JobStatus."""
        if self.has_ended:
            return self.ending.status
        return "Stopping" if self._stopped_at <= self.time else "InProgress"

    @property
    def has_ended(self) -> bool:
        return self.time >= self.ending.time

    @cached_property
    def ending(self) -> Ending:
        """The first of what may end it."""
        return min(self._endings(), key=lambda ending: ending.time)

    @cached_property
    def transitions(self) -> list[Row]:
        """SecondaryStatusTransitions so far; each but the last has ended."""
        begun = [row for row in self._plan() if row[1] <= self.time]
        ends = [{"EndTime": start} for _, start, _ in begun[1:]]
        rows = [{"Status": name, "StartTime": start, "StatusMessage": text} for name, start, text in begun]
        if self.has_ended:
            ends.append({"EndTime": self.ending.time})
        return [{**row, **end} for row, end in zip(rows, [*ends, {}], strict=False)]

    @property
    def step(self) -> int:
        """How many steps it has made."""
        begin, end = self._at(PHASES[2][1]), self._at(PHASES[3][1])
        worked = min(self.time, self.ending.time, self._stopped_at) - begin
        share = worked / (end - begin) if end > begin else 1
        return max(0, min(self.steps, math.floor(share * self.steps + 1e-9)))

    @cached_property
    def steps(self) -> int:
        """How many it is to make: the fewer of ``max_steps`` and those of ``max_epochs``."""
        in_epochs = self._parameter("max_epochs", 1) * self.job["StepsPerEpoch"]
        return int(min(self._parameter("max_steps", in_epochs), in_epochs))

    @property
    def current_step(self) -> int:
        """The step that it is at, as CurrentStep counts: the SDK takes it for the one that is not done yet."""
        begun = min(self.time, self.ending.time, self._stopped_at) >= self._at(PHASES[2][1])
        return min(self.step + 1, self.steps) if begun else 0

    def time_of(self, step: int) -> float:
        """When a step is done."""
        begin, end = self._at(PHASES[2][1]), self._at(PHASES[3][1])
        return begin + (end - begin) * step / self.steps

    def service_output(self) -> Row:
        """ServiceOutput of DescribeJob's document."""
        rollouts = {"Total": self.steps * self._rollouts, "Completed": self.step * self._rollouts}
        output: Row = {"RolloutInfo": rollouts}
        if self.time >= self._at(PHASES[2][1]):
            output["MlflowDetails"] = self._mlflow()
        if not self.is_training:
            done = (
                {"EvaluationMetrics": {"reward/mean": self._reward(self.steps)}} if self.status == "Completed" else {}
            )
            return {**output, **done}
        tokens = {f"{name}TokenCount": count * rollouts["Completed"] for name, count in TOKENS.items()}
        return {**output, "ProgressInfo": self._progress(), "BillableTokenUsage": tokens}

    def metrics(self) -> Iterator[tuple[int, float, dict[str, float]]]:
        """What it has logged to MLflow: the step, when, and the values by name."""
        for step in range(1, self.step + 1):
            yield (
                step,
                self.time_of(step),
                {
                    "rollout/reward/mean": self._reward(step),
                    "rollout/turns/mean": float(TURNS),
                    "training/total_tokens": float(TOKENS["Train"] * self._rollouts * step),
                    "training/num_trajectories": float(self._rollouts * step),
                },
            )

    def log_lines(self) -> list[tuple[float, str]]:
        """What it has written to its log, with times."""
        lines = [(start, text) for _, start, text in self._plan() if start <= self.time]
        for step, when, values in self.metrics():
            figures = " ".join(f"{name}={value:g}" for name, value in values.items())
            lines.append((when, f"step {step}/{self.steps} {figures}"))
        return sorted(lines)

    @property
    def mlflow_app(self) -> str:
        """The MLflow app that it logs to; empty where the document names none."""
        return str(self._mlflow_config.get("MlflowResourceArn", ""))

    @property
    def is_training(self) -> bool:
        return bool(self.job["JobCategory"] == AGENT_RFT.name)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The JobConfigDocument as submitted."""
        return _read(self.job["JobConfigDocument"])

    @property
    def _config(self) -> dict[str, Any]:
        return dict(self.document["TrainingConfig" if self.is_training else "EvaluationConfig"])

    @property
    def _stopped_at(self) -> float:
        return float(self.job.get("StoppedAt", math.inf))

    @cached_property
    def _rollouts(self) -> int:
        """Of one step."""
        if not self.is_training:
            return self._parameter("eval_group_size", 1)
        return self._parameter("global_batch_size", 1) * self._parameter("group_size", 1)

    def _at(self, share: float) -> float:
        return float(self.job["Started"] + share * self.job["Seconds"])

    def _endings(self) -> Iterator[Ending]:
        started = self.job["Started"]
        if "StoppedAt" in self.job:
            yield Ending(self._stopped_at + self.job["StopSeconds"], "Stopped", "Stopped")
        if told := store.behaviour.ends.get(self.job["JobName"]):
            yield Ending(started + told["after"], told["status"], told["status"], told.get("reason", ""))
        if limit := self.document.get("StoppingCondition", {}).get("MaxRuntimeInSeconds"):
            yield Ending(started + limit, "Stopped", "MaxRuntimeExceeded")
        outcome = self.job["Outcome"]
        reason = self.job["FailureReason"] if outcome == "Failed" else ""
        yield Ending(started + self.job["Seconds"], outcome, outcome, reason)

    def _plan(self) -> Iterator[tuple[str, float, str]]:
        """Each secondary status that it will have been in."""
        end = min(self.ending.time, self._stopped_at)
        for name, share, text in PHASES if self.is_training else EVALUATION_PHASES:
            if self._at(share) < end or not share:
                yield name, self._at(share), text
        if self._stopped_at < self.ending.time:
            yield "Stopping", self._stopped_at, "Stopping the job"
        yield self.ending.secondary, self.ending.time, self.ending.reason or f"The job is {self.ending.secondary}"

    def _progress(self) -> Row:
        batch = {"BatchSize": self._parameter("global_batch_size", 1)}
        step, of_epoch = self.current_step, self.job["StepsPerEpoch"]
        if "max_steps" in self._config.get("HyperParameters", {}):
            return {"MaxSteps": self.steps, "CurrentStep": step, **batch}
        epoch = max(1, math.ceil(step / of_epoch))
        return {
            "MaxEpoch": math.ceil(self.steps / of_epoch),
            "StepsPerEpoch": of_epoch,
            "CurrentEpoch": epoch,
            "CurrentStep": step - (epoch - 1) * of_epoch,
            **batch,
        }

    def _parameter(self, name: str, default: int) -> int:
        """What the document says, else the recipe."""
        given = self._config.get("HyperParameters", {}).get(name)
        table = model_hub.parameters(self._config["BaseModelArn"])
        return int(float(given if given is not None else table.get(name, {}).get("default", default)))

    def _reward(self, step: int) -> float:
        return round(1 - 0.9 * math.exp(-3 * step / self.steps), 4)

    @property
    def _mlflow_config(self) -> Row:
        return dict((self._config if self.is_training else self.document["OutputDataConfig"]).get("MlflowConfig", {}))

    def _mlflow(self) -> Row:
        config = self._mlflow_config
        experiment = str(config.get("MlflowExperimentName", self.job["JobName"]))
        return {
            "ExperimentName": experiment,
            "RunName": config.get("MlflowRunName", self.job["JobName"]),
            "ExperimentId": str(int(hashlib.sha256(experiment.encode()).hexdigest()[:12], 16)),
            "RunId": hashlib.sha256(self.job["JobArn"].encode()).hexdigest()[:32],
        }
