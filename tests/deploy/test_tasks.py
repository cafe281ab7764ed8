"""A job as a state of a state machine: submitted, waited for, failed with its reason, stopped with its execution."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from deploy import apps
from deployment import Deployment

MACHINE = "AWS::StepFunctions::StateMachine"


@pytest.fixture
def machine(changing: Deployment) -> Deployment:
    """A stack with a state machine that trains; waits take a fiftieth of their time."""
    changing.aws.set(wait_scale=0.02)
    deployment = changing.declared_by(apps.tasks)
    assert deployment.deploy() == "CREATE_COMPLETE", deployment.reasons()
    return deployment


def trained(machine: Deployment) -> dict[str, str]:
    """The status of each training job of the stack."""
    client, found = machine.aws.client("sagemaker"), {}
    for call in machine.aws.calls("CreateJob"):
        request = call["request"]
        if request["JobCategory"] == "AgentRFT":
            job = client.describe_job(JobName=request["JobName"], JobCategory="AgentRFT")
            found[job["JobName"]] = job["JobStatus"]
    return found


def start(machine: Deployment, epochs: int = 2) -> str:
    """Starts an execution; its ARN."""
    given = {"stateMachineArn": machine.physical_id(MACHINE), "input": json.dumps({"epochs": epochs})}
    return str(machine.aws.client("stepfunctions").start_execution(**given)["executionArn"])


def described(machine: Deployment, execution: str) -> dict[str, Any]:
    return dict(machine.aws.client("stepfunctions").describe_execution(executionArn=execution))


def until(done: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def ended(machine: Deployment, execution: str) -> dict[str, Any]:
    until(lambda: described(machine, execution)["status"] != "RUNNING")
    return described(machine, execution)


def denied(machine: Deployment) -> list[dict[str, Any]]:
    """What this stack's roles were denied; a role's name starts with its stack's."""
    start = f"assumed-role/{machine.stack[:24]}"
    return [row for row in machine.aws.iam_log() if start in row["principal"] and not row["allowed"]]


def test_each_execution_trains_once_and_passes_on_what_came_of_it(machine: Deployment) -> None:
    assert trained(machine) == {}  # the deployment checked the trainer, and submitted nothing
    machine.aws.set(job_seconds=1, running_jobs=2)
    answers = [ended(machine, execution) for execution in (start(machine, 2), start(machine, 3))]
    assert [each["status"] for each in answers] == ["SUCCEEDED", "SUCCEEDED"]
    results = [json.loads(each["output"])["Train"] for each in answers]
    assert trained(machine) == {each["JobName"]: "Completed" for each in results}
    assert all(each["OutputModelPackageArn"].startswith("arn:aws:sagemaker:") for each in results)
    documents = [json.loads(call["request"]["JobConfigDocument"]) for call in machine.aws.calls("CreateJob")]
    sent = [each for each in documents if "TrainingConfig" in each]
    assert sorted(each["TrainingConfig"]["HyperParameters"]["max_epochs"] for each in sent) == ["2", "3"]
    assert denied(machine) == []


def test_what_was_tuned_is_evaluated(machine: Deployment) -> None:
    machine.aws.set(job_seconds=1)
    output = json.loads(ended(machine, start(machine))["output"])
    document = json.loads(machine.aws.calls("CreateJob")[-1]["request"]["JobConfigDocument"])
    assert document["ModelPackageConfig"] == {"InputModelPackageArn": output["Train"]["OutputModelPackageArn"]}
    assert (output["Evaluate"]["JobCategory"], output["Evaluate"]["JobStatus"]) == ("AgentRFTEvaluation", "Completed")
    assert machine.aws.run_service(output["Evaluate"]["JobName"], "AgentRFTEvaluation") == []
    assert denied(machine) == []


def test_a_job_that_fails_fails_its_state_with_the_reason(machine: Deployment) -> None:
    machine.aws.set(job_seconds=1, outcome="Failed", failure_reason="the agent never answered")
    answer = ended(machine, start(machine))
    assert (answer["status"], answer["error"], answer["cause"]) == ("FAILED", "JobFailed", "the agent never answered")


def test_an_aborted_execution_stops_its_job(machine: Deployment) -> None:
    execution = start(machine)
    until(lambda: list(trained(machine).values()) == ["InProgress"])
    machine.aws.client("stepfunctions").stop_execution(executionArn=execution)
    until(lambda: list(trained(machine).values()) == ["Stopped"])


def test_a_used_up_quota_is_waited_for(machine: Deployment) -> None:
    machine.aws.set(job_seconds=6)
    executions = [start(machine), start(machine)]
    answers = [ended(machine, each) for each in executions]
    assert [each["status"] for each in answers] == ["SUCCEEDED", "SUCCEEDED"], [
        (each.get("error"), each.get("cause")) for each in answers
    ]
    assert list(trained(machine).values()) == ["Completed", "Completed"]


def test_throttling_and_lost_answers_lose_and_double_nothing(machine: Deployment) -> None:
    machine.aws.set(job_seconds=1)
    kinds = ("throttled", "error_after", "reset")
    machine.aws.set(faults=[{"operation": "CreateJob", "kind": kind, "times": 1} for kind in kinds])
    assert ended(machine, start(machine))["status"] == "SUCCEEDED"
    assert list(trained(machine).values()) == ["Completed"]


def test_a_deleted_stack_leaves_no_job_running(machine: Deployment) -> None:
    start(machine)
    until(lambda: list(trained(machine).values()) == ["InProgress"])
    machine.delete()
    assert set(trained(machine).values()) <= {"Stopping", "Stopped"}


def test_a_trainers_package_is_evaluated_by_itself_and_once(changing: Deployment) -> None:
    changing.aws.set(wait_scale=0.02, job_seconds=2)
    deployment = changing.declared_by(apps.evaluated)
    assert deployment.deploy() == "CREATE_COMPLETE", deployment.reasons()
    until(lambda: len(evaluations(deployment)) == 1)
    (sent,) = evaluations(deployment)
    document = json.loads(sent["JobConfigDocument"])
    assert document["ModelPackageConfig"]["InputModelPackageArn"].startswith("arn:aws:sagemaker:")
    machines = deployment.aws.client("stepfunctions").list_state_machines()["stateMachines"]
    of_stack = [each["stateMachineArn"] for each in machines if deployment.stack[:20] in each["name"]]
    client = deployment.aws.client("stepfunctions")
    runs = [row for arn in of_stack for row in client.list_executions(stateMachineArn=arn)["executions"]]
    assert len(runs) == 2
    assert len({row["name"] for row in runs}) == 1  # the watcher's and the evaluation's are both called like the job
    until(lambda: [described(deployment, row["executionArn"])["status"] for row in runs] == ["SUCCEEDED"] * 2)
    assert denied(deployment) == []
    assert len(evaluations(deployment)) == 1


def evaluations(deployment: Deployment) -> list[dict[str, Any]]:
    """The evaluations that were submitted."""
    sent = [call["request"] for call in deployment.aws.calls("CreateJob")]
    return [each for each in sent if each["JobCategory"] == "AgentRFTEvaluation"]
