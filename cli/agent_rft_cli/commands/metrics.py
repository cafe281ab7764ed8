"""``agent-rft metrics``: what a job has logged to MLflow, step by step."""

import argparse
import csv
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from agent_rft_cli import chart, figure, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.job import Job
from agent_rft_cli.listing import Record, Row, table
from agent_rft_cli.options import positive
from agent_rft_cli.terminal import Terminal
from agent_rft_cli.text import number, printable
from agent_rft_handler.mlflow import REWARD, MlflowRun, Point

SUMMARY = "what a job has logged to MLflow at each step, and the reward as a curve"
CURVE_HEIGHT, CURVE_WIDTH = 12, 72

SDK_METRICS = (REWARD, "rollout/turns/mean", "training/total_tokens", "training/num_trajectories")
"""What the SDK shows of each step [sagemaker-train 1.27.0: job_wait MTRL_METRIC_KEYS]."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="a metric's name; the first is drawn (default: the reward and the other three that the SDK shows)",
    )
    which.add_argument("--all", action="store_true", help="every metric that there is")
    parser.add_argument("--last", type=positive, metavar="N", help="only the last steps in the table")
    parser.add_argument("--csv", metavar="FILE", help="also the whole table as CSV; - for standard output, alone")
    parser.add_argument("--png", metavar="FILE", help="also the curve as an image; needs the extra plot")


@dataclass(frozen=True)
class Metrics:
    """The values of some metrics, by step.

    Args:
        job: Whose they are.
        histories: The values of each metric; the first is the one that is drawn.
    """

    job: Job
    histories: dict[str, list[Point]]

    @property
    def drawn(self) -> tuple[str, list[Point]]:
        """The first metric that has values, and those that are numbers; without a name where none has."""
        finite = {
            name: [point for point in points if math.isfinite(point.value)] for name, points in self.histories.items()
        }
        return next(((name, points) for name, points in finite.items() if points), ("", []))

    @property
    def rows(self) -> list[Row]:
        """For each step, the values by the metrics' names."""
        steps = sorted({point.step for points in self.histories.values() for point in points})
        by_step = {name: {point.step: point.value for point in points} for name, points in self.histories.items()}
        return [{"step": step, **{name: values.get(step) for name, values in by_step.items()}} for step in steps]


def run(options: argparse.Namespace, clients: Clients) -> Record | None:
    """Reads the metrics; None where standard output has them as CSV already."""
    job = which_job.find(options, clients).job
    found = MlflowRun.of(job.described, clients.mlflow)
    metrics = Metrics(job, {name: found.history(name) for name in _names(options, found)} if found else {})
    if options.png:
        _draw(options.png, metrics)
    if options.csv:
        _write_csv(options.csv, metrics)
    if options.csv == "-":
        return None
    return Record(_json(metrics), list(_lines(metrics, options.last, Terminal.of_stdout())))


def _draw(path: str, metrics: Metrics) -> None:
    name, points = metrics.drawn
    if not points:
        raise Failure(f"The job {metrics.job.name} has logged nothing yet that could be drawn.")
    figure.write(path, metrics.job.name, name, points)


def _names(options: argparse.Namespace, found: MlflowRun) -> Sequence[str]:
    every = found.metrics() if options.all else options.metric or SDK_METRICS
    return sorted(every, key=lambda name: name != REWARD) if options.all else every


def _json(metrics: Metrics) -> Row:
    return {
        "job": metrics.job.name,
        "steps": metrics.rows,
        "evaluation_metrics": metrics.job.output.get("EvaluationMetrics"),
    }


def _lines(metrics: Metrics, last: int | None, terminal: Terminal) -> Iterator[str]:
    evaluated = metrics.job.output.get("EvaluationMetrics") or {}
    yield from (f"{printable(name)}  {number(value)}" for name, value in evaluated.items())
    rows = metrics.rows
    if not rows:
        if not evaluated:
            yield _nothing(metrics)
        return
    yield from _table(rows[-last:] if last else rows, terminal.width)
    name, points = metrics.drawn
    if not points:
        return
    yield from ("", printable(name))
    width = min(CURVE_WIDTH, terminal.width or CURVE_WIDTH)
    yield from chart.curve(points, width, CURVE_HEIGHT, is_unicode=terminal.is_unicode)


def _nothing(metrics: Metrics) -> str:
    asked = [name for name in metrics.histories if name not in SDK_METRICS]
    what = f"metric {' or '.join(map(printable, asked))}" if asked else "metrics"
    advice = " --all shows every one that there is." if asked else ""
    return f"The job {metrics.job.name} has logged no {what}{'' if metrics.job.is_over else ' yet'}.{advice}"


def _table(rows: Sequence[Row], width: int | None) -> list[str]:
    """The table, or as many of its columns as fit."""
    columns = list(rows[0])
    short = [{_short(name): value for name, value in row.items()} for row in rows]
    for shown in range(len(columns), 1, -1):
        lines = table(short, [_short(name) for name in columns[:shown]]).splitlines()
        if not width or max(map(len, lines)) <= width:
            break
    left_out = columns[shown:]
    return [*lines, f"({len(left_out)} more: --csv, --json)"] if left_out else lines


def _short(name: str) -> str:
    """The last two parts of a metric's name, as the SDK's table has it."""
    return "/".join(name.split("/")[-2:])


def _write_csv(path: str, metrics: Metrics) -> None:
    if path == "-":
        _csv_to(sys.stdout, metrics)
        return
    with open(path, "w", encoding="utf-8", newline="") as file:
        _csv_to(file, metrics)


def _csv_to(file: IO[str], metrics: Metrics) -> None:
    writer = csv.DictWriter(file, ["step", *metrics.histories], lineterminator="\n")
    writer.writeheader()
    writer.writerows(metrics.rows)
