"""Every job that a resource ever submitted, and which of them no stack knows."""

from dataclasses import replace
from typing import Any

import pytest
from handler.world import WHOSE, World

from agent_rft_handler.errors import Refused
from agent_rft_handler.event import Event
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.job import history, plan
from agent_rft_handler.job.history import LAG, History
from agent_rft_handler.job.jobs import Job
from agent_rft_handler.job.names import ATTEMPTS_MAX, attempt
from agent_rft_handler.job.request import Request
from agent_rft_local import store


def request(world: World, **more: Any) -> Request:
    return Request.of(Event.of(world.event("Create", world.declaration(), **more)))


def job(name: str, status: str = "InProgress", **tags: str) -> Job:
    own = {**WHOSE.identity, **{OWN_TAGS[key]: value for key, value in tags.items()}}
    return Job(name, f"arn:{name}", "AgentRFT", status, "arn:role", own, {})


def test_the_latest_is_the_last_attempt_of_this_declaration_and_the_next_follows_it(world: World) -> None:
    asked = request(world)
    first = asked.first_name
    past = History(asked, (job(attempt(first, 10)), job(first), job(attempt(first, 9)), job("another")))
    assert past.latest == job(attempt(first, 10))
    assert past.next_name() == attempt(first, 11)
    for others in ((), (job("another"),)):
        assert (History(asked, others).latest, History(asked, others).next_name()) == (None, first)


def test_a_name_of_the_declarations_that_another_has_is_a_conflict_and_another_name_is_none(world: World) -> None:
    asked = request(world)
    with pytest.raises(Refused, match=f"A job named {asked.first_name} exists"):
        History(asked, (), ("another", asked.first_name)).next_name()
    assert History(asked, (), ("another",)).next_name() == asked.first_name


def test_a_job_is_known_by_its_name_and_by_its_request(world: World) -> None:
    asked = request(world, request_id="r-9")
    mine, other = job("a", request="r-9"), job("b", request="r-8")
    past = History(asked, (other, mine), ("foreign",))
    assert past.of_this_request == mine
    assert History(asked, (other,)).of_this_request is None
    assert (past.named("b"), past.named("c")) == (other, None)
    assert [past.does_not_show(name) for name in ("a", "foreign", "c")] == [False, False, True]


def test_a_stray_runs_and_is_neither_kept_nor_replaced_under_a_policy_to_retain(world: World) -> None:
    jobs = (job("a"), job("b", "Completed"), job("c", "Stopping", predecessor="a"), job("d"))
    past = History(request(world), jobs)
    assert [each.name for each in past.running] == ["a", "c", "d"]
    assert [each.name for each in past.strays({"d"})] == ["a", "c"]
    keeping = replace(past, request=replace(past.request, keeps_replaced=True))
    assert [each.name for each in keeping.strays({"d"})] == ["c"]


def test_what_cloudformation_knows_is_never_stopped(world: World) -> None:
    store.behaviour.running_jobs = 9
    first = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    second = world.deliver("Create", world.declaration(run_id="2"), logical_id="Other")["PhysicalResourceId"]
    described = [world.sagemaker.describe_job(JobName=name, JobCategory="AgentRFT") for name in (first, second)]
    jobs = tuple(replace(job(each["JobName"]), arn=each["JobArn"]) for each in described)
    world.cloudformation.known = {"Job": first}
    stopped = history.stop_strays(History(request(world), jobs), (), world.clients)
    assert [each.name for each in stopped] == [second]
    assert world.jobs() == {first: "InProgress", second: "Stopping"}


def read(world: World, asked: Request) -> History:
    return history.read(asked, world.clients, world.clock.time())


