"""The AWS that the handler sees in these tests: the local SageMaker in process, and small fakes beside it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handler.fakes import Clock, FakeAgentCore, FakeCloudFormation, FakeS3, FakeStepFunctions
from in_process import SageMaker

from agent_rft_handler import contract, facts
from agent_rft_handler.clients import Clients
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import Refused
from agent_rft_handler.event import Event
from agent_rft_handler.facts import Category
from agent_rft_handler.index import respond
from agent_rft_handler.mlflow import Fetch, Unreadable
from agent_rft_handler.owner import Owner
from agent_rft_local import ministack_names, mlflow_api, store

ACCOUNT, REGION = "000000000000", "us-east-1"
STACK_ID = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/Wordle/51af3dc0-da77-11e4-872e-1234567db123"
WHOSE = Owner(STACK_ID, "Job")
SECRET_URL = "https://SECRET.example/response"
ANSWER_MAX_BYTES = 4096
"""CloudFormation refuses a longer answer."""


class World:
    """One account with what a declaration needs, and a way to deliver events."""

    resource_type = contract.JOB_RESOURCE_TYPE

    def __init__(self, category: Category = facts.AGENT_RFT) -> None:
        self.category = category
        self.sagemaker = SageMaker()
        self.sagemaker.reset()
        self.agentcore = FakeAgentCore()
        self.s3 = FakeS3()
        self.cloudformation = FakeCloudFormation()
        self.stepfunctions = FakeStepFunctions()
        self.clock = Clock()
        self.clients: Clients = self
        self._requests = 0
        self.role_arn = self.sagemaker.add_role("rft", facts.JOB_PRINCIPAL)
        self.group = self._group("tuned")
        self.checkpoint_group = self._group("checkpoints")
        self.app = self.sagemaker.create_mlflow_app(
            Name="mlflow", ArtifactStoreUri="s3://artifacts/mlflow", RoleArn=self.role_arn
        )["Arn"]

    def mlflow(self, app_arn: str) -> Fetch:
        """Reads from the app what the jobs have logged, three values at a time."""

        def fetch(operation: str, query: dict[str, str]) -> Any:
            with ministack_names.request_scope(ACCOUNT, REGION):
                status, body = mlflow_api.answer(mlflow_api.PATH + operation, app_arn, query | {"max_results": "3"})
            if status != 200:
                raise Unreadable(f"MLflow answers {status}: {json.loads(body)['message']}")
            return json.loads(body)

        return fetch

    def declaration(self, **changed: Any) -> Declaration:
        """A plain declaration of a job of the world's category, with some of it changed."""
        plain: dict[str, Any] = {
            "job_category": self.category.name,
            "role_arn": self.role_arn,
            "model": "huggingface-reasoning-qwen3-32b",
            "agent_env": f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent:live",
            "s3_output_path": "s3://out-bucket/output",
        }
        return Declaration(**{**plain, **self._of_category(), **changed})

    def _of_category(self) -> dict[str, Any]:
        if self.category == facts.AGENT_RFT_EVALUATION:
            return {
                "dataset": "s3://data-bucket/prompts/held-out.parquet",
                "hyperparameters": {"eval_group_size": "2"},
            }
        return {
            "training_dataset": "s3://data-bucket/prompts/train.parquet",
            "output_model_package_group": self.group,
            "intermediate_checkpoint_model_package_group": self.checkpoint_group,
            "hyperparameters": {"max_epochs": "1"},
        }

    def event(
        self,
        kind: str,
        declaration: Declaration,
        *,
        pid: str = "",
        old: Declaration | None = None,
        logical_id: str = "Job",
        request_id: str = "",
    ) -> dict[str, Any]:
        """An event as CloudFormation sends it: every scalar a string, and a request id of its own."""
        event: dict[str, Any] = {
            "RequestType": kind,
            "RequestId": request_id or self.next_request_id(),
            "StackId": STACK_ID,
            "ResponseURL": SECRET_URL,
            "ResourceType": self.resource_type,
            "LogicalResourceId": logical_id,
            "ResourceProperties": {"ServiceToken": "token", **self.properties_of(declaration)},
        }
        if pid:
            event["PhysicalResourceId"] = pid
        if old:
            event["OldResourceProperties"] = {"ServiceToken": "token", **self.properties_of(old)}
        return event

    def properties_of(self, declaration: Declaration) -> dict[str, object]:
        """What is declared, as a resource's properties."""
        return contract.to_properties(declaration)

    def next_request_id(self) -> str:
        """As CloudFormation gives every event one of its own."""
        self._requests += 1
        return f"request-{self._requests}"

    def deliver_group(self, kind: str, name: str = "nova-tuned", *, pid: str = "", **more: Any) -> dict[str, Any]:
        """Delivers an event of a Restricted group to the handler; its answer."""
        tags, old_tags = more.get("tags", {}), more.get("old_tags", {})
        properties = {"ServiceToken": "token", "ModelPackageGroupName": name, "ManagedStorageType": "Restricted"}
        event: dict[str, Any] = {
            "RequestType": kind,
            "RequestId": self.next_request_id(),
            "StackId": STACK_ID,
            "ResourceType": contract.GROUP_RESOURCE_TYPE,
            "LogicalResourceId": more.get("logical_id", "Group"),
            "ResourceProperties": {**properties, **({"Tags": tags} if tags else {})},
            "OldResourceProperties": {**properties, "Tags": old_tags},
            **({"PhysicalResourceId": pid} if pid else {}),
        }
        return self.send(event)

    def deliver(self, kind: str, declaration: Declaration, **more: Any) -> dict[str, Any]:
        """Delivers an event to the handler; its answer."""
        return self.send(self.event(kind, declaration, **more))

    def send(self, raw: Any) -> dict[str, Any]:
        """What CloudFormation reads in the answer to an event; a failure raises its reason."""
        answer = self.answer(raw)
        if answer["Status"] == "FAILED":
            raise Refused(answer["Reason"], answer["PhysicalResourceId"])
        return {name: answer[name] for name in ("PhysicalResourceId", "Data") if name in answer}

    def answer(self, raw: Any) -> dict[str, Any]:
        """The body of the answer, as CloudFormation takes it."""
        event = Event.of(raw)
        body = respond(event, STACK_ID, self.clients, self.clock.time()).body(event)
        assert len(body) <= ANSWER_MAX_BYTES
        return dict(json.loads(body))

    def jobs(self) -> dict[str, str]:
        """Every job's status by its name, oldest first."""
        rows = self.sagemaker.list_jobs(JobCategory=self.category.name, SortOrder="Ascending", SortBy="Name")[
            "JobSummaries"
        ]
        return {row["JobName"]: row["JobStatus"] for row in rows}

    def running(self) -> list[str]:
        return [name for name, status in self.jobs().items() if status in ("InProgress", "Stopping")]

    def submitted(self) -> list[dict[str, Any]]:
        """The CreateJob requests that reached the service."""
        return [call["request"] for call in store.calls if call["operation"] == "CreateJob"]

    def effects(self) -> list[str]:
        """The names of every job that was ever made, those deleted since included."""
        made = [call for call in store.calls if call["operation"] == "CreateJob" and call["done"]]
        return [call["request"]["JobName"] for call in made]

    def document(self) -> dict[str, Any]:
        """The last submitted document."""
        return dict(json.loads(self.submitted()[-1]["JobConfigDocument"]))

    def fail(self, operation: str, kind: str, times: int = 1) -> None:
        """Makes the next calls of the operation go wrong."""
        store.behaviour.faults.append({"operation": operation, "kind": kind, "times": times})

    def finish_jobs(self) -> None:
        """Lets more than a day pass."""
        self.clock.now += 30 * 3600
        self.clock.deadline = self.clock.now + 600

    def _group(self, name: str) -> str:
        return str(self.sagemaker.create_model_package_group(ModelPackageGroupName=name)["ModelPackageGroupArn"])


@dataclass
class Through:
    """A client whose calls go through something, which gets the call's name, the call and the request."""

    client: Any
    through: Callable[[str, Callable[..., Any], dict[str, Any]], Any]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self.client, name)
        return lambda **request: self.through(name, function, request)


@dataclass
class WorldClients:
    """The world's clients as they are: what has something go wrong with one inherits the others."""

    world: World

    @property
    def sagemaker(self) -> Any:
        return self.world.sagemaker

    @property
    def cloudformation(self) -> Any:
        return self.world.cloudformation

    @property
    def agentcore(self) -> Any:
        return self.world.agentcore

    @property
    def stepfunctions(self) -> Any:
        return self.world.stepfunctions

    @property
    def s3(self) -> Any:
        return self.world.s3

    def mlflow(self, app_arn: str) -> Fetch:
        return self.world.mlflow(app_arn)
