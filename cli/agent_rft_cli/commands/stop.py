"""``agent-rft stop``: stops a job, after asking."""

import argparse

from botocore.exceptions import ClientError

from agent_rft_cli import which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.job import Job
from agent_rft_cli.listing import Record
from agent_rft_cli.question import says_yes

SUMMARY = "stops a job, after asking"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument("--yes", action="store_true", help="without asking")


def run(options: argparse.Namespace, clients: Clients) -> Record:
    """Stops the job; one that has ended is left as it is."""
    found = which_job.find(options, clients, "StopJob")
    job = found.job
    if job.is_over:
        return _record(job, f"The job {job.name} is {job.status} already.", stopped=False)
    if not options.yes and not says_yes(f"Stop the {job.category} job {job.name}, which is {job.status}?"):
        raise Failure(f"The job {job.name} is left alone. To stop it without being asked: --yes")
    try:
        found.sagemaker.stop_job(JobName=job.name, JobCategory=job.category)
    except ClientError:
        ended = found.again()
        if not ended.is_over:  # else it has ended in between
            raise
        return _record(ended, f"The job {job.name} is {ended.status} already.", stopped=False)
    said = f"The job {job.name} is asked to stop. To see it end: agent-rft watch {job.name}"
    return _record(found.again(), said, stopped=True)


def _record(job: Job, said: str, *, stopped: bool) -> Record:
    return Record({"name": job.name, "arn": job.arn, "status": job.status, "stopped": stopped}, [said])
