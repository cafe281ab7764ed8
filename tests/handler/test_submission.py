"""One job on its way to the service, where the name turns out to be taken, the answer is lost, or nobody wants it."""

from dataclasses import replace
from typing import Any

import pytest
from handler.world import World

from agent_rft_handler.deadline import SUBMIT
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import Refused
from agent_rft_handler.event import Event
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job import plan
from agent_rft_handler.job.plan import Plan
from agent_rft_handler.job.request import Request
from agent_rft_handler.job.submission import LONGEST_PAUSE, ROLE_LAG, OverQuota, Submission
from agent_rft_local import store


def submission(world: World, declared: Declaration | None = None, **changed: Any) -> Submission:
    """What a Create is about to submit."""
    store.behaviour.running_jobs = 9
    request = Request.of(Event.of(world.event("Create", declared or world.declaration())))
    planned = plan.make(request, world.clients)
    plain = {"name": request.first_name, "plan": planned, "request": request, "stopping": ()}
    return Submission(**{**plain, "clients": world.clients, "deadline": world.clock.time(), **changed})


def make(world: World, name: str, planned: Plan, **tags: str) -> None:
    """Makes a job behind the handler's back, with some of the own tags changed."""
    own = {**planned.tags, **{OWN_TAGS[key]: value for key, value in tags.items()}}
    world.sagemaker.create_job(**replace(planned, tags=own).request(name))
    store.calls.clear()


def test_a_job_is_what_the_service_says_and_what_was_planned(world: World) -> None:
    one = submission(world)
    job = one.submit()
    assert (job.name, job.category, job.role_arn) == (one.name, "AgentRFT", world.role_arn)
    assert job.arn == world.sagemaker.describe_job(JobName=job.name, JobCategory="AgentRFT")["JobArn"]
    assert (job.is_running, job.tags, job.base_model_arn) == (True, one.plan.tags, one.plan.base_model_arn)


@pytest.mark.parametrize("seen", [True, False])
def test_a_quota_that_is_used_up_is_said_whether_or_not_its_jobs_can_be_listed(world: World, *, seen: bool) -> None:
    one = submission(world)
    make(world, "theirs", one.plan)
    store.behaviour.running_jobs = 1
    if not seen:
        world.fail("ListJobs", "denied")
    with pytest.raises(OverQuota, match=r"running: theirs\)" if seen else r"running: none that this role can see\)"):
        one.submit()


def test_a_name_that_another_resource_has_is_left_alone(world: World) -> None:
    one = submission(world)
    make(world, one.name, one.plan, resource="Another")
    with pytest.raises(Refused, match=f"A job named {one.name} exists.*left alone") as refused:
        one.submit()
    assert refused.value.physical_id == ""
    assert world.jobs() == {one.name: "InProgress"}


def test_a_name_that_a_job_of_another_role_has_is_left_alone(world: World) -> None:
    one = submission(world)
    other = world.sagemaker.add_role("other", "job.sagemaker.amazonaws.com")
    make(world, one.name, replace(one.plan, role_arn=other))
    with pytest.raises(Refused, match="left alone"):
        one.submit()
    assert world.jobs() == {one.name: "InProgress"}


def test_a_name_that_an_earlier_request_used_up_is_followed_by_the_next(world: World) -> None:
    one = submission(world)
    first = one.name
    make(world, first, one.plan, request="an-earlier-one")
    assert one.submit().name == f"{first}-2"
    assert world.jobs() == dict.fromkeys((first, f"{first}-2"), "InProgress")


def test_a_job_of_this_very_request_is_found(world: World) -> None:
    one = submission(world)
    make(world, one.name, one.plan)
    assert one.submit().name == one.name
    assert list(world.jobs()) == [one.name]


def test_a_namesake_whose_tags_do_not_show_yet_is_waited_for(world: World) -> None:
    one = submission(world)
    make(world, one.name, one.plan)
    store.behaviour.tags_lag = 20
    begun = world.clock.now
    assert one.submit().name == one.name
    assert world.clock.now - begun >= 20
    assert list(world.jobs()) == [one.name]


def test_after_a_namesake_was_understood_a_refusal_leaves_nothing_to_look_for(world: World) -> None:
    one = submission(world)
    make(world, one.name, one.plan, request="an-earlier-one")
    store.behaviour.faults += [
        {"operation": "CreateJob", "kind": "error_after", "times": 1},
        {"operation": "CreateJob", "kind": "denied", "times": 1},
    ]
    with pytest.raises(Refused, match="AccessDeniedException") as refused:
        one.submit()
    assert refused.value.physical_id == ""


