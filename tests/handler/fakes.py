"""Small fakes of the services beside SageMaker, and the clock."""

import hashlib
import io
import json
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_handler.deadline import Deadline
from agent_rft_local import recipe_tables
from agent_rft_local.local_aws import ACCOUNT, REGION


class Killed(BaseException):
    """The function ends in the middle, as one that runs out of memory does."""


@dataclass
class FakeStepFunctions:
    """Takes each execution's name once, as Step Functions does for 90 days."""

    fails: Exception | None = None
    status: str = "RUNNING"
    started: dict[str, dict[str, str]] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)

    def start_execution(self, **request: str) -> dict[str, str]:
        if self.fails:
            raise self.fails
        if request["name"] in self.started:
            error: Any = {"Error": {"Code": "ExecutionAlreadyExists", "Message": request["name"]}}
            raise ClientError(error, "StartExecution")
        self.started[request["name"]] = request
        return {"executionArn": request["name"]}

    def describe_execution(self, executionArn: str) -> dict[str, str]:
        return {"executionArn": executionArn, "status": self.status}

    def stop_execution(self, executionArn: str, cause: str) -> dict[str, str]:
        if self.fails:
            raise self.fails
        self.stopped.append(executionArn)
        return {"stopDate": cause}


@dataclass
class FakeCloudFormation:
    """Says in which status the stack is, and by which id it knows a resource."""

    status: str = "UPDATE_IN_PROGRESS"
    known: dict[str, str] = field(default_factory=dict)

    def describe_stacks(self, StackName: str) -> dict[str, Any]:
        return {"Stacks": [{"StackName": StackName, "StackStatus": self.status}]}

    def describe_stack_resource(self, StackName: str, LogicalResourceId: str) -> dict[str, Any]:
        if LogicalResourceId not in self.known:
            text = f"Resource {LogicalResourceId} does not exist for stack {StackName}"
            error: Any = {"Error": {"Code": "ValidationError", "Message": text}}
            raise ClientError(error, "DescribeStackResource")
        return {"StackResourceDetail": {"PhysicalResourceId": self.known[LogicalResourceId]}}


@dataclass
class FakeS3:
    """Holds objects by bucket and key, and the override parameters of every recipe; ``fails`` makes reading fail."""

    fails: Exception | None = None
    spec: dict[str, Any] = field(default_factory=lambda: recipe_tables.OVERRIDE_PARAMS)
    evaluation_spec: dict[str, Any] = field(default_factory=recipe_tables.of_evaluation)
    objects: dict[tuple[str, str], bytes] = field(default_factory=dict)

    def get_object(self, Bucket: str, Key: str) -> dict[str, Any]:
        if self.fails:
            raise self.fails
        if (Bucket, Key) in self.objects:
            body = self.objects[Bucket, Key]
            return {"Body": io.BytesIO(body), "ETag": _etag(body)}
        spec = self.evaluation_spec if "mtrl-eval" in Key else self.spec
        return {"Body": io.BytesIO(json.dumps(spec).encode())}

    def put_object(self, Bucket: str, Key: str, Body: bytes, ContentType: str, **condition: str) -> dict[str, str]:
        there = self.objects.get((Bucket, Key))
        if condition and condition != ({"IfMatch": _etag(there)} if there is not None else {"IfNoneMatch": "*"}):
            error: Any = {"Error": {"Code": "PreconditionFailed", "Message": f"{Key} {condition} {ContentType}"}}
            raise ClientError(error, "PutObject")
        self.objects[Bucket, Key] = Body
        return {"ETag": _etag(Body)}

    def list_objects_v2(self, Bucket: str, Prefix: str, MaxKeys: int) -> dict[str, Any]:
        if self.fails:
            raise self.fails
        found = [{"Key": key} for bucket, key in sorted(self.objects) if bucket == Bucket and key.startswith(Prefix)]
        return {"Contents": found[:MaxKeys]} if found else {}


def _etag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


class FakeAgentCore:
    """Knows every runtime."""

    def get_agent_runtime(self, agentRuntimeId: str) -> dict[str, str]:
        return {"agentRuntimeArn": f"arn:aws:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/{agentRuntimeId}"}


@dataclass
class Clock:
    """Time that passes only when someone sleeps; the local SageMaker reads it too."""

    now: float = 1_800_000_000.0
    deadline: float = 1_800_000_600.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def time(self) -> Deadline:
        return Deadline(remaining=lambda: self.deadline - self.now, sleep=self.sleep)
