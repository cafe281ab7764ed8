"""The handler function, which CloudFormation calls and which answers it: one per stack, however many trainers."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IDependable

from agent_rft import permissions
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.iam.grants import allow, own_role
from agent_rft.iam.nag_suppressions import FUNCTIONS, POLICIES, acknowledge
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.job.exported_jobs import warn_of_exported_jobs
from agent_rft.job.job_arns import every_job
from agent_rft.model.hub_access import hub_access
from agent_rft.model.model import Model
from agent_rft.permissions import Statement, statement
from agent_rft.place import Place
from agent_rft.provider.handler_function import handler_function, handler_log_group
from agent_rft.provider.one_per_stack import one_per_stack
from agent_rft.provider.resource_limit import resource_limit_problems
from agent_rft.synthesis import when_synthesized
from agent_rft_handler.contract import STACK_ID_VARIABLE
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.facts import AGENT_RUNTIME_ID, JOB_PRINCIPAL, OWN_TAGS

ID = "AgentRFTJobProvider"
"""Its id in the stack: part of every logical id below it, so a contract."""

if TYPE_CHECKING:  # a third of the import's time, so only when a trainer is made
    from aws_cdk import aws_ec2 as ec2
    from aws_cdk import aws_lambda as lambda_
    from aws_cdk import aws_logs as logs

TIMEOUT_MINUTES = 10
"""Time for a stopping job to end (one to three minutes were seen) before the next is submitted."""

_TWICE = (
    "The stack has a JobProvider already, made for a trainer or for a group with Restricted storage. Make yours before "
    "the first of them, or take the one there is: JobProvider.of(stack)."
)

SERVICE_TIMEOUT_MINUTES = 35
"""How long CloudFormation waits for an answer: three runs, as Lambda calls a function that ended without an answer
twice again, after one minute and after two [AWS docs: invocation-async-error-handling]. An hour without it."""


class JobProvider(Construct):
    """What a job's custom resource calls; trainers make it, unless you did. A stack has one.

    Example::

        JobProvider(stack, vpc=vpc)  # before the first trainer
        JobProvider.of(stack).function.metric_errors().create_alarm(stack, "JobNotSubmitted", ...)  # at any time
    """

    function: "lambda_.Function"
    """The handler function; ``function.metric_errors()`` and the like for alarms. One run submits or stops one job."""

    role: iam.Role
    """The function's role."""

    service_token: str
    """The function's ARN, which custom resources name."""

    @checked
    def __init__(
        self,
        stack: Stack,
        *,
        vpc: "ec2.IVpc | None" = None,
        vpc_subnets: "ec2.SubnetSelection | None" = None,
        security_groups: "Sequence[ec2.ISecurityGroup] | None" = None,
    ) -> None:
        """Makes the stack's one function.

        Args:
            stack: The stack of the trainers.
            vpc: The VPC in which the function runs; outside any without it. Without a way to the internet it needs
                endpoints for S3, CloudFormation, ``sagemaker.api``, and AgentCore with a bare runtime id.
            vpc_subnets: Which of its subnets; its private ones without it.
            security_groups: The function's security groups; one is made without it.

        Raises:
            ValueError: when the stack has one already.
        """
        refuse(stack, [_TWICE if stack.node.try_find_child(ID) else ""])
        super().__init__(stack, ID)
        network = {"vpc": vpc, "vpc_subnets": vpc_subnets, "security_groups": security_groups}
        self._network: dict[str, Any] = network if vpc else {}
        log_group = handler_log_group(self, "HandlerLogs")
        needed = (*self._of_function(log_group), *self._of_every_job())
        self.role = own_role(self, "HandlerRole", "lambda.amazonaws.com", *needed)
        self.function = self._function(log_group)
        self.service_token = self.function.function_arn
        self._jobs = 0
        when_synthesized(self, lambda: resource_limit_problems(stack, self._jobs))
        when_synthesized(self, lambda: warn_of_exported_jobs(stack))
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: Construct) -> "JobProvider":
        """The stack's one provider, made when it is first asked for: outside any VPC.

        Args:
            scope: The stack, or whatever is in it; a nested stack has one of its own.
        """
        return one_per_stack(cls, scope, ID)

    def _allow_job(self, scope: Construct, declaration: Declaration, model: Model) -> IDependable:
        """What this job's declaration needs beside what every job needs; for what submits jobs, not for users.

        Not in the role itself, for which the function waits: what is named here may wait for another job.
        """
        self._jobs += 1
        only_to_jobs = {"StringEquals": {"iam:PassedToService": JOB_PRINCIPAL}}
        is_package = bool(model.model_package_arn)
        access = hub_access(Place.of(self), model.reference, is_package=is_package)
        return RolePolicies.of(self, self.role).allow(
            scope,
            statement(permissions.PASS_ROLE, declaration.role_arn, conditions=only_to_jobs),
            statement(permissions.LOOK_UP_MODEL, *access.hubs, *access.contents),
            statement(permissions.LIST_MODELS, *access.hubs),
            *_on_key(declaration.kms_key_arn),
            *([] if declaration.mlflow_app else [statement(permissions.LIST_APPS, "*")]),
            *self._on_package(model),
            *self._on_runtime(declaration.agent_env),
        )

    def _on_package(self, model: Model) -> Iterator[Statement]:
        if model.model_package_arn:
            yield statement(permissions.LOOK_UP_PACKAGE, model.model_package_arn)
            if model.model_package_group:
                yield statement(permissions.LIST_PACKAGES, model.model_package_arn)
        elif unresolved(model.reference):
            yield statement(permissions.LOOK_UP_PACKAGE, Place.of(self).arn("sagemaker", "model-package", "*"))

    def _on_runtime(self, agent_env: str) -> Iterator[Statement]:
        unknown = unresolved(agent_env) and not agent_env.startswith("arn:")
        if unknown or AGENT_RUNTIME_ID.accepts(agent_env):
            arn = Place.of(self).arn("bedrock-agentcore", "runtime", "*" if unknown else agent_env)
            yield statement(permissions.LOOK_UP_RUNTIME, arn)

    def _of_function(self, log_group: "logs.LogGroup") -> Iterator[Statement]:
        yield statement(permissions.WRITE_LOGS, log_group.log_group_arn)
        if self._network:  # CDK grants it only to a role that it makes itself
            yield statement(permissions.ATTACH_FUNCTION, "*")

    def _function(self, log_group: "logs.LogGroup") -> "lambda_.Function":
        return handler_function(
            self,
            "Handler",
            module="index",
            timeout_minutes=TIMEOUT_MINUTES,
            role=self.role,
            log_group=log_group,
            environment={STACK_ID_VARIABLE: Stack.of(self).stack_id},
            **self._network,
            description="Submits SageMaker AgentRFT jobs for cdk-agent-rft",
        )

    def _of_every_job(self) -> Iterator[Statement]:
        """Jobs of both categories, by any name, and wherever there is a handler; but what changes one, only its own.

        When a declaration changes or leaves the stack, its earlier job must still be found and stopped.
        """
        stack = Stack.of(self)
        jobs = every_job(stack)
        tag = OWN_TAGS["stack"]
        declared = {"StringEquals": {f"aws:RequestTag/{tag}": stack.stack_id}}
        own = {"StringEquals": {f"aws:ResourceTag/{tag}": stack.stack_id}}
        foreign = {"StringNotEquals": {"s3:ResourceAccount": stack.account}}
        yield statement(permissions.SUBMIT_JOBS, jobs, conditions=declared)
        yield statement(permissions.FIND_JOBS, jobs)
        yield statement(permissions.CHANGE_JOBS, jobs, conditions=own)
        yield statement(permissions.LIST_JOBS, "*")
        yield statement(permissions.READ_RECIPE, f"arn:{stack.partition}:s3:::*/*", conditions=foreign)
        yield statement(permissions.READ_STACK, stack.stack_id)


def _on_key(key_arn: str) -> Iterator[Statement]:
    """Grants for the service itself only; DescribeKey makes none, so that key would deny it."""
    if key_arn:
        via = permissions.via("sagemaker")
        for_service = {**via, "Bool": {"kms:GrantIsForAWSResource": "true"}}
        yield statement(permissions.GRANT_KEY, key_arn, conditions=for_service)
        yield statement(permissions.LOOK_UP_KEY, key_arn, conditions=via)


def provider_function(
    scope: Construct, id: str, *, module: str, description: str, **options: Any
) -> "lambda_.Function":
    """A further function with the handler's role: what a deployment may do, it may.

    Args:
        scope: Where it is made.
        id: Its id there.
        module: The module of the handler package that is its entry point.
        description: What it is for, as the console shows it.
        options: What else ``lambda_.Function`` takes.
    """
    role = JobProvider.of(scope).role
    log_group = handler_log_group(scope, f"{id}Logs")
    allow(role, statement(permissions.WRITE_LOGS, log_group.log_group_arn))
    return handler_function(
        scope,
        id,
        module=module,
        timeout_minutes=TIMEOUT_MINUTES,
        role=role,
        log_group=log_group,
        description=description,
        **options,
    )
