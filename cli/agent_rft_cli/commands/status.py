"""``agent-rft status``: how a job is now."""

import argparse

from agent_rft_cli import rewards, which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.listing import Record
from agent_rft_cli.report import Report
from agent_rft_cli.terminal import Terminal

SUMMARY = "how a job is: status, progress, tokens billed, reward"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)


def run(options: argparse.Namespace, clients: Clients) -> Record:
    """Reads the job."""
    job = which_job.find(options, clients).job
    report = Report(job, *rewards.so_far(job, clients))
    return Record(report.row(), report.lines(Terminal.of_stdout()))