def test_a_job_whose_tags_do_not_show_yet_is_waited_for_and_then_its_own(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.tags_lag = 20
    begun = world.clock.now
    assert [each.name for each in read(world, request(world)).jobs] == [name]
    assert 20 <= world.clock.now - begun < 40


def test_a_job_that_never_gets_its_tags_is_foreign_after_the_lag(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.tags_lag, world.clock.deadline = 1e6, world.clock.now + 9000
    begun = world.clock.now
    past = read(world, request(world))
    assert (past.jobs, past.foreign) == ((), (name,))
    assert LAG <= world.clock.now - begun < LAG + 16


def test_tags_are_waited_for_no_longer_than_the_function_has(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.tags_lag, world.clock.deadline = 1e6, world.clock.now + 60
    assert read(world, request(world)).foreign == (name,)
    assert world.clock.now < world.clock.deadline


def test_a_job_that_vanishes_while_its_tags_are_waited_for_is_not_its_own(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    store.behaviour.tags_lag, sleep = 1e6, world.clock.sleep

    def deleted(seconds: float) -> None:
        sleep(seconds)
        store.jobs.clear()

    world.clock.sleep = deleted  # type: ignore[method-assign]
    past = read(world, request(world))
    assert (past.jobs, past.foreign) == ((), (name,))


def test_a_namesake_of_another_role_is_foreign_at_once(world: World) -> None:
    asked = request(world)
    other = world.sagemaker.add_role("other", "job.sagemaker.amazonaws.com")
    world.sagemaker.create_job(**replace(plan.make(asked, world.clients), role_arn=other).request(asked.first_name))
    store.behaviour.tags_lag = 1e6
    begun = world.clock.now
    past = read(world, asked)
    assert (past.jobs, past.foreign, world.clock.now) == ((), (asked.first_name,), begun)


def test_attempts_that_the_list_does_not_show_yet_are_found_by_their_names(world: World) -> None:
    store.behaviour.running_jobs = 9
    names = [world.deliver("Create", world.declaration())["PhysicalResourceId"]]
    store.behaviour.list_jobs_lag = 9000
    for number in (2, 3):
        names.append(world.deliver("Create", world.declaration())["PhysicalResourceId"])
        assert names[-1] == attempt(names[0], number)
    assert [each.name for each in read(world, request(world)).jobs] == names


def looked_at(world: World) -> list[str]:
    """The names that were asked about since the calls were last cleared."""
    return [call["request"]["JobName"] for call in store.calls if call["operation"] == "DescribeJob"]


def submit(world: World, asked: Request, *numbers: int) -> list[str]:
    """Submits attempts of the declaration, whatever came before them; their names."""
    planned, names = plan.make(asked, world.clients), [attempt(asked.first_name, number) for number in numbers]
    for name in names:
        world.sagemaker.create_job(**planned.request(name))
    return names


def test_an_attempt_is_known_although_the_record_of_the_one_before_it_is_gone(world: World) -> None:
    store.behaviour.running_jobs = 9
    first, gone, last = submit(world, request(world), 1, 2, 3)
    world.finish_jobs()
    world.sagemaker.delete_job(JobName=gone, JobCategory="AgentRFT")
    assert sorted(each.name for each in read(world, request(world)).jobs) == [first, last]


def test_an_attempt_is_looked_for_up_to_the_last_that_there_may_be(world: World) -> None:
    store.behaviour.running_jobs = 9
    asked = request(world)
    store.behaviour.list_jobs_lag = 60
    listed = submit(world, asked, ATTEMPTS_MAX - 2)
    world.clock.sleep(60)
    names = listed + submit(world, asked, ATTEMPTS_MAX - 1, ATTEMPTS_MAX)
    store.calls.clear()
    assert [each.name for each in read(world, asked).jobs] == names
    assert looked_at(world) == names


def test_what_is_declared_as_before_is_looked_at_once(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    event = world.event("Update", world.declaration(), old=world.declaration(), pid=name)
    store.behaviour.list_jobs_lag = 9000
    store.calls.clear()
    assert [each.name for each in read(world, Request.of(Event.of(event))).jobs] == [name]
    assert looked_at(world) == [name, attempt(name, 2)]


def test_what_only_has_the_owners_digest_in_its_name_is_not_looked_at(world: World) -> None:
    asked = request(world)
    planned = plan.make(asked, world.clients)
    world.sagemaker.create_job(**planned.request(f"copy-{WHOSE.digest}-by-hand"))
    assert read(world, asked) == History(asked, ())


def test_of_a_job_of_an_unknown_declaration_the_tags_are_waited_for_too(world: World) -> None:
    name = world.deliver("Create", world.declaration(run_id="another"))["PhysicalResourceId"]
    store.behaviour.tags_lag = 20
    assert [each.name for each in read(world, request(world)).jobs] == [name]


def test_what_ended_long_ago_is_not_looked_at_unless_this_declaration_submitted_it(world: World) -> None:
    ended = world.deliver("Create", world.declaration(run_id="other"))["PhysicalResourceId"]
    world.finish_jobs()
    own = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    world.finish_jobs()
    store.calls.clear()
    assert [each.name for each in read(world, request(world)).jobs] == [own]
    assert ended not in looked_at(world)
    assert looked_at(world).count(own) == 1


def test_a_list_that_cannot_be_read_says_so(world: World) -> None:
    world.fail("ListJobs", "denied")
    with pytest.raises(Refused, match="Listing the jobs of this resource failed: AccessDeniedException"):
        read(world, request(world))


def test_so_many_attempts_are_looked_for_and_no_more(world: World) -> None:
    asked = request(world)
    past = History(asked, (job(attempt(asked.first_name, ATTEMPTS_MAX)),))
    with pytest.raises(Refused, match=f"was submitted {ATTEMPTS_MAX} times"):
        past.next_name()
