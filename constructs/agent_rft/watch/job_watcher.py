"""What the watchers of a stack share: the function that looks at a job, and their role. Made when first asked for."""

from typing import TYPE_CHECKING

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.iam.grants import allow
from agent_rft.iam.nag_suppressions import FUNCTIONS, POLICIES, acknowledge
from agent_rft.job.job_arns import every_job
from agent_rft.permissions import statement
from agent_rft.provider.handler_function import handler_function, handler_log_group
from agent_rft.provider.one_per_stack import one_per_stack
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
        self.function = self._function(handler_log_group(self, "LookLogs"))
        self.role = iam.Role(self, "WatchRole", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        bus = stack.format_arn(service="events", resource="event-bus", resource_name="default")
        only_ours = {"StringEquals": {"events:source": SOURCE}}
        allow(
            self.role,
            statement(permissions.CALL_LOOK, self.function.function_arn),
            statement(permissions.TELL, bus, conditions=only_ours),
        )
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: IConstruct) -> "JobWatcher":
        """The stack's one watcher, made when it is first asked for."""
        return one_per_stack(cls, scope, ID)

    def _function(self, log_group: "logs.LogGroup") -> "lambda_.Function":
        return handler_function(
            self,
            "Look",
            module="watch.look",
            timeout_minutes=1,
            role=self._function_role(log_group),
            log_group=log_group,
            description="Looks at SageMaker AgentRFT jobs for cdk-agent-rft",
        )

    def _function_role(self, log_group: "logs.LogGroup") -> iam.Role:
        role = iam.Role(self, "LookRole", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        allow(
            role,
            statement(permissions.LOOK_AT_JOBS, every_job(Stack.of(self))),
            statement(permissions.WRITE_LOOK_LOGS, log_group.log_group_arn),
        )
        return role
