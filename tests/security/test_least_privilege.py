"""What the two roles use is what they are granted: actions and resources, and nothing without any one statement."""

import fnmatch
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pytest
from deployment import JOB, Deployment
from inbox import Inbox
from security.events import Events
from security.features import FEATURES, featured
from security.seeds import runtime, seed

from agent_rft_local import LocalAws
from agent_rft_local.service_run import Need

ROLE = "AWS::IAM::Role"

ONLY_WHERE_AN_ANSWER_LACKS_TAGS = {"sagemaker:ListTags"}
"""A job's tags are in DescribeJob's answer, but for a function whose boto3 predates that."""


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    with Inbox.opened() as inbox:
        yield inbox


def masked(answers: Iterator[str]) -> Iterator[str]:
    """The answers without what differs from round to round: the digests and ids in names."""
    for answer in answers:
        yield re.sub(r"[0-9a-f]{10,}", "DIGEST", answer)


@dataclass(frozen=True)
class Used:
    """A feature's stack after all that can happen to it, with what the roles did."""

    deployment: Deployment
    events: Events
    job: str
    answers: tuple[str, ...]
    decisions: tuple[dict[str, Any], ...]

    @property
    def aws(self) -> LocalAws:
        return self.deployment.aws

    @property
    def category(self) -> str:
        return str(self.events.sent["ResourceProperties"]["JobCategory"])

    def role(self, part: str) -> str:
        return self.deployment.physical_id(ROLE, part)

    def denied(self) -> list[Need]:
        """What the job's role may not do of what the service does with it."""
        return self.aws.run_service(self.job, self.category)


@pytest.fixture(scope="module", params=FEATURES)
def used(request: pytest.FixtureRequest, local_aws_session: LocalAws, inbox: Inbox) -> Iterator[Used]:
    """Created, its tags changed, its job replaced; then, the job that runs now aside, events of every kind."""
    aws, feature = local_aws_session, request.param
    aws.settle()
    aws.set(stop_seconds=0)
    seed(aws)
    aws.forget()
    deployment = Deployment(aws, f"Privilege-{feature}", featured)
    given = {"feature": feature, "runtime": runtime(aws)}
    assert deployment.deploy(**given) == "CREATE_COMPLETE", deployment.reasons()
    assert deployment.deploy(**given, tag="Team") == "UPDATE_COMPLETE", deployment.reasons()
    assert deployment.deploy(**given, tag="Team", epochs="2") == "UPDATE_COMPLETE", deployment.reasons()
    job = deployment.physical_id(JOB)
    events = Events(aws, inbox, next(each for each in reversed(aws.deliveries()) if each["ResourceType"] == JOB))
    aws.set(running_jobs=1000)
    with deployment.while_updating():
        answers = tuple(masked(events.worked()))
        yield Used(deployment, events, job, answers, tuple(aws.iam_log()))
    aws.settle()


def policies(aws: LocalAws, role: str) -> dict[str, dict[str, Any]]:
    """The role's inline policies by name."""
    iam = aws.client("iam")
    names = iam.list_role_policies(RoleName=role)["PolicyNames"]
    return {name: iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"] for name in names}


def statements(aws: LocalAws, role: str) -> list[dict[str, Any]]:
    """The statements of the role's inline policies, actions and resources as lists."""
    return [
        {**each, **{key: listed(each[key]) for key in ("Action", "Resource")}}
        for policy in policies(aws, role).values()
        for each in policy["Statement"]
    ]


def listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def is_ignored(statement: dict[str, Any]) -> bool:
    """What ministack does not decide: a function's own logs, and AgentCore's API."""
    return any(action.startswith(("logs:", "bedrock-agentcore:")) for action in listed(statement["Action"]))


def unused(granted: list[dict[str, Any]], uses: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Each granted action, and each granted resource, that nothing used."""
    left = set()
    for each in granted:
        covered = [(action, resource) for action, resource in uses if action in each["Action"]]
        left |= {(action, "any") for action in each["Action"] if action not in {name for name, _ in covered}}
        left |= {
            (",".join(each["Action"]), pattern)
            for pattern in each["Resource"]
            if not any(fnmatch.fnmatchcase(resource, _unversioned(pattern)) for _, resource in covered)
        }
    return left


def _unversioned(pattern: str) -> str:
    """A model's versions lie below its name; the Service Authorization Reference knows hub content by its name."""
    return pattern.removesuffix("/*") + "*" if ":hub-content/" in pattern else pattern


def without_one(aws: LocalAws, role: str, name: str, whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Takes one statement after another out of the policy, and puts it whole again."""
    iam = aws.client("iam")
    for taken in whole["Statement"]:
        rest = {**whole, "Statement": [each for each in whole["Statement"] if each != taken]}
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(rest))
        yield taken
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(whole))


def test_the_handler_uses_all_that_it_is_granted_and_is_denied_nothing(used: Used) -> None:
    role = used.role("HandlerRole")
    decisions = [row for row in used.decisions if f"assumed-role/{role}/" in row["principal"]]
    assert [row for row in decisions if not row["allowed"]] == []
    uses = {(row["action"], row["resource"]) for row in decisions}
    granted = [each for each in statements(used.aws, role) if not is_ignored(each)]
    assert {row for row in unused(granted, uses) if row[0] not in ONLY_WHERE_AN_ANSWER_LACKS_TAGS} == set()


def test_the_service_can_run_the_job_and_uses_all_that_the_execution_role_is_granted(used: Used) -> None:
    assert used.denied() == []
    role = used.role("ExecutionRole")
    uses = {(row["action"], row["resource"]) for row in used.aws.iam_log() if f"/{role}/" in row["principal"]}
    assert unused(statements(used.aws, role), uses) == set()


def test_without_any_one_statement_the_service_cannot_run_the_job(used: Used) -> None:
    role = used.role("ExecutionRole")
    ((name, whole),) = policies(used.aws, role).items()
    for taken in without_one(used.aws, role, name, whole):
        assert used.denied() != [], f"nothing needs {taken}"
    assert used.denied() == []


def test_without_any_one_statement_the_handler_cannot_do_its_work(used: Used) -> None:
    role = used.role("HandlerRole")
    for name, whole in policies(used.aws, role).items():
        if "ModelPackageGroup" in json.dumps(whole):  # Restricted groups have policies apart, as these outlast them
            continue
        for taken in without_one(used.aws, role, name, whole):
            if not is_ignored(taken):
                rounds = zip_longest(masked(used.events.worked()), used.answers)
                assert any(answer != whole_answer for answer, whole_answer in rounds), f"nothing needs {taken}"
    assert tuple(masked(used.events.worked())) == used.answers
