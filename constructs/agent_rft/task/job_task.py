"""Jobs as states of a state machine: submitted, waited for without a running function, stopped with the execution."""

from collections.abc import Iterator, Mapping
from typing import Any

from aws_cdk import Duration, Stack
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from agent_rft import permissions
from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import refuse, text_problem, unknown
from agent_rft.hyperparameters.hyperparameter_sources import execution_values
from agent_rft.iam.grants import granted
from agent_rft.interfaces import IModelPackageGroup
from agent_rft.job.job_resource import DeclaredJob, declared_dry, declared_properties
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.task.job_tasks import JobTasks
from agent_rft.watch.job_watcher import JobWatcher
from agent_rft.workflow import EVERY_SECONDS
from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION, MODEL_PACKAGE_ARN, Category
from agent_rft_handler.validation import shown

RESULT = (
    "JobName",
    "JobArn",
    "JobCategory",
    "JobStatus",
    "OutputModelPackageArn",
    "CreationTime",
    "EndTime",
)
"""What the task puts out: members of the watcher's detail, with DescribeJob's names."""

_NO_GROUP = (
    "model_package is given without its group, so the job cannot be granted to read its packages. "
    "Give model_package_group, such as trainer.output_model_package_group."
)

QUOTA_RETRY: dict[str, Any] = {"interval": Duration.minutes(1), "backoff_rate": 1.5, "max_attempts": 1000}


class JobTask(sfn.Parallel):
    """One state to the user, so that it can be chained, caught and retried as a whole; inside, it submits and waits."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        job: SubmittedJob,
        category: Category,
        inputs: Mapping[str, object],
        result_path: str | None,
        comment: str | None,
    ) -> None:
        """Use ``AgentRFTTrainTask`` or ``AgentRFTEvaluateTask``.

        Args:
            scope: Where it is declared.
            id: The state's name.
            job: A trainer or an evaluator with ``dry_run=True``.
            category: What kind of job it must be.
            inputs: What the execution's input says in place of the declaration, by the wire's names.
            result_path: Where the result goes in the state's output.
            comment: What the state is for.
        """
        selected = {f"{name}.$": f"$[0].{name}" for name in RESULT}
        refuse(scope, [_path_problem(result_path)], id)
        super().__init__(scope, id, result_path=result_path, comment=comment, result_selector=selected)
        self._declared = _declared(self, job, category)
        self._inputs = {key: value for key, value in inputs.items() if value}
        self.branch(self._submitted().next(self._watched()))

    def _submitted(self) -> tasks.LambdaInvoke:
        """The job's submission. While the quota is used up, it is tried again every fifteen minutes at least."""
        declared = self._declared
        payload: dict[str, Any] = {
            "StackId": Stack.of(self).stack_id,
            "Execution": sfn.JsonPath.string_at("$$.Execution.Id"),
            "State": self.node.id,
            "EnteredTime": sfn.JsonPath.string_at("$$.State.EnteredTime"),
            "EverySeconds": str(EVERY_SECONDS),
            "Declared": declared_properties(declared.declaration, declared.tags),
            "Inputs": self._inputs,
        }
        submitted = tasks.LambdaInvoke(
            self,
            "Submit",
            state_name=f"{self.node.id}: submit",
            lambda_function=JobTasks.of(self).submit,
            payload=sfn.TaskInput.from_object(payload),
            output_path="$.Payload",
        )
        submitted.add_retry(errors=["OverQuota"], max_delay=Duration.minutes(15), **QUOTA_RETRY)
        return submitted

    def _watched(self) -> tasks.LambdaInvoke:
        """Looks at the job until it has ended; then its reason is the task's, or its names are the result."""
        name = self.node.id
        looked = tasks.LambdaInvoke(
            self,
            "Look",
            state_name=f"{name}: look",
            lambda_function=JobWatcher.of(self).function,
            output_path="$.Payload",
        )
        looked.add_retry(max_attempts=100, interval=Duration.seconds(5), max_delay=Duration.minutes(5))
        waited = sfn.Wait(self, "Wait", state_name=f"{name}: wait", time=sfn.WaitTime.seconds_path("$.Wait"))
        failed = sfn.Fail(self, "Failed", state_name=f"{name}: failed", error="JobFailed", cause_path="$.Reason")
        ended = sfn.Pass(self, "Ended", state_name=f"{name}: ended", output_path="$.Detail")
        has_ended = sfn.Choice(self, "HasEnded", state_name=f"{name}: ended?")
        has_ended.when(sfn.Condition.string_equals("$.JobStatus", "Completed"), ended)
        has_ended.when(sfn.Condition.boolean_equals("$.IsEnded", True), failed)
        looked.next(has_ended.otherwise(waited.next(looked)))
        return looked


