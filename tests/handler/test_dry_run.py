"""dry_run: everything is checked, nothing is submitted, and no job is stopped for it; each transition by event."""

import pytest
from handler.world import ACCOUNT, REGION, WHOSE, World
from lifecycle.stack import Deployment, Stack

from agent_rft_handler.errors import Refused
from agent_rft_handler.job.names import DRY_RUN, job_name
from agent_rft_local import store


def name_of(world: World, **changed: object) -> str:
    return job_name(world.declaration(**changed), WHOSE)


def stops() -> int:
    return sum(call["operation"] == "StopJob" for call in store.calls)


def test_create_answers_what_a_submission_would_and_submits_nothing(world: World) -> None:
    dry = world.deliver("Create", world.declaration(dry_run=True))
    assert (world.jobs(), world.submitted()) == ({}, [])
    assert dry["PhysicalResourceId"] == f"dry-run:{name_of(world)}"
    real = world.deliver("Create", world.declaration())
    assert (dry["Data"], list(world.jobs())) == (real["Data"], [real["PhysicalResourceId"]])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model": "no-such-model"}, "has no model"),
        ({"model": "huggingface-llm-falcon-7b-bf16"}, "no recipe"),
        ({"hyperparameters": {"max_epoch": "1"}}, "does not take"),
        ({"agent_env": "nonsense"}, "agent_env is"),
        ({"mlflow_app": "nonsense"}, "mlflow_app is"),
        ({"dry_run": "yes"}, "dry_run is 'yes', but must be true or false"),
        ({"dry_run": "1"}, "dry_run is '1', but must be true or false"),
        ({"accept_eula": "no"}, "accept_eula is 'no', but must be true or false"),
    ],
)
@pytest.mark.parametrize("kind", ["Create", "Update"])
def test_what_a_submission_would_refuse_a_dry_run_refuses(
    world: World, kind: str, changed: dict[str, object], said: str
) -> None:
    old = world.declaration(dry_run=True)
    more = {"pid": DRY_RUN + name_of(world), "old": old} if kind == "Update" else {}
    with pytest.raises(Refused, match=said):
        world.deliver(kind, world.declaration(**{"dry_run": True, **changed}), **more)
    assert world.submitted() == []


def test_a_changed_dry_run_is_checked_anew_and_the_clean_up_of_the_former_is_success(world: World) -> None:
    stack = Stack(world)
    stack.deploy(world.declaration(dry_run=True))
    assert stack.deploy(world.declaration(dry_run=True, run_id="2"))
    assert stack.pid == DRY_RUN + name_of(world, run_id="2")
    assert (stack.healthy, world.submitted()) == (True, [])


def test_turned_off_it_submits_the_job_and_the_dry_runs_clean_up_leaves_it_running(world: World) -> None:
    stack = Stack(world)
    stack.deploy(world.declaration(dry_run=True))
    assert stack.deploy(world.declaration())
    assert world.jobs() == {name_of(world): "InProgress"}
    assert (stack.pid, stops()) == (name_of(world), 0)


@pytest.mark.parametrize("run_id", ["", "2"])
@pytest.mark.parametrize("how", [Deployment(later_fails=True), Deployment(answer_lost=True)])
def test_turned_off_in_a_deployment_that_fails_the_job_is_stopped_again(
    world: World, how: Deployment, run_id: str
) -> None:
    stack = Stack(world)
    stack.deploy(world.declaration(dry_run=True))
    assert not stack.deploy(world.declaration(run_id=run_id), how)
    world.clock.sleep(10)
    assert world.jobs() == {name_of(world, run_id=run_id): "Stopped"}
    assert (stack.pid, stack.healthy) == (DRY_RUN + name_of(world), True)


