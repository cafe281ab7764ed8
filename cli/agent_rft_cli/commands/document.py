"""``agent-rft document``: a job's JobConfigDocument."""

import argparse

from agent_rft_cli import which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.listing import Record, as_json

SUMMARY = "a job's JobConfigDocument: what was submitted, and ServiceOutput"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument("--submitted", action="store_true", help="without ServiceOutput, which the service adds")


def run(options: argparse.Namespace, clients: Clients) -> Record:
    """Reads the document."""
    job = which_job.find(options, clients).job
    if not job.document:
        raise Failure(f"SageMaker gives no document of the job {job.name}.")
    left_out = {"ServiceOutput"} if options.submitted else set()
    document = {name: section for name, section in job.document.items() if name not in left_out}
    return Record(document, as_json(document).splitlines())
