"""The agent that a job trains: an AgentCore runtime or a Lambda function."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, cast

from constructs import Construct

from agent_rft import permissions, warnings
from agent_rft.arguments.attribute import attribute_at_start
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import known_account, unresolved
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.permissions import Permission, statement
from agent_rft.place import Place
from agent_rft_handler import facts

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_

FUNCTION = "AWS::Lambda::Function"
VERSIONS = ("AWS::Lambda::Version", "AWS::Lambda::Alias")
AGENTCORE = "AWS::BedrockAgentCore::"

GUESS = "the ARN of a runtime or of a function, and the execution role may invoke both"
CHOICES = "AgentEnvironment.from_agent_runtime_arn, from_agent_runtime_id or from_function_arn"


class AgentCoreRuntime(Protocol):
    """A runtime or an endpoint of one: what both have, as CDK gives them no interface in common."""

    @property
    def agent_runtime_arn(self) -> str:
        """The runtime's ARN."""
        ...


class AgentCoreResource(Protocol):
    """The same as L1 resources: ``CfnRuntime`` and ``CfnRuntimeEndpoint``."""

    @property
    def attr_agent_runtime_arn(self) -> str:
        """The runtime's ARN."""
        ...


class LambdaFunction(Protocol):
    """A function, version or alias, without the import that ``IFunction`` takes."""

    @property
    def function_arn(self) -> str:
        """Its ARN."""
        ...