def test_turned_on_while_the_job_runs_it_is_refused_and_the_job_runs_on(world: World) -> None:
    for replacement in ("refuse", "stop_first", "submit_first"):
        stack = Stack(world)
        stack.deploy(world.declaration(replacement=replacement))
        for run_id in ("", "2"):
            assert not stack.deploy(world.declaration(replacement=replacement, run_id=run_id, dry_run=True))
        assert (world.running(), stack.healthy) == ([stack.pid], True)
        stack.destroy()
        world.clock.sleep(10)
    stack.deploy(world.declaration())
    before = stops()
    old, new = world.declaration(), world.declaration(dry_run=True)
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    with pytest.raises(Refused, match=r"is InProgress and would be stopped.*stop-job.*leave dry_run out"):
        world.deliver("Update", new, pid=stack.pid, old=old)
    assert stops() == before


def test_turned_on_after_the_job_ended_and_turned_off_again_it_submits_a_fresh_one(world: World) -> None:
    stack = Stack(world)
    stack.deploy(world.declaration())
    world.finish_jobs()
    first = name_of(world)
    new = world.declaration(dry_run=True)
    world.cloudformation.status = "UPDATE_IN_PROGRESS"
    answer = world.deliver("Update", new, pid=first, old=world.declaration())
    assert answer["Data"]["JobName"] == f"{first}-2"
    assert stack.deploy(new)
    assert stack.deploy(world.declaration())
    assert world.jobs() == {first: "Completed", f"{first}-2": "InProgress"}
    assert stops() == 0


@pytest.mark.parametrize("run_id", ["", "2"])
@pytest.mark.parametrize("how", [Deployment(later_fails=True), Deployment(answer_lost=True)])
def test_turned_on_in_a_deployment_that_fails_it_leads_back_to_the_ended_job(
    world: World, how: Deployment, run_id: str
) -> None:
    stack = Stack(world)
    stack.deploy(world.declaration())
    world.finish_jobs()
    assert not stack.deploy(world.declaration(dry_run=True, run_id=run_id), how)
    assert (stack.pid, stack.healthy, len(world.submitted())) == (name_of(world), True, 1)


def test_a_rollback_to_a_dry_run_checks_nothing_so_that_it_cannot_fail(world: World) -> None:
    old, new = world.declaration(model="gone-since", dry_run=True), world.declaration()
    name = world.deliver("Create", new)["PhysicalResourceId"]
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
    gone = name_of(world, model="gone-since")
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/{gone}"
    assert world.deliver("Update", old, pid=name, old=new) == {
        "PhysicalResourceId": DRY_RUN + gone,
        "Data": {"JobName": gone, "JobArn": arn, "BaseModelArn": ""},
    }


def test_delete_is_success_whatever_the_id_and_touches_no_job(world: World) -> None:
    world.deliver("Create", world.declaration())
    dry = world.declaration(dry_run=True)
    for pid in (DRY_RUN + name_of(world), "Wordle-Job-1ABCDEF", "2026/12/01/[$LATEST]0123abcd"):
        assert world.deliver("Delete", dry, pid=pid) == {"PhysicalResourceId": pid}
    world.deliver("Delete", world.declaration(), pid=DRY_RUN + name_of(world))
    assert world.running() == [name_of(world)]


def test_a_create_that_fails_or_is_cancelled_leaves_nothing(world: World) -> None:
    for how in (Deployment(later_fails=True), Deployment(answer_lost=True), Deployment(delivered_twice=True)):
        stack = Stack(world)
        stack.deploy(world.declaration(dry_run=True), how)
        stack.destroy()
        assert (stack.healthy, world.submitted()) == (True, [])


def test_it_stops_what_runs_though_the_stack_does_not_know_it(world: World) -> None:
    old, lost = world.declaration(), world.declaration(run_id="lost")
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    world.cloudformation.known = {"Job": first}
    stray = world.deliver("Update", lost, pid=first, old=old)["PhysicalResourceId"]
    world.deliver("Update", world.declaration(run_id="2", dry_run=True), pid=first, old=old)
    world.clock.sleep(10)
    assert world.jobs() == {first: "Completed", stray: "Stopped"}
