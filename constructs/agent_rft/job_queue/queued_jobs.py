"""A queue of jobs: the state machine that takes its turns, and the custom resource that starts it."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aws_cdk import CustomResource, Duration, Stack, Token
from aws_cdk import aws_s3 as s3
from constructs import Construct, IDependable

from agent_rft import permissions, warnings
from agent_rft.arguments.validation import refuse, unresolved
from agent_rft.iam.role_policies import RolePolicies
from agent_rft.job.job_resource import DeclaredJob, declared_properties
from agent_rft.job_queue.job_turns import JobTurns
from agent_rft.naming import generated_name
from agent_rft.permissions import Statement, statement
from agent_rft.place import Place
from agent_rft.provider.job_provider import SERVICE_TIMEOUT_MINUTES, TIMEOUT_MINUTES, JobProvider
from agent_rft.synthesis import said_later, when_synthesized
from agent_rft.workflow import EVERY_SECONDS, invoked, workflow, workflow_access
from agent_rft_handler.contract import QUEUE_RESOURCE_TYPE, QUEUE_RESULTS

if TYPE_CHECKING:
    from aws_cdk import aws_stepfunctions as sfn

MAX_SIZE = 120_000
"""Bytes of a queue: Lambda takes 256 KB of an event [AWS docs: Lambda quotas], and an update holds it twice."""

_FOLDER_MAX_LENGTH = 200


class QueuedJobs(Construct):
    """What a ``JobQueue`` and a ``Sweep`` have in common."""

    state_machine: "sfn.StateMachine"
    """What works through the queue; ``state_machine.metric_failed()`` and the like for alarms."""

    output_bucket: s3.IBucket
    """The bucket with the results."""

    results_uri: str
    """The S3 URI of the table of results, as CSV."""

    def __init__(
        self, scope: Construct, id: str, *, output_bucket: s3.IBucket | None, concurrency: int, stop_on_failure: bool
    ) -> None:
        """Use ``JobQueue`` or ``Sweep``.

        Args:
            scope: Where it is declared.
            id: Its id there.
            output_bucket: The bucket that takes the results; ``_bucket`` makes one without it.
            concurrency: How many of its jobs run at a time.
            stop_on_failure: Whether nothing is submitted any more once a job has failed.
        """
        refuse(scope, [_concurrency_problem(concurrency)], id)
        super().__init__(scope, id)
        self._jobs: dict[str, DeclaredJob] = {}
        self._rows: list[dict[str, Any]] = []
        self.output_bucket = output_bucket or self._bucket()
        self._folder = f"queues/{generated_name(self, _FOLDER_MAX_LENGTH)}"
        self.results_uri = f"s3://{self.output_bucket.bucket_name}/{self._folder}/{QUEUE_RESULTS}"
        self.state_machine = self._state_machine(JobTurns.of(self))
        self._resource = self._started(concurrency, stop_on_failure)
        when_synthesized(self, self._problems)
        if not unresolved(concurrency) and concurrency > 1:
            warnings.QUEUE_CONCURRENCY.add_to(self, concurrency=concurrency)

    def _bucket(self) -> s3.IBucket:
        """The bucket where none was given."""
        raise NotImplementedError

    def _enqueue(self, name: str, declared: DeclaredJob, in_place: Mapping[str, object]) -> None:
        """Adds a job after those that are there; what is given stands in place of what is declared."""
        path = self._path(declared)
        if path not in self._jobs:
            self._jobs[path] = declared
            self._resource.node.add_dependency(declared, self._rewards(declared))
        self._rows.append({"Name": name, "Job": path, **({"InPlace": dict(in_place)} if in_place else {})})

    def _path(self, declared: DeclaredJob) -> str:
        """The job's path in its stack."""
        return declared.node.path.removeprefix(f"{Stack.of(self).node.path}/").removesuffix(f"/{declared.node.id}")

    def _declared(self) -> dict[str, Any]:
        """What is declared, once all of it is."""
        jobs = {path: declared_properties(each.declaration, each.tags) for path, each in self._jobs.items()}
        return {"Jobs": jobs, "Rows": self._rows}

    def _problems(self) -> list[str]:
        """What is wrong with the queue as a whole."""
        size = len(json.dumps(Stack.of(self).resolve(self._declared())))
        return [_too_large(size, len(self._rows))] if size > MAX_SIZE else []

    def _state_machine(self, turns: JobTurns) -> "sfn.StateMachine":
        stack = Stack.of(self)
        definition = stack.to_json_string(states(turns.function.function_arn, stack.partition))
        return workflow(self, "Machine", definition, turns.role, "Submits jobs one after another")

    def _started(self, concurrency: int, stop_on_failure: bool) -> CustomResource:
        provider = JobProvider.of(self)
        resource = CustomResource(
            self,
            "Queue",
            service_token=provider.service_token,
            resource_type=QUEUE_RESOURCE_TYPE,
            properties={
                "StateMachineArn": self.state_machine.state_machine_arn,
                "Bucket": self.output_bucket.bucket_name,
                "Folder": self._folder,
                "Concurrency": Token.as_string(concurrency) if unresolved(concurrency) else str(concurrency),
                "StopOnFailure": str(stop_on_failure).lower(),
                "EverySeconds": str(EVERY_SECONDS),
                "Declared": said_later(self._declared),
            },
            service_timeout=Duration.minutes(SERVICE_TIMEOUT_MINUTES),
        )
        access = workflow_access(self, provider, self._needed())
        resource.node.add_dependency(provider, JobTurns.of(self), access, self.output_bucket)
        return resource

    def _rewards(self, declared: DeclaredJob) -> IDependable:
        """What reading the job's final reward takes."""
        app = declared.declaration.mlflow_app or Place.of(self).arn("sagemaker", "mlflow-app", "*")
        return RolePolicies.of(self, JobProvider.of(self).role).allow(self, statement(permissions.READ_REWARD, app))

    def _needed(self) -> list[Statement]:
        bucket, key = self.output_bucket, self.output_bucket.encryption_key
        in_folder = {"StringLike": {"s3:prefix": f"{self._folder}/*"}}
        return [
            statement(permissions.START_QUEUE, self.state_machine.state_machine_arn),
            statement(permissions.KEEP_QUEUE, bucket.arn_for_objects(f"{self._folder}/*")),
            statement(permissions.FIND_QUEUE, bucket.bucket_arn, conditions=in_folder),
            *([statement(permissions.USE_QUEUE_KEY, key.key_arn, conditions=permissions.via("s3"))] if key else []),
        ]


def states(turn: str, partition: str) -> dict[str, Any]:
    """The queue in Amazon States Language: a turn, a wait, until all jobs have ended.

    Args:
        turn: The ARN of the function that takes a turn.
        partition: The partition of the integration's ARN.
    """
    return {
        "StartAt": "Turn",
        "States": {
            "Turn": invoked(turn, partition, timeout_seconds=(TIMEOUT_MINUTES + 1) * 60, then="HasEnded"),
            "HasEnded": {
                "Type": "Choice",
                "Choices": [{"Variable": "$.IsEnded", "BooleanEquals": True, "Next": "Ended"}],
                "Default": "Wait",
            },
            "Wait": {"Type": "Wait", "SecondsPath": "$.Wait", "Next": "Turn"},
            "Ended": {"Type": "Succeed"},
        },
    }


def _concurrency_problem(concurrency: int) -> str:
    if unresolved(concurrency) or concurrency > 0:
        return ""
    return f"concurrency is {concurrency!r}, but must be a positive integer. Write it like 1."


def _too_large(size: int, rows: int) -> str:
    return (
        f"The queue of {rows} jobs takes {size} bytes, but an event of CloudFormation's has room for {MAX_SIZE}. Split "
        "it into two, or put what all variants share into the base."
    )
