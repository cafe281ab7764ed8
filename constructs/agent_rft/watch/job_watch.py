"""A job's watch: the state machine that looks at it until it ends, and the custom resource that starts it.

docs/orchestration.md says what it tells, and what it costs.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aws_cdk import ArnFormat, CustomResource, Duration, Stack, Token
from aws_cdk import aws_iam as iam
from constructs import Construct, IConstruct

from agent_rft import permissions
from agent_rft.iam.grants import allow
from agent_rft.permissions import statement
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, JobProvider
from agent_rft.synthesis import said_later
from agent_rft.watch.job_watcher import JobWatcher
from agent_rft.workflow import EVERY_SECONDS, PATIENTLY, invoked, workflow, workflow_access
from agent_rft_handler.contract import WATCH_RESOURCE_TYPE
from agent_rft_handler.job_event import DETAIL_TYPE, SOURCE

if TYPE_CHECKING:
    from aws_cdk import aws_stepfunctions as sfn


class JobWatch(Construct):
    """The state machine that watches the jobs of one resource, and the custom resource that starts it for each job."""

    def __init__(self, scope: Construct, *, job_name: str, job_category: str, owner: Mapping[str, str]) -> None:
        """Asked for by ``on_state_change`` and the like.

        Args:
            scope: The job's construct.
            job_name: The job's name, which follows the job when it is replaced.
            job_category: Its category.
            owner: What events say of whose job it is.
        """
        super().__init__(scope, "Watch")
        self._watcher, self._follower = JobWatcher.of(self), ""
        self.state_machine = self._state_machine(self._watcher)
        provider = JobProvider.of(self)
        resource = self._resource = CustomResource(
            self,
            "Started",
            service_token=provider.service_token,
            resource_type=WATCH_RESOURCE_TYPE,
            properties={
                "StateMachineArn": self.state_machine.state_machine_arn,
                "JobName": job_name,
                "JobCategory": job_category,
                "EverySeconds": str(EVERY_SECONDS),
                **owner,
            },
            service_timeout=Duration.minutes(SERVICE_TIMEOUT_MINUTES),
        )
        resource.node.add_dependency(provider, self._access(provider))

    def starts_after(self, *needed: IConstruct) -> None:
        """What must be there before a watcher tells anything."""
        self._resource.node.add_dependency(*needed)

    def then(self, follower: "sfn.StateMachine") -> "sfn.StateMachine":
        """Starts the state machine when the job is Completed, once for each job: its execution has the job's name."""
        self._follower = follower.state_machine_arn
        allow(self._watcher.role, statement(permissions.START_FOLLOWER, self._follower))
        return follower

    def _definition(self) -> str:
        """The state machine's, once it is known what follows."""
        stack = Stack.of(self)
        return stack.to_json_string(states(self._watcher.function.function_arn, stack.partition, self._follower))

    def _state_machine(self, watcher: JobWatcher) -> "sfn.StateMachine":
        return workflow(
            self,
            "Watcher",
            Token.as_string(said_later(self._definition)),
            watcher.role,
            "Tells when the job's status changes",
        )

    def _access(self, provider: JobProvider) -> iam.Policy:
        machine = self.state_machine.state_machine_arn
        executions = Stack.of(self).format_arn(
            service="states",
            resource="execution",
            resource_name=f"{self.state_machine.state_machine_name}:*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        needed = [statement(permissions.START_WATCHER, machine), statement(permissions.END_WATCHER, executions)]
        return workflow_access(self, provider, needed)


def states(look: str, partition: str, follower: str = "") -> dict[str, Any]:
    """The watcher in Amazon States Language: look, tell what changed, wait, until the job has ended.

    A failed job fails the execution, so that the service's own metric counts it.

    Args:
        look: The ARN of the function that looks.
        partition: The partition of the integrations' ARNs.
        follower: The ARN of the state machine that a Completed job starts; empty where none follows.
    """
    completed = {"Variable": "$.JobStatus", "StringEquals": "Completed", "Next": "Follow"}
    ends = [_if("HasFailed", "Failed"), *([completed] if follower else []), _if("IsEnded", "Ended")]
    return {
        "StartAt": "Look",
        "States": {
            "Look": invoked(look, partition, timeout_seconds=120, then="HasChanged"),
            "HasChanged": {"Type": "Choice", "Choices": [_if("IsChanged", "Tell"), *ends], "Default": "Wait"},
            "Tell": _tell(partition),
            "HasEnded": {"Type": "Choice", "Choices": ends, "Default": "Wait"},
            "Wait": {"Type": "Wait", "SecondsPath": "$.Wait", "Next": "Look"},
            **({"Follow": _follow(follower, partition)} if follower else {}),
            "Failed": {"Type": "Fail", "Error": "JobFailed", "CausePath": "$.Reason"},
            "Ended": {"Type": "Succeed"},
        },
    }


def _if(name: str, then: str) -> dict[str, Any]:
    return {"Variable": f"$.{name}", "BooleanEquals": True, "Next": then}


def _tell(partition: str) -> dict[str, Any]:
    """One event. Step Functions tries again what EventBridge refused, not what may have been taken: no event twice."""
    return {
        "Type": "Task",
        "Resource": f"arn:{partition}:states:::events:putEvents",
        "Parameters": {
            "Entries": [
                {
                    "Source": SOURCE,
                    "DetailType": DETAIL_TYPE,
                    "Detail.$": "$.Detail",
                    "Resources.$": "States.Array($.JobArn)",
                }
            ]
        },
        "ResultPath": "$.Told",
        "Retry": [{"ErrorEquals": ["States.TaskFailed"], **PATIENTLY}],
        "Next": "HasEnded",
    }


def _follow(state_machine: str, partition: str) -> dict[str, Any]:
    """An execution by the job's name; one that is there already was started by a call whose answer was lost."""
    taken = ["StepFunctions.ExecutionAlreadyExistsException", "ExecutionAlreadyExists"]
    return {
        "Type": "Task",
        "Resource": f"arn:{partition}:states:::states:startExecution",
        "Parameters": {"StateMachineArn": state_machine, "Name.$": "$.JobName", "Input.$": "$.Detail"},
        "ResultPath": "$.Followed",
        "Retry": [{"ErrorEquals": taken, "MaxAttempts": 0}, {"ErrorEquals": ["States.ALL"], **PATIENTLY}],
        "Catch": [{"ErrorEquals": taken, "Next": "Ended"}],
        "Next": "Ended",
    }
