"""``agent-rft open``: where a browser shows a job."""

import argparse
import webbrowser
from typing import Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_cli import which_job
from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure, sentence
from agent_rft_cli.job import Job
from agent_rft_cli.listing import Record
from agent_rft_handler import facts

SUMMARY = "the pages that show a job: its log in the console, its run in MLflow"

CONSOLES = {
    "aws": "console.aws.amazon.com",
    "aws-us-gov": "console.amazonaws-us-gov.com",
    "aws-cn": "console.amazonaws.cn",
}
"""By partition [AWS Management Console: "Service endpoints"]."""

PAGES = ("log", "mlflow", "studio")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    which_job.add_options(parser)
    parser.add_argument("--studio-domain", metavar="ID", help="also the page in this Studio domain, such as d-abc123")
    parser.add_argument("--browser", choices=PAGES, metavar="PAGE", help=f"opens one of {', '.join(PAGES)}")


def run(options: argparse.Namespace, clients: Clients) -> Record:
    """Makes the links; the one to MLflow lets in whoever has it, for some minutes."""
    job = which_job.find(options, clients).job
    links: dict[str, str | None] = {"log": _log(job), "mlflow": None, "studio": None}
    notes = []
    if options.studio_domain:
        links["studio"] = _studio(job, options.studio_domain)
    try:
        links["mlflow"] = _mlflow(job, clients)
    except (Failure, ClientError, BotoCoreError) as error:
        notes.append(f"No link to MLflow: {sentence(error)}")
    if options.browser:
        _open(links[options.browser], options.browser, notes)
    there = {page: url for page, url in links.items() if url}
    width = max(map(len, there))
    lines = [*(f"{page:<{width}}  {url}" for page, url in there.items()), *notes]
    return Record({**links, "note": " ".join(notes) or None}, lines)


def _log(job: Job) -> str:
    """The log group in the console, as the SDK links it: of the jobs themselves the console has no known page."""
    partition, region = job.arn.split(":")[1], facts.region_of(job.arn)
    if partition not in CONSOLES or job.category not in facts.CATEGORIES:
        raise Failure(f"Where the console shows {job.arn} is not known.")
    group = facts.CATEGORIES[job.category].log_group_name.replace("/", "$252F")
    console = f"https://{region}.{CONSOLES[partition]}/cloudwatch/home?region={region}"
    return f"{console}#logsV2:log-groups/log-group/{group}$3FlogStreamNameFilter$3D{job.name}"


def _studio(job: Job, domain: str) -> str:
    """[sagemaker-train 1.27.0: job_wait, metrics_visualizer _get_studio_base_url]."""
    return f"https://studio-{domain}.studio.{facts.region_of(job.arn)}.sagemaker.aws/jobs/{job.name}"


def _mlflow(job: Job, clients: Clients) -> str:
    """The app's page of the run, or its first page before there is one [sagemaker-train 1.27.0: mlflow_url_utils]."""
    if not job.mlflow_app:
        raise Failure("the job names no MLflow app.")
    sagemaker: Any = clients.client("sagemaker", "CreatePresignedMlflowAppUrl")
    url = urlsplit(str(sagemaker.create_presigned_mlflow_app_url(Arn=job.mlflow_app)["AuthorizedUrl"]))
    experiment, run = (job.mlflow_details.get(name) for name in ("ExperimentId", "RunId"))
    if not experiment:
        return url.geturl()
    place = f"/experiments/{quote(str(experiment))}" + (f"/runs/{quote(str(run))}" if run else "")
    return url._replace(fragment=f"{place}?workspace=default").geturl()


def _open(url: str | None, page: str, notes: list[str]) -> None:
    if not url:
        raise Failure(notes[0] if page == "mlflow" else "--browser studio goes with --studio-domain.")
    if not webbrowser.open(url):
        notes.append("No browser could be opened.")
