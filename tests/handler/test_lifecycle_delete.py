"""What a Delete stops, and what it leaves alone."""

import pytest
from handler.world import World

from agent_rft_handler.errors import Refused
from agent_rft_handler.job.history import LAG
from agent_rft_local import store


def test_delete_stops_a_running_job_at_once_and_keeps_its_record(world: World) -> None:
    store.behaviour.stop_seconds = 3600
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    before = world.clock.now
    assert world.deliver("Delete", world.declaration(), pid=pid) == {"PhysicalResourceId": pid}
    assert (world.jobs(), world.clock.now - before) == ({pid: "Stopping"}, 0)


def test_delete_of_a_finished_job_stops_nothing(world: World) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    world.finish_jobs()
    world.deliver("Delete", world.declaration(), pid=pid)
    assert [call["operation"] for call in store.calls if call["operation"] == "StopJob"] == []


@pytest.mark.parametrize("pid", ["2026/12/01/[$LATEST]0123abcd", "Wordle-Job-1ABCDEF", "x" * 200])
def test_delete_with_an_invented_id_stops_the_job_of_the_cancelled_create(world: World, pid: str) -> None:
    world.deliver("Create", world.declaration())
    world.deliver("Delete", world.declaration(), pid=pid)
    assert world.running() != []
    world.clock.sleep(10)
    assert world.running() == []


def test_delete_never_asks_about_a_name_that_no_job_can_have(world: World) -> None:
    world.deliver("Delete", world.declaration(), pid="2026/12/01/[$LATEST]0123abcd")
    assert all("[" not in str(call["request"]) for call in store.calls)


def test_delete_leaves_a_foreign_job_alone(world: World) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    world.deliver("Delete", world.declaration(), pid=pid, logical_id="Other")
    assert world.running() == [pid]


@pytest.mark.parametrize("kind", ["gone", "error_before"])
def test_delete_survives_a_job_that_ends_meanwhile(world: World, kind: str) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    if kind == "gone":
        world.fail("StopJob", "gone")
        world.deliver("Delete", world.declaration(), pid=pid)
    else:
        world.fail("StopJob", "error_before", times=99)
        with pytest.raises(Refused, match=f"Stopping the job {pid}"):
            world.deliver("Delete", world.declaration(), pid=pid)
        store.behaviour.faults.clear()
        world.deliver("Delete", world.declaration(), pid=pid)


def test_delete_without_the_right_to_stop_fails_with_a_usable_reason(world: World) -> None:
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    world.fail("StopJob", "denied")
    with pytest.raises(Refused, match=rf"Stopping the job {pid} failed: AccessDeniedException"):
        world.deliver("Delete", world.declaration(), pid=pid)


def test_delete_tolerates_properties_that_no_release_wrote(world: World) -> None:
    event = world.event("Delete", world.declaration(), pid="nothing")
    for properties in ({}, {"Hyperparameters": "text", "Tags": ["a"]}, None):
        event["ResourceProperties"] = properties
        assert world.send(event) == {"PhysicalResourceId": "nothing"}


def stops() -> list[str]:
    """The names of the jobs that were asked to stop."""
    return [call["request"]["JobName"] for call in store.calls if call["operation"] == "StopJob"]


def test_delete_waits_until_a_job_that_was_never_confirmed_shows_and_stops_it_as_its_own(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.describe_job_lag = store.behaviour.list_jobs_lag = 100
    begun = world.clock.now
    world.deliver("Delete", world.declaration(), pid=f"unconfirmed:{name}")
    assert 100 <= world.clock.now - begun < 116
    store.behaviour.list_jobs_lag = 0
    assert (stops(), world.jobs()) == ([name], {name: "Stopping"})


@pytest.mark.parametrize("may_stop", [True, False])
def test_delete_asks_a_job_to_stop_that_was_never_confirmed_and_never_shows(world: World, *, may_stop: bool) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.describe_job_lag = store.behaviour.list_jobs_lag = 9000
    if not may_stop:
        world.fail("StopJob", "denied")
    begun = world.clock.now
    world.deliver("Delete", world.declaration(), pid=f"unconfirmed:{name}")
    assert LAG <= world.clock.now - begun < LAG + 16
    assert stops() == ([name] if may_stop else [])


def test_delete_of_what_was_not_submitted_waits_for_nothing(world: World) -> None:
    begun = world.clock.now
    world.deliver("Delete", world.declaration(), pid=f"not-submitted:{'a' * 20}")
    assert (world.clock.now, stops()) == (begun, [])
