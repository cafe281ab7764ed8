"""What the two roles use is what they are granted: actions and resources, and nothing without any one statement."""

import fnmatch
import json
import re
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_rft_handler.facts import AGENT_RFT, MODEL_ALIASES
from agent_rft_local import LocalAws
from agent_rft_local.service_run import needs

APP = Path(__file__).with_name("app.py")
FEATURES = ("plain", "found", "package", "elsewhere", "nova", "protected")

IMAGE = "000000000000.dkr.ecr.us-east-1.amazonaws.com/agent:1"

ONLY_ON_THE_WAY_TO_AN_ERROR = {"sagemaker:ListHubContents"}
"""Granted for a better message: a model that is not found."""

Deployed = tuple[LocalAws, str, str]


def cdk(aws: LocalAws, command: str, feature: str, **context: str) -> None:
    arguments = {"deploy": ("--require-approval", "never"), "destroy": ("--force",)}[command]
    given = {"stack": f"Privilege-{feature}", "feature": feature, "runtime": runtime(aws), **context}
    aws.cdk(command, *arguments, app=f"{sys.executable} {APP}", cwd=aws.directory, context=given)


def runtime(aws: LocalAws) -> str:
    """An AgentCore runtime's bare id, made once."""
    client = aws.client("bedrock-agentcore-control")
    for row in client.list_agent_runtimes()["agentRuntimes"]:
        return str(row["agentRuntimeId"])
    made = client.create_agent_runtime(
        agentRuntimeName="agent",
        agentRuntimeArtifact={
            "containerConfiguration": {"containerUri": "000000000000.dkr.ecr.us-east-1.amazonaws.com/a:1"}
        },
        roleArn="arn:aws:iam::000000000000:role/agent",
        networkConfiguration={"networkMode": "PUBLIC"},
    )
    return str(made["agentRuntimeId"])


@pytest.fixture(scope="module", params=FEATURES)
def deployed(request: pytest.FixtureRequest, local_aws_session: LocalAws) -> Iterator[Deployed]:
    """The stack after a create, an update of tags and a replacing update; with the job that runs then."""
    aws, feature = local_aws_session, request.param
    aws.set(job_seconds=3600, stop_seconds=0.2, running_jobs=1, outcome="Completed", faults=[])
    seed(aws)
    aws.forget()
    cdk(aws, "deploy", feature)
    cdk(aws, "deploy", feature, tag="Team")
    cdk(aws, "deploy", feature, tag="Team", epochs="2")
    job = aws.client("sagemaker").list_jobs(JobCategory=AGENT_RFT.name, StatusEquals="InProgress")["JobSummaries"][0]
    yield aws, feature, job["JobName"]
    stop_all(aws)


def seed(aws: LocalAws) -> None:
    """A package to continue from, its group, and an app to be found."""
    client = aws.client("sagemaker")
    groups = [
        row["ModelPackageGroupName"] for row in client.list_model_package_groups()["ModelPackageGroupSummaryList"]
    ]
    if "earlier" in groups:
        return
    for name in ("earlier", "elsewhere"):
        client.create_model_package_group(ModelPackageGroupName=name)
    client.create_mlflow_app(Name="found", ArtifactStoreUri="s3://a/b", RoleArn="arn:aws:iam::000000000000:role/mlflow")
    base = {"HubContentName": "huggingface-reasoning-qwen3-32b", "HubContentVersion": "1.0.0"}
    aws.seed_model_package(
        ModelPackageArn="arn:aws:sagemaker:us-east-1:000000000000:model-package/earlier/1",
        InferenceSpecification={"Containers": [{"Image": "image", "BaseModel": base}]},
    )


def role_of(aws: LocalAws, stack: str, part: str) -> str:
    rows: list[Any] = aws.client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
    return next(
        str(row["PhysicalResourceId"])
        for row in rows
        if row["ResourceType"] == "AWS::IAM::Role" and part in row["LogicalResourceId"]
    )


