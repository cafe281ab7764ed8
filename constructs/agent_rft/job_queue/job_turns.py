"""What the queues of a stack share: the function that takes their turns, and the role of their state machines."""

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.iam.grants import allow
from agent_rft.iam.nag_suppressions import FUNCTIONS, POLICIES, acknowledge
from agent_rft.permissions import statement
from agent_rft.provider.job_provider import provider_function
from agent_rft.provider.one_per_stack import one_per_stack

ID = "AgentRFTJobTurns"
"""Its id in the stack: part of every logical id below it, so a contract."""


class JobTurns(Construct):
    """One per stack, however many queues."""

    def __init__(self, stack: Stack) -> None:
        """Use ``JobTurns.of`` instead."""
        super().__init__(stack, ID)
        self.function = provider_function(
            self, "Turn", module="job_queue.turn", description="Takes the turns of queues of SageMaker AgentRFT jobs"
        )
        self.role = iam.Role(self, "QueueRole", assumed_by=iam.ServicePrincipal("states.amazonaws.com"))
        allow(self.role, statement(permissions.TAKE_TURN, self.function.function_arn))
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: IConstruct) -> "JobTurns":
        """The stack's one, made when it is first asked for."""
        return one_per_stack(cls, scope, ID)
