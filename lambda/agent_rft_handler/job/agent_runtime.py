"""The agent: a Lambda ARN as it is, an AgentCore ARN and its qualifier, or a bare runtime id looked up."""

from agent_rft_handler import facts
from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import AWS_ERRORS, explained


def resolve(agent_env: str, qualifier: str, clients: Clients) -> tuple[str, str]:
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
