"""A new job while the earlier one runs: refused, after it, or beside it."""

import pytest
from handler.world import World

from agent_rft_handler.deadline import SUBMIT
from agent_rft_handler.errors import Refused
from agent_rft_handler.job.jobs import POLL
from agent_rft_local import store


def test_replacement_refuse_names_the_running_job_and_changes_nothing(world: World) -> None:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(hyperparameters={"max_epochs": "2"})
    with pytest.raises(Refused, match=rf"{first} is InProgress.*stop-job.*Replacement.STOP_FIRST.*SUBMIT_FIRST"):
        world.deliver("Update", new, pid=first, old=old)
    assert world.running() == [first]
    assert len(world.submitted()) == 1


def test_replacement_stop_first_stops_waits_and_submits(world: World) -> None:
    store.behaviour.stop_seconds = 120
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(hyperparameters={"max_epochs": "2"}, replacement="stop_first")
    second = world.deliver("Update", new, pid=first, old=old)["PhysicalResourceId"]
    assert world.jobs() == {first: "Stopped", second: "InProgress"}


def test_replacement_stop_first_stops_nothing_when_the_new_declaration_is_wrong(world: World) -> None:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(hyperparameters={"max_epoch": "2"}, replacement="stop_first")
    with pytest.raises(Refused, match="max_epoch, which the recipe does not take"):
        world.deliver("Update", new, pid=first, old=old)
    assert world.running() == [first]


def test_replacement_stop_first_says_so_when_the_job_does_not_stop_in_time(world: World) -> None:
    store.behaviour.stop_seconds = 3600
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(hyperparameters={"max_epochs": "2"}, replacement="stop_first")
    with pytest.raises(Refused, match="still stopping"):
        world.deliver("Update", new, pid=first, old=old)
    assert world.jobs() == {first: "Stopping"}


def test_replacement_submit_first_runs_both_under_a_raised_quota(world: World) -> None:
    store.behaviour.running_jobs = 2
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(hyperparameters={"max_epochs": "2"}, replacement="submit_first")
    second = world.deliver("Update", new, pid=first, old=old)["PhysicalResourceId"]
    assert set(world.running()) == {first, second}


def test_over_quota_the_error_names_what_runs(world: World) -> None:
    first = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    with pytest.raises(Refused, match=rf"quota .*running: {first}"):
        world.deliver("Create", world.declaration(), logical_id="Other")


def test_a_wait_leaves_the_time_that_submitting_takes(world: World) -> None:
    store.behaviour.stop_seconds = 3600
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    with pytest.raises(Refused, match="still stopping"):
        world.deliver("Update", world.declaration(run_id="2", replacement="stop_first"), pid=first, old=old)
    assert SUBMIT <= world.clock.deadline - world.clock.now < SUBMIT + POLL


def test_a_wait_ends_as_soon_as_the_stack_turns_back(world: World) -> None:
    store.behaviour.stop_seconds = 300
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    begun, sleep = world.clock.now, world.clock.sleep

    def cancelled(seconds: float) -> None:
        sleep(seconds)
        world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"

    world.clock.sleep = cancelled  # type: ignore[method-assign]
    new = world.declaration(run_id="2", replacement="stop_first")
    with pytest.raises(Refused):
        world.deliver("Update", new, pid=first, old=old)
    assert world.clock.now - begun <= POLL
