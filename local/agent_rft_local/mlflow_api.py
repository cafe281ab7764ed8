"""MLflow's own REST API, as far as reading a run goes: what an app answers about the jobs that log to it.

Where it is and how it is signed is sagemaker-mlflow 0.5.0's: the app in a header, SigV4 for ``sagemaker``.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from agent_rft_local import store
from agent_rft_local.job_run import Run
from agent_rft_local.store import Row

PATH = "/api/2.0/mlflow/"
APP_HEADER = "x-sm-mlflow-app-arn"
PAGE = 1000
"""How many values one answer holds, unless max_results says less."""

Query = dict[str, str]


class Unknown(Exception):
    """MLflow's RESOURCE_DOES_NOT_EXIST."""


def action(path: str) -> str:
    """The IAM action of an operation; empty where the operation is not here."""
    return {"metrics/get-history": "sagemaker-mlflow:GetMetricHistory", "runs/get": "sagemaker-mlflow:GetRun"}.get(
        path.removeprefix(PATH), ""
    )


def answer(path: str, app_arn: str, query: Query) -> tuple[int, bytes]:
    """Status and body of a read."""
    operations: dict[str, Callable[[Run, Query], Row]] = {"metrics/get-history": _history, "runs/get": _run}
    try:
        found = operations[path.removeprefix(PATH)](_of(app_arn, query.get("run_id", "")), query)
    except Unknown as unknown:
        return 404, json.dumps({"error_code": "RESOURCE_DOES_NOT_EXIST", "message": str(unknown)}).encode()
    return 200, json.dumps(found).encode()


def _of(app_arn: str, run_id: str) -> Run:
    if app_arn not in store.apps:
        raise Unknown(f"No MLflow app {app_arn}")
    for run in (Run(job, store.now()) for job in store.jobs.values()):
        details = run.service_output().get("MlflowDetails", {})
        if run.mlflow_app == app_arn and details.get("RunId") == run_id:
            return run
    raise Unknown(f"Run '{run_id}' not found")


def _history(run: Run, query: Query) -> Row:
    values = list(_values(run, query.get("metric_key", "")))
    start, size = int(query.get("page_token") or 0), int(query.get("max_results") or PAGE)
    more = {"next_page_token": str(start + size)} if start + size < len(values) else {}
    return {"metrics": values[start : start + size], **more}


def _run(run: Run, _query: Query) -> Row:
    names = dict.fromkeys(name for _, _, values in run.metrics() for name in values)
    latest = [list(_values(run, name))[-1] for name in names]
    details = run.service_output()["MlflowDetails"]
    info = {"run_id": details["RunId"], "experiment_id": details["ExperimentId"], "run_name": details["RunName"]}
    return {"run": {"info": info, "data": {"metrics": latest}}}


def _values(run: Run, name: str) -> Iterator[dict[str, Any]]:
    for step, when, values in run.metrics():
        if name in values:
            yield {"key": name, "value": values[name], "timestamp": int(when * 1000), "step": step}
