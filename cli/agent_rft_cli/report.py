"""A job's state in lines: what `status` prints once, and `watch` again and again."""

import datetime
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_rft_cli import clock
from agent_rft_cli.job import Job, Transition
from agent_rft_cli.terminal import Terminal
from agent_rft_cli.text import bar, cut, duration, number, printable, utc
from agent_rft_handler.mlflow import Point

LABEL = 10
"""The width of what stands before a value."""

TRANSITIONS_SHOWN = 8
"""The last ones; there may be a hundred [botocore: SecondaryStatusTransitions]."""

BAR_WIDTH = 30


@dataclass(frozen=True)
class Report:
    """What is known of a job at one time.

    Args:
        job: As DescribeJob gives it.
        rewards: The mean reward of each step so far.
        note: Why there are no rewards, or what else has to be said.
    """

    job: Job
    rewards: Sequence[Point] = field(default=())
    note: str = ""

    def row(self) -> dict[str, Any]:
        """What JSON holds."""
        last = self.rewards[-1] if self.rewards else None
        reward = {"step": last.step, "mean": last.value} if last else None
        return {**self.job.row(), "reward": reward, "note": self.note or None}

    def summary(self) -> str:
        """On one line, without what changes with the clock alone."""
        job, progress = self.job, self.job.progress
        parts = [job.status if job.status == job.secondary_status else f"{job.status}: {job.secondary_status}"]
        if progress:
            parts += [progress.words(), f"{progress.fraction(is_complete=job.is_complete):.0%}"]
        if self.rewards:
            parts.append(f"reward {number(self.rewards[-1].value)}")
        if job.tokens:
            parts.append(f"tokens billed {number(sum(job.tokens.values()))}")
        return ", ".join(map(printable, parts))

    def lines(self, terminal: Terminal) -> list[str]:
        """For a terminal, or for a file, which has no width."""
        rows = [line for label, value in self._rows(terminal) for line in _row(label, value, terminal.width)]
        return [f"{self.job.name} ({self.job.category})", *rows, "", *_transitions(self.job, terminal.width)]

    def _rows(self, terminal: Terminal) -> Iterator[tuple[str, str]]:
        job = self.job
        yield "Status", job.status if job.status == job.secondary_status else f"{job.status}: {job.secondary_status}"
        if job.failure_reason:
            yield "Reason", job.failure_reason
        yield "Ran" if job.is_over else "Running", duration((job.ended or clock.now()) - job.created)
        yield from self._progress(terminal)
        if rollouts := job.output.get("RolloutInfo"):
            yield "Rollouts", f"{number(rollouts.get('Completed', '-'))} of {number(rollouts.get('Total', '-'))}"
        if job.tokens:
            counts = ", ".join(f"{kind} {number(count)}" for kind, count in job.tokens.items())
            yield "Billed", f"{counts} tokens"
        if self.rewards:
            yield "Reward", f"{number(self.rewards[-1].value)} at step {self.rewards[-1].step}"
        for name, value in (job.output.get("EvaluationMetrics") or {}).items():
            yield "Metric", f"{name} {number(value)}"
        if package := job.output.get("OutputModelPackageArn"):
            yield "Model", package
        if self.note:
            yield "Note", self.note

    def _progress(self, terminal: Terminal) -> Iterator[tuple[str, str]]:
        progress = self.job.progress
        if progress is None:
            return
        fraction = progress.fraction(is_complete=self.job.is_complete)
        width = min(BAR_WIDTH, (terminal.width or 80) - LABEL - len(" 100%"))
        yield "Progress", f"{bar(fraction, width, is_unicode=terminal.is_unicode)} {fraction:.0%}"
        yield "", progress.words()


def _row(label: str, value: str, width: int | None) -> list[str]:
    text = printable(value)
    if not width:
        return [f"{label:<{LABEL}}{text}".rstrip()]
    return textwrap.wrap(text, width, initial_indent=f"{label:<{LABEL}}", subsequent_indent=" " * LABEL) or [label]


def _transitions(job: Job, width: int | None) -> list[str]:
    shown = job.transitions[-TRANSITIONS_SHOWN:]
    earlier = len(job.transitions) - len(shown)
    cells = [("STATUS", "SINCE (UTC)", "FOR", "MESSAGE"), *map(_cells, shown)]
    widths = [max(map(len, column)) for column in list(zip(*cells, strict=True))[:3]]
    lines = [
        f"{status:<{widths[0]}}  {since:<{widths[1]}}  {span:>{widths[2]}}  {message}".rstrip()
        for status, since, span, message in cells
    ]
    lines = [cut(line, width) if width else line for line in lines]
    return [*lines[:1], f"({earlier} earlier ones: --json has them all)", *lines[1:]] if earlier else lines


def _cells(each: Transition) -> tuple[str, str, str, str]:
    span: datetime.timedelta = (each.ended or clock.now()) - each.started
    return printable(each.status), f"{utc(each.started):%m-%d %H:%M:%S}", duration(span), printable(each.message)
