"""What the watchers of a stack share: the function that looks at a job, and their role. Made when first asked for."""

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.job_provider import handler_code
from agent_rft.nag_suppressions import FUNCTIONS, POLICIES, acknowledge, acknowledge_wildcards
from agent_rft.permissions import statement
from agent_rft_handler.facts import CATEGORIES
from agent_rft_handler.job_event import SOURCE

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_
    from aws_cdk import aws_logs as logs

ID = "AgentRFTJobWatcher"
"""Its id in the stack: part of every logical id below it, so a contract."""


class JobWatcher(Construct):
    """The function that looks, and the role of the state machines: one per stack."""

    def __init__(self, stack: Stack) -> None:
        """Use ``JobWatcher.of`` instead."""
        super().__init__(stack, ID)
        self.function = self._function(self._log_group())
        self.role = iam.Role(self, "WatchRole", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        bus = stack.format_arn(service="events", resource="event-bus", resource_name="default")
        only_ours = {"StringEquals": {"events:source": SOURCE}}
        self.role.add_to_policy(statement(permissions.CALL_LOOK, self.function.function_arn).to_policy_statement())
        self.role.add_to_policy(statement(permissions.TELL, bus, conditions=only_ours).to_policy_statement())
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: IConstruct) -> "JobWatcher":
        """The stack's one watcher, made when it is first asked for."""
        stack = Stack.of(scope)
        found = stack.node.try_find_child(ID)
        return found if isinstance(found, cls) else cls(stack)

    def _function(self, log_group: "logs.LogGroup") -> "lambda_.Function":
        from aws_cdk import aws_lambda as lambda_

        return lambda_.Function(
            self,
            "Look",
            runtime=lambda_.Runtime.PYTHON_3_14,
            handler="agent_rft_handler.watch.look.handler",
            code=handler_code(),
            timeout=Duration.minutes(1),
            memory_size=256,
            role=self._function_role(log_group),
            log_group=log_group,
            description="Looks at SageMaker AgentRFT jobs for cdk-agent-rft",
        )

    def _function_role(self, log_group: "logs.LogGroup") -> iam.Role:
        role = iam.Role(self, "LookRole", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        jobs = [
            Stack.of(self).format_arn(service="sagemaker", resource="job", resource_name=f"{category}/*")
            for category in CATEGORIES
        ]
        for each in (
            statement(permissions.LOOK_AT_JOBS, *jobs),
            statement(permissions.WRITE_LOOK_LOGS, log_group.log_group_arn),
        ):
            role.add_to_policy(each.to_policy_statement())
            acknowledge_wildcards(role, each.resources)
        return role

    def _log_group(self) -> "logs.LogGroup":
        from aws_cdk import aws_logs as logs

        return logs.LogGroup(
            self, "LookLogs", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
