"""The MLflow app: the one given, else the account's default, else the first that is ready and new enough."""

from typing import Any

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained

READY = ("Created", "Updated")


def resolve(given: str, clients: Clients) -> str:
    """The app's ARN; no app at all is an error, as the service refuses a job without one.

    Source: sagemaker-train 1.27.0, ``_resolve_mlflow_resource_arn``, by the API's filters (summaries hold no defaults).
    """
    if given:
        return given
    apps = _apps(clients, AccountDefaultStatus="ENABLED") + _apps(clients)
    for app in apps:
        if app.get("Status") in READY and _version(app) >= facts.MLFLOW_MINIMUM_VERSION:
            return str(app["Arn"])
    least = ".".join(map(str, facts.MLFLOW_MINIMUM_VERSION))
    seen = ", ".join(f"{app['Arn']} ({app.get('Status')}, {app.get('MlflowVersion')})" for app in _once(apps)) or "none"
    raise Refused(
        f"A job logs to an MLflow app of version {least} or later, but this account and region has no ready one; seen: "
        f"{seen}. Declare one in the stack with mlflow_app=MlflowApp(self, 'Mlflow'), or give the ARN of one."
    )


def _apps(clients: Clients, **only: str) -> list[dict[str, Any]]:
    try:
        return list(listed(clients.sagemaker.list_mlflow_apps, "Summaries", **only))
    except AWS_ERRORS as error:
        raise explained(error, "Listing the account's MLflow apps") from error


def _once(apps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({app["Arn"]: app for app in apps}.values())


def _version(app: dict[str, Any]) -> tuple[int, ...]:
    return tuple(int(part) for part in str(app.get("MlflowVersion") or "0").split(".") if part.isdigit())
