"""What is told when a job's status changes: EventBridge has no event of SageMaker's for these jobs, so it is ours.

The members of ``detail`` have DescribeJob's names, so a rule reads like the API. Standard library only: the
constructs write rules about what the watcher sends.
"""

SOURCE = "cdk-agent-rft"
DETAIL_TYPE = "AgentRFT Job State Change"

WATCH_RESOURCE_TYPE = "Custom::AgentRFTJobWatch"
"""The custom resource that starts a job's watcher."""

TASKS_RESOURCE_TYPE = "Custom::AgentRFTJobTasks"
"""The custom resource that stops what a stack's state machines left running, when they leave the stack."""

STACK_ID, LOGICAL_ID = "StackId", "LogicalResourceId"
"""Whose job it is: of the job's own tags, empty for a job that was submitted elsewhere."""


def first_state(job_name: str, job_category: str, every: str, stack_id: str, logical_id: str) -> dict[str, str]:
    """What ``watch.look`` starts from: which job, whose it is, and that nothing of it was told yet."""
    return {
        "JobName": job_name,
        "JobCategory": job_category,
        "EverySeconds": every,
        STACK_ID: stack_id,
        LOGICAL_ID: logical_id,
        "JobStatus": "",
    }
