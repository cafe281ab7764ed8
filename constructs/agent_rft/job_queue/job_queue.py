"""Declared jobs that run one after another, as the quota of one job wants it."""

from collections.abc import Sequence

from aws_cdk import RemovalPolicy
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import refuse
from agent_rft.job.job_resource import declared_dry
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft.job_queue.queued_jobs import QueuedJobs
from agent_rft.output.private_bucket import private_bucket


class JobQueue(QueuedJobs):
    """Runs trainers and evaluators in their order, each once; the stack is deployed long before the last has ended.

    Example::

        first = MultiTurnRLTrainer(self, "First", ..., dry_run=True)
        second = MultiTurnRLTrainer(self, "Second", ..., dry_run=True)
        JobQueue(self, "Queue", jobs=[first, second])
    """

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        jobs: Sequence[SubmittedJob] | None = None,
        concurrency: int = 1,
        stop_on_failure: bool = False,
        output_bucket: s3.IBucket | None = None,
        removal_policy: RemovalPolicy = RemovalPolicy.RETAIN,
    ) -> None:
        """Declares the queue.

        Args:
            scope: Where it is declared.
            id: Its id there.
            jobs: Trainers and evaluators, declared with ``dry_run=True``, in the order in which they run; ``add`` adds
                more. None yet without it.
            concurrency: How many of them run at a time; one without it, the quota of an account and region.
            stop_on_failure: Set True to submit nothing any more once a job has failed. Without it, the others run.
            output_bucket: The bucket that takes the table of results; without it, a private, encrypted bucket is made.
            removal_policy: What becomes of that bucket when the queue leaves the stack; RETAIN without it.

        Raises:
            ValueError: for a job without ``dry_run=True``, one that is there already, or a concurrency below one.
        """
        self._removal_policy = removal_policy
        super().__init__(
            scope, id, output_bucket=output_bucket, concurrency=concurrency, stop_on_failure=stop_on_failure
        )
        if jobs:
            self.add(*jobs)

    @checked
    def add(self, *jobs: SubmittedJob) -> None:
        """Adds jobs after those that are there.

        Args:
            jobs: Trainers and evaluators, declared with ``dry_run=True``. An evaluator that also evaluates the base
                model adds two.

        Raises:
            ValueError: for a job without ``dry_run=True``, or one that is there already.
        """
        for declared in [each for job in jobs for each in declared_dry(self, job)]:
            name = self._path(declared)
            twice = f"{name} is in the queue already, and a job runs once. Leave it out."
            refuse(self, [twice if name in self._jobs else ""])
            self._enqueue(name, declared, {})

    def _bucket(self) -> s3.IBucket:
        return private_bucket(self, "Results", None, self._removal_policy)