class AgentEnvironment:
    """The agent, and the right of the execution role to send rollouts to it.

    A string means what it means to the SDK: an AgentCore runtime ARN, a runtime id, or a Lambda ARN. The construct of
    a runtime, endpoint, function, version or alias can be given as it is.
    """

    agent_env: str
    """Its ARN, or a runtime's id."""

    qualifier: str
    """The endpoint of a runtime; empty where there is none."""

    def __init__(self, agent_env: str, qualifier: str, invoked: tuple[str, ...], permission: Permission) -> None:
        """Use a ``from_*`` method instead."""
        self.agent_env = agent_env
        self.qualifier = qualifier
        self._invoked = invoked
        self._permission = permission
        self._function: lambda_.IFunction | None = None
        self._is_guessed = False

    @classmethod
    @checked
    def from_agent_runtime(
        cls, runtime: AgentCoreRuntime | AgentCoreResource, qualifier: str = facts.DEFAULT_QUALIFIER
    ) -> "AgentEnvironment":
        """An AgentCore runtime construct, or one of its endpoints.

        Args:
            runtime: An ``IBedrockAgentRuntime``, or a ``RuntimeEndpoint`` (whose name is then the qualifier), or the L1
                of one of them.
            qualifier: The endpoint's name; without it DEFAULT, which follows each new version of the agent. An
                update of the agent under a running job fails the job, so prefer an endpoint of its own.
        """
        if not hasattr(runtime, "attr_agent_runtime_arn"):
            endpoint = getattr(runtime, "endpoint_name", "")
            return cls.from_agent_runtime_arn(runtime.agent_runtime_arn, endpoint or qualifier)
        endpoint = getattr(runtime, "name", "") if hasattr(runtime, "attr_agent_runtime_endpoint_arn") else ""
        return cls.from_agent_runtime_arn(runtime.attr_agent_runtime_arn, endpoint or qualifier)

    @classmethod
    @checked
    def from_agent_runtime_arn(cls, arn: str, qualifier: str = facts.DEFAULT_QUALIFIER) -> "AgentEnvironment":
        """An AgentCore runtime by its ARN.

        Args:
            arn: The runtime's ARN, or an endpoint's (``.../runtime-endpoint/NAME``).
            qualifier: The endpoint's name; empty to leave it to the service.
        """
        runtime = arn.partition("/runtime-endpoint/")[0]
        default = facts.endpoint_of(arn) or qualifier
        chosen = default if qualifier == facts.DEFAULT_QUALIFIER else qualifier
        return cls(arn, chosen, (runtime, f"{runtime}/*"), permissions.INVOKE_RUNTIME)

    @classmethod
    @checked
    def from_agent_runtime_id(cls, runtime_id: str, qualifier: str = facts.DEFAULT_QUALIFIER) -> "AgentEnvironment":
        """An AgentCore runtime of the stack's own account and region by its bare id, looked up at deploy.

        Args:
            runtime_id: Such as ``my-AbCdEfGhIj``.
            qualifier: The endpoint's name; empty to leave it to the service.
        """
        return cls(runtime_id, qualifier, (), permissions.INVOKE_RUNTIME)

    @classmethod
    @checked
    def from_function(cls, function: "lambda_.IFunction") -> "AgentEnvironment":
        """A Lambda function, version or alias; the document keeps the version or alias.

        Args:
            function: The function; a change of its code alone does not submit a new job, ``current_version`` does.
        """
        arn = function.function_arn
        agent = cls._at_version(arn) if hasattr(function, "version") else cls.from_function_arn(arn)
        agent._function = function
        return agent

    @classmethod
    @checked
    def from_function_arn(cls, arn: str) -> "AgentEnvironment":
        """A Lambda function by its ARN.

        Args:
            arn: With ``:VERSION`` or ``:ALIAS`` or without.
        """
        if not unresolved(arn) and arn.count(":") > 6:
            return cls._at_version(arn)
        return cls(arn, "", (arn, f"{arn}:*"), permissions.INVOKE_FUNCTION)

    @classmethod
    def _at_version(cls, arn: str) -> "AgentEnvironment":
        """A version or an alias, and no other."""
        return cls(arn, "", (arn,), permissions.INVOKE_FUNCTION)

    @classmethod
    def of(cls, agent_env: "Agent", qualifier: str | None) -> "AgentEnvironment":
        """The agent itself, or the one that a string or a construct names."""
        if isinstance(agent_env, AgentEnvironment):
            return agent_env
        chosen = facts.DEFAULT_QUALIFIER if qualifier is None else qualifier
        if not isinstance(agent_env, str):
            if hasattr(agent_env, "function_arn"):
                return cls.from_function(cast("lambda_.IFunction", agent_env))
            return cls.from_agent_runtime(agent_env, chosen)
        if ":lambda:" in agent_env:
            return cls.from_function_arn(agent_env)
        if agent_env.startswith("arn:"):
            return cls.from_agent_runtime_arn(agent_env, chosen)
        if unresolved(agent_env):
            return cls._of_token(agent_env, chosen)
        return cls.from_agent_runtime_id(agent_env, chosen)

    @classmethod
    def _of_token(cls, agent_env: str, qualifier: str) -> "AgentEnvironment":
        """By the resource of the app whose attribute it is; where it is of none, whoever it may be."""
        attribute = attribute_at_start(agent_env)
        kind, name = (attribute.kind, attribute.name) if attribute else ("", "")
        if kind in VERSIONS or (kind == FUNCTION and attribute and attribute.rest):
            return cls._at_version(agent_env)
        if kind == FUNCTION:
            return cls.from_function_arn(agent_env)
        if name == "AgentRuntimeId":
            return cls.from_agent_runtime_id(agent_env, qualifier)
        agent = cls.from_agent_runtime_arn(agent_env, qualifier)
        agent._is_guessed = not kind.startswith(AGENTCORE)
        return agent

    @property
    def declared(self) -> Mapping[str, object]:
        """Its ARN or id, and its endpoint."""
        return {"agent_env": self.agent_env, "bedrock_agentcore_qualifier": self.qualifier}

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role what the job does with the agent."""
        role.allow(statement(self._permission, *(self._invoked or self._by_id(scope))))
        if self._is_guessed:
            role.allow(statement(permissions.INVOKE_FUNCTION, self.agent_env, f"{self.agent_env}:*"))
            warnings.UNKNOWN_KIND.add_to(scope, what="The agent", taken=GUESS, instead=CHOICES)
        if self._function:
            _look_at_timeout(scope, self._function)
        owner = "" if unresolved(self.agent_env) else facts.account_of(self.agent_env)
        if owner and known_account(scope) not in ("", owner):
            warnings.FOREIGN_AGENT.add_to(scope, agent=self.agent_env, account=owner)

    @property
    def is_function(self) -> bool:
        """Whether it is a Lambda function."""
        return self._permission is permissions.INVOKE_FUNCTION

    def _by_id(self, scope: Construct) -> tuple[str, str]:
        arn = Place.of(scope).arn("bedrock-agentcore", "runtime", self.agent_env)
        return arn, f"{arn}/*"


Agent = AgentEnvironment | AgentCoreRuntime | AgentCoreResource | LambdaFunction | str
"""What an agent may be given as."""


def _look_at_timeout(scope: Construct, function: "lambda_.IFunction") -> None:
    """Warns of a function of the app, also behind its version or alias, that ends before a rollout may."""
    from aws_cdk import aws_lambda as lambda_

    resource = getattr(function, "lambda_", function).node.default_child
    if not isinstance(resource, lambda_.CfnFunction) or unresolved(resource.timeout):
        return
    seconds = facts.LAMBDA_TIMEOUT_DEFAULT if resource.timeout is None else resource.timeout
    if seconds < facts.AGENT_TIMEOUT:
        warnings.AGENT_TIMEOUT.add_to(scope, seconds=f"{seconds:g}", needed=facts.AGENT_TIMEOUT)