def statements(aws: LocalAws, role: str) -> list[dict[str, Any]]:
    """The statements of the role's inline policies, actions and resources as lists."""
    iam = aws.client("iam")
    names = iam.list_role_policies(RoleName=role)["PolicyNames"]
    policies = [iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"] for name in names]
    return [
        {**each, **{key: listed(each[key]) for key in ("Action", "Resource")}}
        for policy in policies
        for each in policy["Statement"]
    ]


def listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def unused(granted: list[dict[str, Any]], used: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Each granted action, and each granted resource, that nothing used."""
    left = set()
    for each in granted:
        uses = [(action, resource) for action, resource in used if action in each["Action"]]
        left |= {(action, "any") for action in each["Action"] if action not in {used_action for used_action, _ in uses}}
        left |= {
            (",".join(each["Action"]), pattern)
            for pattern in each["Resource"]
            if not any(fnmatch.fnmatchcase(resource, pattern) for _, resource in uses)
        }
    return left


def test_the_handler_uses_all_that_it_is_granted_and_is_denied_nothing(deployed: Deployed) -> None:
    aws, feature, _ = deployed
    role = role_of(aws, f"Privilege-{feature}", "HandlerRole")
    decisions = [row for row in aws.iam_log() if f"assumed-role/{role}/" in row["principal"]]
    assert [row for row in decisions if not row["allowed"]] == []
    used = {(row["action"], row["resource"]) for row in decisions}
    granted = [each for each in statements(aws, role) if not ignored(each)]
    left = {row for row in unused(granted, used) if row[0] not in ONLY_ON_THE_WAY_TO_AN_ERROR}
    assert left == set()


def ignored(statement: dict[str, Any]) -> bool:
    """What ministack does not decide: a function's own logs, and AgentCore's API."""
    return any(action.startswith(("logs:", "bedrock-agentcore:")) for action in statement["Action"])


def test_the_service_can_run_the_job_and_uses_all_that_the_execution_role_is_granted(deployed: Deployed) -> None:
    aws, feature, job = deployed
    assert aws.run_service(job) == []
    role = role_of(aws, f"Privilege-{feature}", "ExecutionRole")
    described = aws.client("sagemaker").describe_job(JobName=job, JobCategory=AGENT_RFT.name)
    used = {
        (need.action, need.resource) for need in needs(json.loads(described["JobConfigDocument"]), described["JobArn"])
    }
    assert unused(statements(aws, role), used) == set()


def test_without_any_one_statement_the_service_cannot_run_the_job(deployed: Deployed) -> None:
    aws, feature, job = deployed
    iam, role = aws.client("iam"), role_of(aws, f"Privilege-{feature}", "ExecutionRole")
    (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
    whole = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
    for taken in whole["Statement"]:
        rest = {**whole, "Statement": [each for each in whole["Statement"] if each != taken]}
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(rest))
        assert aws.run_service(job) != [], f"nothing needs {taken}"
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(whole))
    assert aws.run_service(job) == []


def test_without_any_one_statement_the_handler_cannot_do_its_work(deployed: Deployed) -> None:
    aws, feature, _ = deployed
    iam, role = aws.client("iam"), role_of(aws, f"Privilege-{feature}", "HandlerRole")
    name, whole = own_policy(iam, role)
    expected = work(aws, f"Privilege-{feature}")
    for taken in whole["Statement"]:
        if ignored(taken | {"Action": listed(taken["Action"])}):
            continue
        rest = {**whole, "Statement": [each for each in whole["Statement"] if each != taken]}
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(rest))
        assert work(aws, f"Privilege-{feature}") != expected, f"nothing needs {taken}"
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(whole))
    assert work(aws, f"Privilege-{feature}") == expected


def own_policy(iam: Any, role: str) -> tuple[str, dict[str, Any]]:
    """The handler's policy for jobs; a Restricted group's is a policy of its own, as it goes with the group."""
    names = iam.list_role_policies(RoleName=role)["PolicyNames"]
    policies = {name: iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"] for name in names}
    ((name, whole),) = [(name, policy) for name, policy in policies.items() if "iam:PassRole" in json.dumps(policy)]
    return name, whole


def work(aws: LocalAws, stack: str) -> list[str]:
    """What comes of events that use every right: two refusals with lists in them, create, tags, replace, delete."""
    stop_all(aws)
    event = next(each for each in reversed(aws.deliveries()) if each["StackId"].split("/")[1] == stack)
    properties = event["ResourceProperties"]
    run = uuid.uuid4().hex  # what an earlier round submitted is no answer of this one's
    wrong = {**properties, "Hyperparameters": {"max_epoch": "1"}, "RunId": run}
    # a name that the declared model's rights cover, and that no model has
    model = MODEL_ALIASES.get(properties["Model"], properties["Model"])
    missing = "no-such-model" if ":model-package/" in model else f"{model}-x"
    unknown = {**properties, "Model": missing, "RunId": run}
    first, tagged = {**properties, "RunId": run}, {**properties, "RunId": run, "Tags": {"Worked": "yes"}}
    second = {**tagged, "RunId": f"{run}-2", "Replacement": "stop_first"}
    found = [invoke(aws, event, "Create", wrong), invoke(aws, event, "Create", unknown)]
    pid = invoke(aws, event, "Create", first)
    found += [pid, invoke(aws, event, "Update", tagged, pid, first)]
    after = invoke(aws, event, "Update", second, pid, tagged)
    found += [after, invoke(aws, event, "Delete", second, after)]
    return [re.sub(r"-[0-9a-f]{16}\b", "-DIGEST", each) for each in found]


def invoke(aws: LocalAws, event: dict[str, Any], kind: str, properties: Any, pid: str = "", old: Any = None) -> str:
    """One event straight to the handler function: the id of its answer, or the sentence of its refusal."""
    rows: list[Any] = aws.client("cloudformation").describe_stack_resources(StackName=event["StackId"])[
        "StackResources"
    ]
    function = next(
        row["PhysicalResourceId"]
        for row in rows
        if row["ResourceType"] == "AWS::Lambda::Function" and "ProviderHandler" in row["LogicalResourceId"]
    )
    given = {**event, "RequestType": kind, "ResourceProperties": properties, "PhysicalResourceId": pid}
    given |= {"OldResourceProperties": old} if old else {}
    answer = json.loads(aws.client("lambda").invoke(FunctionName=function, Payload=json.dumps(given))["Payload"].read())
    return str(answer.get("PhysicalResourceId") or answer["errorMessage"])


def stop_all(aws: LocalAws) -> None:
    client = aws.client("sagemaker")
    for row in client.list_jobs(JobCategory=AGENT_RFT.name, StatusEquals="InProgress")["JobSummaries"]:
        client.stop_job(JobName=row["JobName"], JobCategory=AGENT_RFT.name)
    while client.list_jobs(JobCategory=AGENT_RFT.name, StatusEquals="Stopping")["JobSummaries"]:
        time.sleep(0.05)
