"""The five sentences of docs/lifecycle.md, event by event."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import ACCOUNT, REGION, SECRET_URL, Through, World

from agent_rft_handler import facts
from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS, Category
from agent_rft_local import store


def test_create_submits_one_job_and_answers_with_its_name_arn_and_model(world: World) -> None:
    answer = world.deliver("Create", world.declaration())
    (name,) = world.jobs()
    assert answer == {
        "PhysicalResourceId": name,
        "Data": {
            "JobName": name,
            "JobArn": f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/{name}",
            "BaseModelArn": f"arn:aws:sagemaker:{REGION}:aws:hub-content/SageMakerPublicHub/Model/"
            "huggingface-reasoning-qwen3-32b/1.0.0",
        },
    }


def test_a_second_delivery_of_create_finds_the_first_job(world: World) -> None:
    first = world.deliver("Create", world.declaration(), request_id="one")
    assert world.deliver("Create", world.declaration(), request_id="one") == first
    assert len(world.submitted()) == 1


@pytest.mark.parametrize("category", facts.CATEGORIES.values(), ids=lambda category: category.name)
def test_the_base_model_is_told_of_a_job_of_any_category_new_or_found(
    category: Category, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(category)
    monkeypatch.setattr(store, "clock", lambda: world.clock.now)
    first = world.deliver("Create", world.declaration(), request_id="one")
    assert first["Data"]["BaseModelArn"].endswith("/Model/huggingface-reasoning-qwen3-32b/1.0.0")
    assert world.deliver("Create", world.declaration(), request_id="one") == first


@pytest.mark.parametrize("kind", ["error_before", "error_after", "slow", "throttled"])
def test_a_failure_of_createjob_leads_to_one_job(world: World, kind: str) -> None:
    world.fail("CreateJob", kind)
    answer = world.deliver("Create", world.declaration())
    assert list(world.jobs()) == [answer["PhysicalResourceId"]]


def test_a_role_that_cannot_be_assumed_yet_is_retried(world: World) -> None:
    world.fail("CreateJob", "role_not_ready", times=4)
    world.deliver("Create", world.declaration())
    assert len(world.running()) == 1


def test_a_role_that_never_trusts_the_service_is_an_error_that_says_so(world: World) -> None:
    role = world.sagemaker.add_role("wrong", "sagemaker.amazonaws.com")
    with pytest.raises(Refused, match=r"must trust job\.sagemaker\.amazonaws\.com"):
        world.deliver("Create", world.declaration(role_arn=role))
    assert world.jobs() == {}


def test_create_refuses_a_namesake_that_is_not_ours(world: World) -> None:
    name = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:job/AgentRFT/{name}"
    world.sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": OWN_TAGS["resource"], "Value": "Another"}])
    with pytest.raises(Refused, match="left alone"):
        world.deliver("Create", world.declaration())
    assert len(world.submitted()) == 1


def test_create_submits_nothing_while_the_stack_rolls_back(world: World) -> None:
    world.cloudformation.status = "ROLLBACK_IN_PROGRESS"
    with pytest.raises(Refused, match="rolling back"):
        world.deliver("Create", world.declaration())
    assert world.jobs() == {}


@pytest.mark.parametrize("changed", [{"tags": {"Owner": "me"}}, {"replacement": "submit_first"}, {}])
def test_an_update_of_what_defines_no_job_keeps_the_id_byte_for_byte(world: World, changed: dict[str, object]) -> None:
    old = world.declaration()
    pid = world.deliver("Create", old)["PhysicalResourceId"]
    answer = world.deliver("Update", world.declaration(**changed), pid=pid, old=old)
    assert answer["PhysicalResourceId"] == pid
    assert len(world.submitted()) == 1
    assert world.running() == [pid]


def test_an_update_of_tags_sets_and_removes_them_on_the_job(world: World) -> None:
    old = world.declaration(tags={"Owner": "me", "Cost": "1"})
    answer = world.deliver("Create", old)
    new = world.declaration(tags={"Owner": "you", "Team": "rl"})
    world.deliver("Update", new, pid=answer["PhysicalResourceId"], old=old)
    rows = world.sagemaker.list_tags(ResourceArn=answer["Data"]["JobArn"])["Tags"]
    tags = {row["Key"]: row["Value"] for row in rows}
    assert (tags["Owner"], tags["Team"], "Cost" in tags) == ("you", "rl", False)
    assert set(OWN_TAGS.values()) - set(tags) == {OWN_TAGS["predecessor"]}


def test_an_update_after_the_job_ended_submits_another_and_leaves_the_first(world: World) -> None:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    new = world.declaration(hyperparameters={"max_epochs": "2"})
    second = world.deliver("Update", new, pid=first, old=old)["PhysicalResourceId"]
    assert world.jobs() == {first: "Completed", second: "InProgress"}


def test_run_id_alone_submits_another_job(world: World) -> None:
    old = world.declaration(run_id="1")
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    second = world.deliver("Update", world.declaration(run_id="2"), pid=first, old=old)["PhysicalResourceId"]
    assert first != second


def test_rollback_after_a_later_failure_leads_back_to_the_first_job_and_starts_nothing(world: World) -> None:
    store.behaviour.running_jobs = 2
    old, new = world.declaration(replacement="submit_first"), world.declaration(run_id="2", replacement="submit_first")
    first = world.deliver("Create", old)["PhysicalResourceId"]
    second = world.deliver("Update", new, pid=first, old=old)["PhysicalResourceId"]
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
    assert world.deliver("Update", old, pid=second, old=new)["PhysicalResourceId"] == first
    world.deliver("Delete", new, pid=second)
    world.clock.sleep(10)
    assert world.jobs() == {first: "InProgress", second: "Stopped"}
    assert len(world.submitted()) == 2


def test_rollback_starts_nothing_even_when_the_first_job_is_gone(world: World) -> None:
    old, new = world.declaration(), world.declaration(run_id="2")
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    second = world.deliver("Update", new, pid=first, old=old)["PhysicalResourceId"]
    world.sagemaker.delete_job(JobName=first, JobCategory="AgentRFT")
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS"
    answer = world.deliver("Update", old, pid=second, old=new)
    assert (answer["PhysicalResourceId"], answer["Data"]["JobName"]) == (first, first)
    assert len(world.submitted()) == 2


def test_there_and_back_again_gets_a_job_of_its_own(world: World) -> None:
    a, b = world.declaration(run_id="a"), world.declaration(run_id="b")
    first = world.deliver("Create", a)["PhysicalResourceId"]
    world.finish_jobs()
    second = world.deliver("Update", b, pid=first, old=a)["PhysicalResourceId"]
    world.deliver("Delete", a, pid=first)
    world.finish_jobs()
    third = world.deliver("Update", a, pid=second, old=b)["PhysicalResourceId"]
    assert third == f"{first}-2"
    assert world.running() == [third]


def test_too_little_time_left_submits_nothing(world: World) -> None:
    world.clock.deadline = world.clock.now + 30
    with pytest.raises(Refused, match="too little of the function's time"):
        world.deliver("Create", world.declaration())
    assert world.jobs() == {}


def test_no_hyperparameter_is_logged_above_debug(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    pid = world.deliver("Create", world.declaration(hyperparameters={"loss_fn": "cispo"}))["PhysicalResourceId"]
    with pytest.raises(Refused, match="hush-hush"):
        world.deliver("Create", world.declaration(hyperparameters={"loss_fn": "hush-hush"}))
    world.deliver("Delete", world.declaration(), pid=pid)
    assert "cispo" not in caplog.text
    assert "hush-hush" not in caplog.text
    assert "was refused" in caplog.text


def test_not_even_in_the_words_of_the_service(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    error: Any = {"Error": {"Code": "ValidationException", "Message": "loss_fn: hush-hush is none of the choices"}}

    def refusing(name: str, call: Callable[..., Any], request: dict[str, Any]) -> Any:
        if name == "create_job":
            raise ClientError(error, "CreateJob")
        return call(**request)

    world.sagemaker = Through(world.sagemaker, refusing)  # type: ignore[assignment]
    with pytest.raises(Refused, match="hush-hush"):
        world.deliver("Create", world.declaration())
    assert "ValidationException" in caplog.text
    assert "hush-hush" not in caplog.text


def test_nothing_of_the_response_url_is_ever_logged(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    pid = world.deliver("Create", world.declaration())["PhysicalResourceId"]
    with pytest.raises(Refused):
        world.deliver("Create", world.declaration(model="no-such-model"))
    world.deliver("Delete", world.declaration(), pid=pid)
    assert SECRET_URL not in caplog.text
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_job_that_an_earlier_delivery_took_back_is_no_success_of_a_later_one(world: World, seconds: float) -> None:
    name = world.deliver("Create", world.declaration(), request_id="one")["PhysicalResourceId"]
    world.sagemaker.stop_job(JobName=name, JobCategory="AgentRFT")
    world.clock.sleep(seconds)
    with pytest.raises(Refused, match=f"{name} was submitted, and is Stop") as refused:
        world.deliver("Create", world.declaration(), request_id="one")
    assert refused.value.physical_id == name
    assert len(world.submitted()) == 1


def test_an_update_that_comes_when_nothing_is_deployed_does_nothing(world: World) -> None:
    old = world.declaration()
    pid = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    world.cloudformation.status = "UPDATE_COMPLETE"
    with pytest.raises(Refused, match="UPDATE_COMPLETE, not being deployed: this event is out of date"):
        world.deliver("Update", world.declaration(run_id="2"), pid=pid, old=old)
    assert len(world.submitted()) == 1


def test_an_update_that_keeps_its_job_stops_what_runs_unknown_to_the_stack(world: World) -> None:
    store.behaviour.running_jobs = 2
    old, other = world.declaration(), world.declaration(run_id="2", replacement="submit_first")
    kept = world.deliver("Create", old)["PhysicalResourceId"]
    stray = world.deliver("Update", other, pid=kept, old=old)["PhysicalResourceId"]  # its answer is lost
    world.cloudformation.known = {"Job": kept}
    world.deliver("Update", world.declaration(tags={"Owner": "me"}), pid=kept, old=old)
    world.clock.sleep(10)
    assert world.jobs() == {kept: "InProgress", stray: "Stopped"}


def test_an_update_whose_job_was_deleted_by_hand_keeps_its_id_and_arn_and_knows_no_model(world: World) -> None:
    old = world.declaration()
    created = world.deliver("Create", old)
    name = created["PhysicalResourceId"]
    world.finish_jobs()
    world.sagemaker.delete_job(JobName=name, JobCategory="AgentRFT")
    answer = world.deliver("Update", world.declaration(tags={"Owner": "me"}), pid=name, old=old)
    assert answer == {**created, "Data": {**created["Data"], "BaseModelArn": ""}}
