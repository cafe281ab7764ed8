"""What the job tasks of a stack share: the function that submits, and the one that stops what an execution left."""

from typing import TYPE_CHECKING, Any

from aws_cdk import ArnFormat, CustomResource, Duration, Stack, Token
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.iam.grants import allow
from agent_rft.iam.nag_suppressions import FUNCTIONS, POLICIES, acknowledge
from agent_rft.interfaces import IModelPackageGroup
from agent_rft.job_queue.queued_jobs import QueuedJobs
from agent_rft.permissions import statement
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider, provider_function
from agent_rft.provider.one_per_stack import one_per_stack
from agent_rft.synthesis import said_later
from agent_rft.watch.job_watch import JobWatch
from agent_rft_handler.contract import STACK_ID_VARIABLE, TASKS_RESOURCE_TYPE

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_

ID = "AgentRFTJobTasks"
"""Its id in the stack: part of every logical id below it, so a contract."""

ENDED = ("ABORTED", "FAILED", "SUCCEEDED", "TIMED_OUT")
"""An execution that has ended looks at its jobs no more, however it ended [AWS docs: Step Functions, cw-events]."""


class JobTasks(Construct):
    """One per stack, however many tasks."""

    def __init__(self, stack: Stack) -> None:
        """Use ``JobTasks.of`` instead."""
        super().__init__(stack, ID)
        self._provider = JobProvider.of(stack)
        self._allow()
        submit = self._function("Submit", "submit", "Submits SageMaker AgentRFT jobs for state machines")
        stop = self._function("Stop", "stop", "Stops SageMaker AgentRFT jobs of executions that ended")
        self._rule(stop)
        self.submit = self._submit_while_there(submit)
        acknowledge(self, POLICIES | FUNCTIONS)

    @classmethod
    def of(cls, scope: IConstruct) -> "JobTasks":
        """The stack's one, made when it is first asked for."""
        return one_per_stack(cls, scope, ID)

    def allow_packages(self, group: IModelPackageGroup) -> str:
        """Lets the submitting function look up packages of the group; their ARN, with a wildcard."""
        packages = Stack.of(self).format_arn(
            service="sagemaker", resource="model-package", resource_name=f"{group.model_package_group_name}/*"
        )
        allow(self._provider.role, statement(permissions.LOOK_UP_PACKAGE, packages))
        return packages

    def _submit_while_there(self, submit: "lambda_.Function") -> "lambda_.IFunction":
        """The function by way of a custom resource: state machines need it, so they are deleted first, then it stops
        what they left running."""
        from aws_cdk import aws_lambda as lambda_

        resource = CustomResource(
            self,
            "Left",
            service_token=self._provider.service_token,
            resource_type=TASKS_RESOURCE_TYPE,
            properties={"FunctionArn": submit.function_arn},
            service_timeout=Duration.minutes(SERVICE_TIMEOUT_MINUTES),
        )
        resource.node.add_dependency(self._provider, submit)
        return lambda_.Function.from_function_arn(self, "Submitting", resource.get_att_string("FunctionArn"))

    def _function(self, id: str, module: str, description: str) -> "lambda_.Function":
        environment = {STACK_ID_VARIABLE: Stack.of(self).stack_id}
        return provider_function(self, id, module=f"task.{module}", description=description, environment=environment)

    def _allow(self) -> None:
        """Any execution's status: the state machines come later, and need the functions."""
        executions = Stack.of(self).format_arn(
            service="states", resource="execution", resource_name="*", arn_format=ArnFormat.COLON_RESOURCE_NAME
        )
        allow(self._provider.role, statement(permissions.READ_EXECUTION, executions))

    def _rule(self, stop: "lambda_.Function") -> None:
        from aws_cdk import aws_events as events
        from aws_cdk import aws_events_targets as targets

        events.Rule(
            self,
            "Ended",
            description="An execution has ended: stops the jobs that it left running",
            event_pattern=events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={"status": list(ENDED), "stateMachineArn": Token.as_list(said_later(self._machines))},
            ),
            targets=[targets.LambdaFunction(stop)],
        )

    def _machines(self) -> list[str]:
        """The stack's state machines, but for those that watch, and queues, whose jobs outlive an execution."""
        from aws_cdk import aws_stepfunctions as sfn

        found: list[Any] = [each for each in Stack.of(self).node.find_all() if isinstance(each, sfn.StateMachine)]
        return [each.state_machine_arn for each in found if not isinstance(each.node.scope, JobWatch | QueuedJobs)] or [
            "none"
        ]
