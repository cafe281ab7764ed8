"""A watch: one watcher for each job by its name, whatever is delivered; and what a look at a job says."""

import datetime
import json
from typing import Any, NoReturn

import pytest
from botocore.exceptions import ClientError
from handler.world import STACK_ID, World

from agent_rft_handler import facts, watch
from agent_rft_handler.contract import WATCH_RESOURCE_TYPE
from agent_rft_handler.job_event import LAG, LOGICAL_ID, wait
from agent_rft_handler.job_event import STACK_ID as STACK
from agent_rft_handler.watch.look import look
from agent_rft_handler.watch.watched import Watched
from agent_rft_local import store

MACHINE = "arn:aws-us-gov:states:us-west-2:111122223333:stateMachine:Watcher-abc"
JOB = "qwen3-mtrl-0123456789-0123456789ab"


def properties(job_name: str = JOB, **changed: Any) -> dict[str, Any]:
    plain = {
        "StateMachineArn": MACHINE,
        "JobName": job_name,
        "JobCategory": facts.AGENT_RFT.name,
        "EverySeconds": "60",
        STACK: STACK_ID,
        LOGICAL_ID: "TrainerJob",
    }
    return {"ServiceToken": "token", **plain, **changed}


def deliver(world: World, kind: str, given: dict[str, Any], pid: str = "") -> dict[str, Any]:
    """Delivers a watch's event; the answer."""
    event = {
        "RequestType": kind,
        "RequestId": world.next_request_id(),
        "StackId": STACK_ID,
        "ResourceType": WATCH_RESOURCE_TYPE,
        "LogicalResourceId": "Watch",
        "ResourceProperties": given,
        **({"PhysicalResourceId": pid} if pid else {}),
    }
    return world.answer(event)


def state(job_name: str) -> dict[str, Any]:
    """What a watcher of this job starts from."""
    return dict(json.loads(Watched.of(properties(job_name)).execution_input))


class Boto:
    """The world's SageMaker with boto3's types: its moments are datetimes, not the wire's seconds."""

    def __init__(self, world: World) -> None:
        self.sagemaker = self
        self._world = world

    def describe_job(self, **request: str) -> dict[str, Any]:
        answer = self._world.sagemaker.describe_job(**request)
        moments = {name for name in answer if name.endswith("Time")}
        utc = datetime.UTC
        return {**answer, **{name: datetime.datetime.fromtimestamp(answer[name], utc) for name in moments}}


def looked(given: dict[str, Any], world: World, later: float = 0) -> dict[str, Any]:
    """The look of a watcher in this state."""
    clients: Any = Boto(world)
    return look(given, clients, world.clock.now + later)


def submitted(world: World) -> str:
    return str(world.deliver("Create", world.declaration())["PhysicalResourceId"])


def test_each_job_has_one_watcher_by_its_name_and_the_watch_keeps_its_id(world: World) -> None:
    first = deliver(world, "Create", properties())
    again = deliver(world, "Create", properties())
    updated = deliver(world, "Update", properties("another-job"), first["PhysicalResourceId"])
    assert {each["Status"] for each in (first, again, updated)} == {"SUCCESS"}
    assert {each["PhysicalResourceId"] for each in (first, again, updated)} == {"watch:Watch"}
    assert list(world.stepfunctions.started) == [JOB, "another-job"]
    assert world.stepfunctions.started[JOB]["stateMachineArn"] == MACHINE