class AgentRFTTrainTask(JobTask):
    """Trains in a state machine, with run-a-job semantics.

    Example::

        trainer = MultiTurnRLTrainer(self, "Trainer", model=..., dry_run=True)
        train = AgentRFTTrainTask(self, "Train", trainer=trainer, result_path="$.Train")
    """

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        trainer: SubmittedJob,
        hyperparameters: Mapping[str, object] | None = None,
        result_path: str | None = None,
        comment: str | None = None,
    ) -> None:
        """Declares the state.

        Args:
            scope: Where it is declared.
            id: The state's name.
            trainer: A ``MultiTurnRLTrainer``, declared with ``dry_run=True``: a deployment checks it, an execution
                submits it.
            hyperparameters: Values in place of the trainer's of the same names; ``JsonPath`` takes them from the
                execution's input. The trainer's without it.
            result_path: Where the job's names go in the state's output; without it, they are the output.
            comment: What the state is for; none without it.

        Raises:
            ValueError: for a trainer without ``dry_run=True``.
        """
        inputs = {"Hyperparameters": execution_values(scope, hyperparameters, id)}
        super().__init__(
            scope, id, job=trainer, category=AGENT_RFT, inputs=inputs, result_path=result_path, comment=comment
        )


class AgentRFTEvaluateTask(JobTask):
    """Evaluates in a state machine, with run-a-job semantics: the evaluator's model, or a package from the input.

    Example::

        evaluate = AgentRFTEvaluateTask(
            self, "Evaluate",
            evaluator=evaluator,
            model_package=JsonPath.string_at("$.Train.OutputModelPackageArn"),
            model_package_group=trainer.output_model_package_group,
        )
    """

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        evaluator: SubmittedJob,
        model_package: str | None = None,
        model_package_group: IModelPackageGroup | None = None,
        hyperparameters: Mapping[str, object] | None = None,
        result_path: str | None = None,
        comment: str | None = None,
    ) -> None:
        """Declares the state.

        Args:
            scope: Where it is declared.
            id: The state's name.
            evaluator: A ``MultiTurnRLEvaluator``, declared with ``dry_run=True``: a deployment checks it, an execution
                submits it.
            model_package: The ARN of a model package in place of the evaluator's model, which is then the package's
                base model; ``JsonPath`` takes it from the execution's input. The evaluator's model without it.
            model_package_group: The group of that package, which the job gets to read; required with it.
            hyperparameters: Values in place of the evaluator's of the same names; ``JsonPath`` takes them from the
                execution's input. The evaluator's without it.
            result_path: Where the job's names go in the state's output; without it, they are the output.
            comment: What the state is for; none without it.

        Raises:
            ValueError: for an evaluator without ``dry_run=True``, or a package without its group.
        """
        refuse(scope, _package_problems(model_package, model_package_group), id)
        inputs = {"Model": model_package, "Hyperparameters": execution_values(scope, hyperparameters, id)}
        super().__init__(
            scope,
            id,
            job=evaluator,
            category=AGENT_RFT_EVALUATION,
            inputs=inputs,
            result_path=result_path,
            comment=comment,
        )
        if model_package_group:
            packages = JobTasks.of(self).allow_packages(model_package_group)
            granted(self, evaluator, permissions.USE_INPUT_PACKAGE, packages)


def _path_problem(result_path: str | None) -> str:
    if result_path is None or unknown(result_path) or result_path.startswith("$"):
        return ""
    return f"result_path is {shown(result_path)}, but must be a path that starts with $. Write it like '$.Train'."


def _package_problems(package: str | None, group: IModelPackageGroup | None) -> Iterator[str]:
    if package:
        yield text_problem("model_package", package, (MODEL_PACKAGE_ARN,))
    if package and group is None:
        yield _NO_GROUP


def _declared(scope: Construct, job: SubmittedJob, category: Category) -> DeclaredJob:
    if job._category != category:
        raise ValueError(
            f"[{scope.node.path}] The job {job.node.path} is of the category {job._category.name}, but this state runs "
            f"{category.name} jobs. Give one of those."
        )
    return declared_dry(scope, job)[0]
