"""The handler function and CDK's provider framework: one pair per stack, however many trainers."""

from pathlib import Path
from typing import TYPE_CHECKING

from aws_cdk import Duration, IgnoreMode, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

import agent_rft_handler
from agent_rft import permissions
from agent_rft.permissions import statement
from agent_rft_handler.facts import AGENT_RFT, JOB_PRINCIPAL

ID = "AgentRFTJobProvider"
"""Its id in the stack: part of every logical id below it, so a contract."""

if TYPE_CHECKING:  # a third of the import's time, so only when a trainer is made
    from aws_cdk import aws_lambda as lambda_
    from aws_cdk import aws_logs as logs

TIMEOUT_MINUTES = 10
"""Time for a stopping job to end (one to three minutes were seen) before the next is submitted."""

SERVICE_TIMEOUT_MINUTES = 15
"""How long CloudFormation waits for an answer; an hour without it."""


class JobProvider(Construct):
    """What a job's custom resource calls."""

    def __init__(self, scope: Construct) -> None:
        """Use ``JobProvider.of`` instead."""
        from aws_cdk import custom_resources

        super().__init__(scope, ID)
        function = self._function()
        self._role = function.role
        self._allow_calls()
        provider = custom_resources.Provider(
            self, "Provider", on_event_handler=function, log_group=self._log_group("ProviderLogs")
        )
        self.service_token = provider.service_token

    @classmethod
    def of(cls, scope: Construct) -> "JobProvider":
        """The stack's one provider, made when it is first asked for."""
        stack = Stack.of(scope)
        found = stack.node.try_find_child(ID)
        return found if isinstance(found, cls) else cls(stack)

    def allow_job(self, role_arn: str, kms_key_arn: str) -> None:
        """Passing a job's execution role, and the grants that the service makes on its key."""
        only_to_jobs = {"StringEquals": {"iam:PassedToService": JOB_PRINCIPAL}}
        self._allow(statement(permissions.PASS_ROLE, role_arn, conditions=only_to_jobs))
        if kms_key_arn:
            via = {"StringLike": {"kms:ViaService": "sagemaker.*.amazonaws.com"}}
            self._allow(statement(permissions.GRANT_KEY, kms_key_arn, conditions=via))

    def _function(self) -> "lambda_.Function":
        from aws_cdk import aws_lambda as lambda_

        return lambda_.Function(
            self,
            "Handler",
            runtime=lambda_.Runtime.PYTHON_3_13,
            handler="agent_rft_handler.index.handler",
            code=handler_code(),
            timeout=Duration.minutes(TIMEOUT_MINUTES),
            memory_size=256,
            log_group=self._log_group("HandlerLogs"),
            description="Submits SageMaker AgentRFT jobs for cdk-agent-rft",
        )

    def _log_group(self, id: str) -> "logs.LogGroup":
        from aws_cdk import aws_logs as logs

        return logs.LogGroup(self, id, retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY)

    def _allow_calls(self) -> None:
        stack = Stack.of(self)
        foreign = {"StringNotEquals": {"s3:ResourceAccount": stack.account}}
        models = (self._sagemaker_arn(kind, "*", owner) for kind in ("hub", "hub-content") for owner in ("aws", None))
        runtimes = stack.format_arn(service="bedrock-agentcore", resource="runtime", resource_name="*")
        self._allow(
            statement(permissions.RUN_JOBS, self._sagemaker_arn("job", f"{AGENT_RFT}/*")),
            statement(permissions.LIST, "*"),
            statement(permissions.LOOK_UP_MODEL, *models),
            statement(permissions.LOOK_UP_PACKAGE, self._sagemaker_arn("model-package", "*")),
            statement(permissions.LOOK_UP_RUNTIME, runtimes),
            statement(permissions.READ_RECIPE, f"arn:{stack.partition}:s3:::*/*", conditions=foreign),
            statement(permissions.READ_STACK, stack.stack_id),
        )

    def _sagemaker_arn(self, resource: str, name: str, account: str | None = None) -> str:
        return Stack.of(self).format_arn(service="sagemaker", resource=resource, resource_name=name, account=account)

    def _allow(self, *needed: iam.PolicyStatement) -> None:
        for each in needed:
            if self._role:
                self._role.add_to_principal_policy(each)


def handler_code() -> "lambda_.Code":
    """Exactly the handler package's files: the same bytes from a checkout and from an installed wheel."""
    from aws_cdk import aws_lambda as lambda_

    package = Path(agent_rft_handler.__file__).parent
    allowed = [f"!/{package.name}/", f"!/{package.name}/*.py", *_models(package)]
    return lambda_.Code.from_asset(str(package.parent), ignore_mode=IgnoreMode.GIT, exclude=["*", *allowed])


def _models(package: Path) -> list[str]:
    """One line per folder and file of the fallback models: the ignore syntax has no recursion past a ``*``."""
    below = sorted((package / "models").rglob("*"))
    folders = [package / "models", *(path for path in below if path.is_dir())]
    files = [path for path in below if path.suffix == ".json"]
    return [f"!/{path.relative_to(package.parent).as_posix()}/" for path in folders] + [
        f"!/{path.relative_to(package.parent).as_posix()}" for path in files
    ]
