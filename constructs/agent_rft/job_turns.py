"""What the queues of a stack share: the function that takes their turns, and the role of their state machines."""

from typing import TYPE_CHECKING

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.grants import allow
from agent_rft.handler_function import handler_function, handler_log_group
from agent_rft.job_provider import TIMEOUT_MINUTES, JobProvider
from agent_rft.nag_suppressions import FUNCTIONS, POLICIES, acknowledge
from agent_rft.one_per_stack import one_per_stack
from agent_rft.permissions import statement

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_

ID = "AgentRFTJobTurns"
"""Its id in the stack: part of every logical id below it, so a contract."""


class JobTurns(Construct):
    """One per stack, however many queues."""

    def __init__(self, stack: Stack) -> None:
        """Use ``JobTurns.of`` instead."""
        super().__init__(stack, ID)
        self.function = self._function(JobProvider.of(stack))
        self.role = iam.Role(self, "QueueRole", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        allow(self.role, statement(permissions.TAKE_TURN, self.function.function_arn))
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: IConstruct) -> "JobTurns":
        """The stack's one, made when it is first asked for."""
        return one_per_stack(cls, scope, ID)

    def _function(self, provider: JobProvider) -> "lambda_.Function":
        """With the handler's role: what a deployment may do, a turn may."""
        log_group = handler_log_group(self, "TurnLogs")
        allow(provider.role, statement(permissions.WRITE_LOGS, log_group.log_group_arn))
        return handler_function(
            self,
            "Turn",
            module="job_queue.turn",
            timeout_minutes=TIMEOUT_MINUTES,
            role=provider.role,
            log_group=log_group,
            description="Takes the turns of queues of SageMaker AgentRFT jobs",
        )