def test_a_role_that_stays_unassumable_is_wrong_after_minutes_not_at_the_end_of_the_time(world: World) -> None:
    role = world.sagemaker.add_role("wrong", "sagemaker.amazonaws.com")
    one = submission(world, world.declaration(role_arn=role))
    begun, world.clock.deadline = world.clock.now, world.clock.now + 3600
    with pytest.raises(Refused, match=r"must trust job\.sagemaker\.amazonaws\.com"):
        one.submit()
    assert ROLE_LAG <= world.clock.now - begun < ROLE_LAG + LONGEST_PAUSE


def test_a_look_that_fails_after_an_uncertain_answer_is_taken_again(world: World) -> None:
    one = submission(world)
    world.fail("CreateJob", "error_after")
    world.fail("DescribeJob", "error_before")
    assert one.submit().name == one.name
    assert list(world.jobs()) == [one.name]


def test_a_throttled_submission_is_tried_until_the_time_is_over(world: World) -> None:
    world.fail("CreateJob", "throttled", times=999)
    one = submission(world)
    with pytest.raises(Refused, match=f"Submitting the job {one.name} failed: ThrottlingException") as refused:
        one.submit()
    assert SUBMIT <= world.clock.deadline - world.clock.now < SUBMIT + LONGEST_PAUSE
    assert refused.value.physical_id == ""  # it was throttled, so there is none


def test_with_just_the_time_that_it_takes_a_job_is_submitted(world: World) -> None:
    one = submission(world)
    world.clock.deadline = world.clock.now + SUBMIT
    assert one.submit().name in world.jobs()


def wanted_for(checks: int) -> Any:
    """Nobody wants the job any more after so many checks."""
    left = iter(range(checks))

    def require_wanted(request: Request, _: object) -> None:
        if next(left, None) is None:
            raise Refused(f"{request.owner.logical_id} is not wanted")

    return require_wanted


def test_what_nobody_wants_is_not_submitted(world: World) -> None:
    with pytest.raises(Refused, match="Job is not wanted") as refused:
        submission(world, require_wanted=wanted_for(0)).submit()
    assert (world.jobs(), refused.value.physical_id) == ({}, "")


def test_what_nobody_wants_any_more_once_it_is_there_is_stopped_and_known_by_its_name(world: World) -> None:
    one = submission(world, require_wanted=wanted_for(1))
    with pytest.raises(Refused, match="Job is not wanted") as refused:
        one.submit()
    assert (world.jobs(), refused.value.physical_id) == ({one.name: "Stopping"}, one.name)


def test_what_may_be_there_is_stopped_and_known_as_unconfirmed(world: World) -> None:
    store.behaviour.describe_job_lag = 9000
    world.fail("CreateJob", "error_after")
    one = submission(world, require_wanted=wanted_for(1))
    with pytest.raises(Refused, match="Job is not wanted") as refused:
        one.submit()
    assert refused.value.physical_id == f"unconfirmed:{one.name}"
    store.behaviour.describe_job_lag = 0
    assert world.jobs() == {one.name: "Stopping"}


def test_a_stop_that_fails_does_not_hide_why_nothing_was_submitted(world: World) -> None:
    world.fail("StopJob", "denied")
    one = submission(world, require_wanted=wanted_for(1))
    with pytest.raises(Refused, match="Job is not wanted") as refused:
        one.submit()
    assert refused.value.physical_id == one.name


@pytest.mark.parametrize("status", ["InProgress", "Stopping"])
def test_a_quota_that_is_used_up_is_refused_by_the_names_of_what_uses_it(world: World, status: str) -> None:
    other = world.deliver("Create", world.declaration(run_id="other"))["PhysicalResourceId"]
    one = submission(world)
    store.behaviour.running_jobs = 1
    if status == "Stopping":
        store.behaviour.stop_seconds = 3600
        world.sagemaker.stop_job(JobName=other, JobCategory="AgentRFT")
    with pytest.raises(OverQuota, match=rf"quota of AgentRFT jobs .*\(running: {other}\)"):
        one.submit()
    assert list(world.jobs()) == [other]


def test_a_quota_that_a_stopping_job_will_free_is_waited_for(world: World) -> None:
    store.behaviour.stop_seconds = 30
    world.deliver("Create", world.declaration(run_id="other"))
    one = submission(world)
    store.behaviour.running_jobs = 1
    (other,) = world.jobs()
    world.sagemaker.stop_job(JobName=other, JobCategory="AgentRFT")
    stopping: Any = [object()]
    assert replace(one, stopping=stopping).submit().name in world.running()
