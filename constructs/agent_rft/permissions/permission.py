"""A permission, the roles that have permissions, and who says that they are needed."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from aws_cdk import aws_iam as iam

from agent_rft.arguments.validation import TEXT_TOKEN
from agent_rft_handler.facts import CATEGORIES

JOB_POLICY = "managed policy AmazonSageMakerJobFullAccess v1"
RUNTIME_POLICY = "managed policy AmazonSageMakerJobRuntimeAccess v2"
CALLER = "AWS docs: model-customize-mtrl-prereqs"
SAR = "service authorization reference: Amazon SageMaker"
ENCRYPTION = "AWS docs: model-customize-mtrl-encryption-at-rest"

EVERY_JOB = f"{' and '.join(CATEGORIES)} jobs of the own account and region"
"""In words, what job_arns.py says as an ARN."""


@dataclass(frozen=True)
class Role:
    """Who is granted something.

    Args:
        title: What it is called.
        sentence: What it is for, and where it comes from.
    """

    title: str
    sentence: str

    def may(self, *actions: str, on: str, reason: str, source: str) -> "Permission":
        """A permission for the role."""
        return Permission(self, actions, on, reason, source)


@dataclass(frozen=True)
class Permission:
    """Actions that are granted together.

    Args:
        role: Who is granted them.
        actions: The IAM actions.
        on: The resources, in words.
        reason: What the role does with them.
        source: Who says that they are needed.
    """

    role: Role
    actions: tuple[str, ...]
    on: str
    reason: str
    source: str


EXECUTION_ROLE = Role(
    "Execution role",
    "The job assumes it. Made, or given with `role=`. It trusts `job.sagemaker.amazonaws.com` of its own account.",
)
HANDLER_ROLE = Role("Handler's role", "The function that submits jobs when the stack deploys.")
AGENT_ROLE = Role("Agent's role", "By `grant_job_runtime(scope, agent)`: the runtime's role, or the function's.")
LOOK_ROLE = Role("Looking function's role", "The function that a watcher calls. Made with the first notification.")
WATCH_ROLE = Role("Watchers' role", "The state machines that tell of a job. Made with the first notification.")
QUEUE_ROLE = Role("Queues' role", "The state machines that work through queues. Made with the first of them.")
MLFLOW_ROLE = Role("MLflow app's role", "Made with `MlflowApp`.")
GRANTEE = Role(
    "Whoever you grant to",
    "By `grant_describe` and `grant_stop` of a job, `grant_read` and `grant_register` of a group, `grant_open` of an "
    "MLflow app. Its `grant_track` gives what the execution role may do on it; `grant_read_output` of a job gives what "
    "the CDK's own `bucket.grant_read` and `key.grant_decrypt` give.",
)


_TOKEN = re.compile(f"({TEXT_TOKEN})")


def literal(text: str) -> str:
    """Text of the user's as it stands in a resource or a condition: no wildcard, no policy variable; tokens stay.

    Source: AWS docs, IAM policy variables, special characters.
    """
    parts = _TOKEN.split(text)
    return "".join(part if _TOKEN.fullmatch(part) else re.sub(r"[*?]|\$(?=\{)", r"${\g<0>}", part) for part in parts)


@dataclass(frozen=True)
class Statement:
    """A permission on exactly these resources.

    Args:
        permission: What is allowed.
        resources: On which resources.
        conditions: When, as IAM writes it; always without any.
        given: The user's own statement, which is left as it is; none without it.
    """

    permission: Permission
    resources: tuple[str, ...]
    conditions: Mapping[str, Mapping[str, object]] = field(hash=False)
    given: iam.PolicyStatement | None = None

    @cached_property
    def conditions_text(self) -> str:
        """Its conditions as text, by which equal ones are known."""
        return json.dumps(self.conditions, sort_keys=True)

    def to_policy_statement(self) -> iam.PolicyStatement:
        """CDK's own statement."""
        if self.given:
            return self.given
        permission = self.permission
        return iam.PolicyStatement(
            actions=list(permission.actions),
            resources=list(self.resources),
            conditions=self.conditions or None,
        )


def statement(
    permission: Permission, *resources: str, conditions: Mapping[str, Mapping[str, object]] | None = None
) -> Statement:
    """The permission on exactly these resources."""
    return Statement(permission, resources, conditions or {})


def via(service: str) -> Mapping[str, Mapping[str, object]]:
    """The condition that the service uses the key, and not the role itself: ``via("s3")``."""
    return {"StringLike": {"kms:ViaService": f"{service}.*.amazonaws.com"}}


def given(by_user: iam.PolicyStatement) -> Statement:
    """A statement of the user's own."""
    actions = tuple(by_user.actions or by_user.not_actions)
    permission = EXECUTION_ROLE.may(*actions, on="", reason="", source="")
    resources = tuple(by_user.resources or by_user.not_resources)
    return Statement(permission, resources, by_user.conditions, by_user)
