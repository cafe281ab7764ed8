"""The evaluation of what a trainer tuned, started by the trainer's watcher when the job is Completed."""

from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from agent_rft.iam.nag_suppressions import POLICIES, WORKFLOWS, acknowledge, acknowledge_wildcards
from agent_rft.interfaces import IModelPackageGroup
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.task.job_task import AgentRFTEvaluateTask
from agent_rft.task.job_tasks import JobTasks
from agent_rft.watch.job_watcher import JobWatcher


def evaluation_on_completion(
    scope: Construct, evaluator: SubmittedJob, model_package_group: IModelPackageGroup
) -> sfn.StateMachine:
    """A state machine of one state: it evaluates the package that its input names."""
    evaluate = AgentRFTEvaluateTask(
        scope,
        "Evaluate",
        evaluator=evaluator,
        model_package=sfn.JsonPath.string_at("$.OutputModelPackageArn"),
        model_package_group=model_package_group,
    )
    body = sfn.DefinitionBody.from_chainable(evaluate)
    machine = sfn.StateMachine(scope, "Evaluation", definition_body=body, comment="Evaluates what was tuned")
    acknowledge(machine, WORKFLOWS | POLICIES)
    called = JobTasks.of(scope).submit, JobWatcher.of(scope).function
    acknowledge_wildcards(machine, [f"{each.function_arn}:*" for each in called])  # CDK grants the versions too
    return machine
