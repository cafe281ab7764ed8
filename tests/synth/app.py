"""A stack with what a trainer needs, and the template that comes of it."""

import json
from dataclasses import dataclass, field
from typing import Any

from aws_cdk import App, Duration, Environment, Stack
from aws_cdk import aws_lambda as lambda_
from aws_cdk.assertions import Template

from agent_rft import MultiTurnRLTrainer

ACCOUNT, REGION = "111122223333", "us-west-2"
RUNTIME_ARN = f"arn:aws:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/my-AbCdEfGhIj"
LAMBDA_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent"
JOB = "Custom::AgentRFTJob"
PACKAGE_ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package/tuned/3"
KEY_ARN = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def unstaged_app() -> App:
    """An app that copies no file anywhere: its templates name an asset by the digest of its content all the same."""
    return App(context={"aws:cdk:disable-asset-staging": True})


def stack_of(app: App | None = None, name: str = "S", **env: str) -> Stack:
    """An empty stack of a known account and region, or of those given."""
    known = env or {"account": ACCOUNT, "region": REGION}
    return Stack(app or unstaged_app(), name, env=Environment(**known))


def agnostic_stack() -> Stack:
    """An empty stack that learns its account and region at deploy."""
    return Stack(unstaged_app(), "S")


def trainer(stack: Stack, id: str = "Trainer", **changed: Any) -> MultiTurnRLTrainer:
    """The plain trainer, with some of it changed; None takes an argument away."""
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "agent_env": RUNTIME_ARN,
        "training_dataset": "s3://data-bkt/prompts/train.parquet",
        "hyperparameters": {"max_epochs": 1, "max_steps": 10},
    }
    given = {name: value for name, value in {**plain, **changed}.items() if value is not None}
    return MultiTurnRLTrainer(stack, id, **given)


@dataclass
class Synthesized:
    """A template, asked about."""

    stack: Stack
    template: Template = field(init=False)

    def __post_init__(self) -> None:
        self.template = Template.from_stack(self.stack)

    @property
    def json(self) -> dict[str, Any]:
        return dict(self.template.to_json())

    @property
    def text(self) -> str:
        return json.dumps(self.json)

    def resources(self, kind: str) -> dict[str, Any]:
        """The resources of a type by their logical ids."""
        return dict(self.template.find_resources(kind))

    def job(self) -> dict[str, Any]:
        """The one job's properties."""
        (resource,) = self.resources(JOB).values()
        return dict(resource["Properties"])

    def statements(self, role: str = "ExecutionRole") -> list[dict[str, Any]]:
        """The statements of every role and policy whose name holds ``role``."""
        properties = [
            each["Properties"]
            for kind in ("AWS::IAM::Role", "AWS::IAM::Policy")
            for name, each in self.resources(kind).items()
            if role in name
        ]
        policies = [policy for each in properties for policy in each.get("Policies", [each])]
        return [statement for each in policies for statement in each.get("PolicyDocument", {}).get("Statement", [])]

    def allowed(self, action: str, role: str = "ExecutionRole") -> list[str]:
        """The resources on which the role may do the action, as readable text."""
        found: list[str] = []
        for statement in self.statements(role):
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            if action in actions:
                resources = statement["Resource"]
                found += [readable(each) for each in (resources if isinstance(resources, list) else [resources])]
        return found

    def warnings(self) -> list[str]:
        """The warnings of the stack."""
        entries = [entry for construct in self.stack.node.find_all() for entry in construct.node.metadata]
        return [str(entry.data) for entry in entries if entry.type == "aws:cdk:warning"]


def synth(**changed: Any) -> Synthesized:
    """The plain trainer in a stack of its own, synthesized."""
    stack = stack_of()
    trainer(stack, **changed)
    return Synthesized(stack)


def readable(value: Any) -> str:
    """``Fn::Join`` and references as text: ``arn:${AWS::Partition}:s3:::data``."""
    if isinstance(value, str):
        return value
    ((function, argument),) = value.items()
    if function == "Fn::Join":
        return "".join(map(readable, argument[1]))
    if function == "Ref":
        return f"${{{argument}}}"
    if function == "Fn::GetAtt":
        return f"${{{'.'.join(argument)}}}"
    return json.dumps(value)


def function_in(stack: Stack) -> lambda_.Function:
    """An agent's function, with the time that a rollout has."""
    return lambda_.Function(
        stack,
        "Agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline("def handler(event, context): return {}"),
        timeout=Duration.minutes(10),
    )
