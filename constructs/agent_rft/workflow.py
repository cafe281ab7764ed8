"""What the state machines of watches and queues have in common: a step, patience, and who may start one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aws_cdk import aws_iam as iam
from constructs import Construct

from agent_rft.iam.nag_suppressions import POLICIES, WORKFLOWS, acknowledge, acknowledge_wildcards
from agent_rft.permissions import Statement
from agent_rft.provider.job_provider import JobProvider

if TYPE_CHECKING:
    from aws_cdk import aws_stepfunctions as sfn

EVERY_SECONDS = 60
"""How soon a young job is looked at again; an old one after a hundredth of its age (``job_event.wait``)."""

PATIENTLY = {"IntervalSeconds": 5, "BackoffRate": 2, "MaxDelaySeconds": 300, "MaxAttempts": 100}
"""What fails is tried again for eight hours; then the execution fails, and the metric of failures counts one."""


def workflow(scope: Construct, id: str, definition: str, role: iam.IRole, comment: str) -> "sfn.StateMachine":
    """A state machine by its definition in Amazon States Language."""
    from aws_cdk import aws_stepfunctions as sfn

    body = sfn.DefinitionBody.from_string(definition)
    made = sfn.StateMachine(scope, id, definition_body=body, role=role, comment=comment)
    acknowledge(made, WORKFLOWS)
    return made


def workflow_access(scope: Construct, provider: JobProvider, needed: Sequence[Statement]) -> iam.Policy:
    """What the handler may do with it, in a policy of its own: CloudFormation takes it away after the scope is gone."""
    statements = [each.to_policy_statement() for each in needed]
    policy = iam.Policy(scope, "Access", statements=statements, roles=[provider.role])
    acknowledge(policy, POLICIES)
    acknowledge_wildcards(policy, [resource for each in needed for resource in each.resources])
    return policy


def invoked(function: str, partition: str, *, timeout_seconds: int, then: str) -> dict[str, Any]:
    """The state that calls a function with the execution's state, which its answer replaces.

    Args:
        function: The function's ARN.
        partition: The partition of the integration's ARN.
        timeout_seconds: How long a call may take.
        then: The next state.
    """
    return {
        "Type": "Task",
        "Resource": f"arn:{partition}:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload.$": "$"},
        "OutputPath": "$.Payload",
        "Retry": [{"ErrorEquals": ["States.ALL"], **PATIENTLY}],
        "TimeoutSeconds": timeout_seconds,
        "Next": then,
    }
