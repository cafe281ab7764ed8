"""What a declaration says by name, or leaves out, as the account has it: the groups, the agent and the MLflow app."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients, listed
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import AWS_ERRORS, Refused, explained
from agent_rft_handler.owner import Owner

READY = ("Created", "Updated")
"""Statuses of an MLflow app to which a job can log."""


def with_group_arns(declaration: Declaration, owner: Owner) -> Declaration:
    """The declaration with its groups by ARN; nothing is asked for."""

    def arn(group: str) -> str:
        return owner.arn(f"model-package-group/{group}") if facts.MODEL_PACKAGE_GROUP_NAME.accepts(group) else group

    return replace(
        declaration,
        output_model_package_group=arn(declaration.output_model_package_group),
        intermediate_checkpoint_model_package_group=arn(declaration.intermediate_checkpoint_model_package_group),
    )


def resolved(declaration: Declaration, clients: Clients) -> Declaration:
    """The declaration with the agent and the MLflow app by ARN, and the qualifier that the agent is called by."""
    agent, qualifier = _agent(declaration.agent_env, declaration.bedrock_agentcore_qualifier, clients)
    app = declaration.mlflow_app or _mlflow_app(clients)
    return replace(declaration, agent_env=agent, bedrock_agentcore_qualifier=qualifier, mlflow_app=app)


def _agent(agent_env: str, qualifier: str, clients: Clients) -> tuple[str, str]:
    """The agent's ARN without an endpoint, and the qualifier (empty for a Lambda function)."""
    if facts.LAMBDA_ARN.accepts(agent_env):
        return agent_env, ""
    if facts.AGENT_RUNTIME_ID.accepts(agent_env):
        return _runtime_arn(agent_env, clients), qualifier
    return agent_env.partition("/runtime-endpoint/")[0], facts.endpoint_of(agent_env) or qualifier


def _runtime_arn(runtime_id: str, clients: Clients) -> str:
    try:
        return str(clients.agentcore.get_agent_runtime(agentRuntimeId=runtime_id)["agentRuntimeArn"])
    except AWS_ERRORS as error:
        raise explained(error, f"Looking the AgentCore runtime {runtime_id} up in this region") from error


def _mlflow_app(clients: Clients) -> str:
    """The account's default app, else the first that is ready and new enough: the service refuses a job without one.

    Source: sagemaker-train 1.27.0, ``_resolve_mlflow_resource_arn``, by the API's filters (summaries hold no defaults).
    """
    seen: dict[str, str] = {}
    for filters in ({"AccountDefaultStatus": "ENABLED"}, {}):
        for app in _mlflow_apps(clients, filters):
            if app.get("Status") in READY and _version(app) >= facts.MLFLOW_MINIMUM_VERSION:
                return str(app["Arn"])
            seen[app["Arn"]] = f"{app['Arn']} ({app.get('Status')}, {app.get('MlflowVersion')})"
    least = ".".join(map(str, facts.MLFLOW_MINIMUM_VERSION))
    raise Refused(
        f"A job logs to an MLflow app of version {least} or later, but this account and region has no ready one; seen: "
        f"{', '.join(seen.values()) or 'none'}. Declare one in the stack with mlflow_app=MlflowApp(self, 'Mlflow'), or "
        "give the ARN of one."
    )


def _mlflow_apps(clients: Clients, filters: Mapping[str, str]) -> list[dict[str, Any]]:
    try:
        return list(listed(clients.sagemaker.list_mlflow_apps, "Summaries", **filters))
    except AWS_ERRORS as error:
        raise explained(error, "Listing the account's MLflow apps") from error


def _version(app: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(part) for part in str(app.get("MlflowVersion") or "0").split(".") if part.isdigit())
