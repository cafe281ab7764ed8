"""``agent-rft watch``: a job until it ends."""

import argparse
from dataclasses import dataclass, replace

from agent_rft_cli import follow, rewards, screen, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import sentence
from agent_rft_cli.job import Job
from agent_rft_cli.report import Report
from agent_rft_cli.screen import Screen
from agent_rft_cli.terminal import Terminal

SUMMARY = "a job until it ends; the exit code tells how"

EXIT_CODES = {"Completed": 0, "Failed": 3, "Stopped": 4, "DeleteFailed": 5}
"""By the JobStatus with which the job ends; 1 and 2 are failures of the command itself, 5 is a deleted job's too."""

INTERVAL = 10.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    follow.add_options(parser, INTERVAL)


def run(options: argparse.Namespace, clients: Clients) -> int:
    """Watches the job; the exit code."""
    found = which_job.find(options, clients)
    with (
        follow.left_alone(found.job, "watching"),
        screen.opened(Terminal.of_stdout(), as_json=options.json) as shown,
    ):
        watched = Watched(clients, shown)
        ended = follow.until_it_ends(found, options.interval, show=watched.show, missed=watched.missed, wait=shown.wait)
    return EXIT_CODES[ended.status]


@dataclass
class Watched:
    """What the screen shows from look to look.

    Args:
        clients: Where the rewards are read.
        screen: Where the job is shown.
    """

    clients: Clients
    screen: Screen
    _report: Report | None = None

    def show(self, job: Job) -> None:
        """The job, and its rewards so far."""
        self._report = Report(job, *rewards.so_far(job, self.clients))
        self.screen.show(self._report)

    def missed(self, error: Exception) -> None:
        """The job as it was, and why no more is known of it."""
        if self._report:
            note = f"AWS did not answer; the job is as it was then, and is asked for again. {sentence(error)}"
            self.screen.show(replace(self._report, note=note))
