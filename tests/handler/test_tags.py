"""The tags of a submitted job."""

import pytest
from handler.world import STACK_ID, WHOSE, World

from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import HUB_TAG, MODEL_TAG, OWN_TAGS, TAGS_MAX
from agent_rft_handler.tags import is_of_an_execution
from agent_rft_handler.tags import tags_of as all_tags

MOST = TAGS_MAX - len(OWN_TAGS)


def tags_of(world: World) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in world.submitted()[-1]["Tags"]}


def test_a_job_carries_the_users_tags_the_sdks_and_whose_it_is(world: World) -> None:
    world.deliver("Create", world.declaration(tags={"Owner": "me", "CostCenter": "42"}))
    tags = tags_of(world)
    assert (tags["Owner"], tags["CostCenter"]) == ("me", "42")
    assert (tags[MODEL_TAG], tags[HUB_TAG]) == ("huggingface-reasoning-qwen3-32b", "SageMakerPublicHub")
    assert (tags[OWN_TAGS["stack"]], tags[OWN_TAGS["resource"]]) == (STACK_ID, "Job")
    assert tags[OWN_TAGS["request"]] == "request-1"
    assert OWN_TAGS["predecessor"] not in tags


def test_a_job_that_follows_another_says_which(world: World) -> None:
    old = world.declaration()
    first = world.deliver("Create", old)["PhysicalResourceId"]
    world.finish_jobs()
    world.deliver("Update", world.declaration(run_id="2"), pid=first, old=old)
    assert tags_of(world)[OWN_TAGS["predecessor"]] == first


@pytest.mark.parametrize("before", range(MOST + 1))
@pytest.mark.parametrize("after", [0, MOST - 2, MOST - 1, MOST])
def test_any_number_of_tags_can_become_any_other(world: World, before: int, after: int) -> None:
    old, new = (
        world.declaration(tags={f"{name}-{index}": "value" for index in range(number)})
        for name, number in (("old", before), ("new", after))
    )
    pid = world.deliver("Create", old)["PhysicalResourceId"]
    assert world.deliver("Update", new, pid=pid, old=old)["PhysicalResourceId"] == pid
    tags = described(world, pid)
    assert {key for key in tags if key.startswith(("old", "new"))} == set(new.tags)
    assert len(tags) <= TAGS_MAX
    assert WHOSE.owns(tags)
    world.deliver("Delete", new, pid=pid)
    world.clock.sleep(10)
    assert world.running() == []


@pytest.mark.parametrize("name", OWN_TAGS)
@pytest.mark.parametrize("kind", ["Create", "Update"])
def test_our_own_keys_are_refused_as_the_users(world: World, name: str, kind: str) -> None:
    old = world.declaration()
    pid = world.deliver("Create", old)["PhysicalResourceId"]
    new = world.declaration(tags={OWN_TAGS[name]: "mine"})
    with pytest.raises(Refused, match=f"tags has the key '{OWN_TAGS[name]}'"):
        world.deliver(kind, new, **({"pid": pid, "old": old} if kind == "Update" else {}))
    assert WHOSE.owns(described(world, pid))


def test_a_resources_tags_are_read_page_by_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [{"Tags": [{"Key": "a", "Value": "1"}], "NextToken": "more"}, {"Tags": [{"Key": "b", "Value": "2"}]}]
    monkeypatch.setattr(world.sagemaker, "list_tags", lambda **_: pages.pop(0), raising=False)
    assert all_tags("arn", world.clients) == {"a": "1", "b": "2"}


def test_a_colon_tells_an_executions_job_from_a_resources() -> None:
    assert is_of_an_execution("Machine-abc:run-1")
    assert not is_of_an_execution("TrainerJob")


def test_what_others_set_on_the_job_stays(world: World) -> None:
    old = world.declaration(tags={"Owner": "me"})
    answer = world.deliver("Create", old)
    world.sagemaker.add_tags(ResourceArn=answer["Data"]["JobArn"], Tags=[{"Key": "Audit", "Value": "yes"}])
    world.deliver("Update", world.declaration(), pid=answer["PhysicalResourceId"], old=old)
    tags = described(world, answer["PhysicalResourceId"])
    assert (tags["Audit"], "Owner" in tags) == ("yes", False)


def described(world: World, name: str) -> dict[str, str]:
    arn = world.sagemaker.describe_job(JobName=name, JobCategory="AgentRFT")["JobArn"]
    return {tag["Key"]: tag["Value"] for tag in world.sagemaker.list_tags(ResourceArn=arn)["Tags"]}