@pytest.mark.parametrize("status", ["UPDATE_ROLLBACK_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "DELETE_IN_PROGRESS"])
def test_a_rollback_starts_no_watcher(world: World, status: str) -> None:
    world.cloudformation.status = status
    assert deliver(world, "Update", properties(), "watch:Watch")["Status"] == "SUCCESS"
    assert world.stepfunctions.started == {}


@pytest.mark.parametrize("kind", ["Create", "Update", "Delete"])
def test_no_event_fails_because_step_functions_does(world: World, kind: str) -> None:
    denied: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
    world.stepfunctions.fails = ClientError(denied, "StartExecution")
    assert deliver(world, kind, properties(), "" if kind == "Create" else "watch:Watch")["Status"] == "SUCCESS"


def test_a_stack_that_cannot_be_asked_goes_forward(world: World) -> None:
    def denied(StackName: str) -> NoReturn:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": StackName}}, "DescribeStacks")

    world.cloudformation.describe_stacks = denied  # type: ignore[method-assign]
    deliver(world, "Create", properties())
    assert list(world.stepfunctions.started) == [JOB]


def test_a_watcher_that_cannot_start_is_an_error_in_the_log_and_one_that_runs_is_none(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        deliver(world, "Create", properties())
    assert "nobody is told" not in caplog.text
    denied: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
    world.stepfunctions.fails = ClientError(denied, "StartExecution")
    deliver(world, "Create", properties())
    assert f"The job {JOB} runs, but nobody is told about it" in caplog.text


def test_a_watcher_starts_from_whose_job_it_is(world: World) -> None:
    deliver(world, "Create", properties())
    assert json.loads(world.stepfunctions.started[JOB]["input"]) == {
        "JobName": JOB,
        "JobCategory": facts.AGENT_RFT.name,
        "EverySeconds": "60",
        STACK: STACK_ID,
        LOGICAL_ID: "TrainerJob",
        "JobStatus": "",
    }


def test_lambda_calls_the_look_with_the_watchers_state(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch.look, "CLIENTS", Boto(world))
    job = submitted(world)
    assert watch.look.handler(state(job), None)["JobStatus"] == "InProgress"


def test_a_throttled_start_is_tried_again_for_minutes(world: World) -> None:
    throttled: Any = {"Error": {"Code": "ThrottlingException", "Message": "slow down"}}
    world.stepfunctions.fails = ClientError(throttled, "StartExecution")
    begun = world.clock.now
    assert deliver(world, "Create", properties())["Status"] == "SUCCESS"
    assert world.clock.now - begun > 120


def test_a_deleted_watch_ends_its_watcher(world: World) -> None:
    deliver(world, "Delete", properties(), "watch:Watch")
    assert world.stepfunctions.stopped == [f"{MACHINE.replace('stateMachine', 'execution')}:{JOB}"]


@pytest.mark.parametrize("broken", [{"JobName": "not a name"}, {"StateMachineArn": "x"}, {"JobCategory": ""}])
def test_a_malformed_watch_starts_nothing_and_is_success(world: World, broken: dict[str, str]) -> None:
    for kind in ("Create", "Delete"):
        assert deliver(world, kind, properties(**broken))["Status"] == "SUCCESS"
    assert (world.stepfunctions.started, world.stepfunctions.stopped) == ({}, [])


def test_a_look_says_what_changed_and_once_only(world: World) -> None:
    job = submitted(world)
    first = looked(state(job), world)
    second = looked(first, world)
    world.finish_jobs()
    last = looked(second, world)
    assert [each["IsChanged"] for each in (first, second, last)] == [True, False, True]
    assert [each["IsEnded"] for each in (first, second, last)] == [False, False, True]
    assert (last["Detail"]["PreviousJobStatus"], last["Detail"]["JobStatus"]) == ("InProgress", "Completed")
    assert last["Detail"]["OutputModelPackageArn"].startswith("arn:aws:sagemaker:")
    assert (last["Detail"][STACK], last["Detail"][LOGICAL_ID]) == (STACK_ID, "TrainerJob")


def test_a_look_crosses_the_wire_as_json_and_every_detail_is_text(world: World) -> None:
    seen = looked(state(submitted(world)), world)
    assert json.loads(json.dumps(seen)) == seen
    assert all(isinstance(value, str) for value in seen["Detail"].values())


def test_a_job_that_does_not_show_is_waited_for_and_one_that_vanished_is_not(world: World) -> None:
    unseen = looked(state("no-such-job"), world)
    assert not unseen["IsEnded"]
    assert looked(unseen, world, LAG)["IsEnded"]
    job = submitted(world)
    seen = looked(state(job), world)
    world.fail("DescribeJob", "gone")
    assert looked(seen, world)["IsEnded"]


def test_a_look_says_how_the_job_fares_in_a_sentence(world: World) -> None:
    store.behaviour.outcome = "Failed"
    job = submitted(world)
    running = looked(state(job), world)
    assert (running["HasFailed"], running["Reason"]) == (False, "The job is InProgress.")
    world.finish_jobs()
    failed = looked(running, world)
    assert (failed["HasFailed"], failed["IsEnded"]) == (True, True)
    assert failed["Reason"] == store.behaviour.failure_reason
    assert failed["JobArn"].endswith(f"/{job}")


def test_a_job_that_does_not_show_is_looked_for_until_the_lag_is_over(world: World) -> None:
    begun = world.clock.now
    first = looked(state("no-such-job"), world)
    assert (first["Since"], first["IsChanged"], first["HasFailed"]) == (begun, False, False)
    assert (first["Reason"], first["Wait"]) == ("There is no such job.", 30)
    later = looked(first, world, LAG - 1)
    assert (later["Since"], later["IsEnded"]) == (begun, False)
    assert looked(later, world, LAG)["IsEnded"]


def test_the_next_look_follows_the_jobs_age_and_the_time_between_looks(world: World) -> None:
    seen = looked(state(submitted(world)), world)
    assert (seen["Wait"], seen["Since"]) == (60, world.clock.now)
    assert looked(seen, world, 100 * 3600)["Wait"] == 3600


def test_a_throttled_look_is_the_state_machines_to_try_again(world: World) -> None:
    job = submitted(world)
    world.fail("DescribeJob", "throttled")
    with pytest.raises(ClientError):
        looked(state(job), world)


def looks(days: float, every: float = 60) -> int:
    """How many looks a watcher needs for a job that runs so long."""
    now, count = 0.0, 0
    while now < days * 86400:
        now += wait(0.0, every, now)
        count += 1
    return count


def test_a_month_fits_into_one_execution() -> None:
    """Step Functions ends an execution at 25,000 events; a look is eleven of them."""
    assert looks(1) < 400
    assert looks(30) * 11 < 25_000
    assert looks(365) * 11 < 25_000
