"""Restricted model package groups, event by event."""

from typing import Any

import pytest
from handler.world import ACCOUNT, REGION, STACK_ID, World

from agent_rft_handler.contract import GROUP_RESOURCE_TYPE
from agent_rft_handler.errors import Refused
from agent_rft_handler.facts import OWN_TAGS
from agent_rft_local import ministack_names, store

ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/nova-tuned"
ANSWER = {
    "PhysicalResourceId": ARN,
    "Data": {"ModelPackageGroupArn": ARN, "ModelPackageGroupName": "nova-tuned"},
}


def group(world: World, name: str = "nova-tuned") -> dict[str, Any]:
    return dict(world.sagemaker.describe_model_package_group(ModelPackageGroupName=name))


def names(world: World) -> set[str]:
    rows = world.sagemaker.list_model_package_groups()["ModelPackageGroupSummaryList"]
    return {row["ModelPackageGroupName"] for row in rows} - {"tuned", "checkpoints"}


def tags_of(world: World) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in world.sagemaker.list_tags(ResourceArn=ARN)["Tags"]}


def made() -> int:
    return sum(call["operation"] == "CreateModelPackageGroup" and call["done"] for call in store.calls)


def put_package(group_name: str) -> None:
    with ministack_names.request_scope(ACCOUNT, REGION):
        store.packages[f"{group_name}/1"] = {"ModelPackageGroupName": group_name}


def test_create_makes_a_restricted_group_that_says_whose_it_is(world: World) -> None:
    assert world.deliver_group("Create", tags={"Owner": "me"}) == ANSWER
    assert group(world)["ManagedConfiguration"] == {"ManagedStorageType": "Restricted"}
    assert tags_of(world) == {"Owner": "me", OWN_TAGS["stack"]: STACK_ID, OWN_TAGS["resource"]: "Group"}


def test_a_second_delivery_of_create_finds_the_first_group(world: World) -> None:
    world.deliver_group("Create")
    before = made()
    assert world.deliver_group("Create") == ANSWER
    assert made() == before


@pytest.mark.parametrize("kind", ["error_before", "error_after", "slow", "throttled"])
def test_a_failure_of_the_call_leads_to_one_group(world: World, kind: str) -> None:
    before = made()
    world.fail("CreateModelPackageGroup", kind)
    assert world.deliver_group("Create") == ANSWER
    assert (made() - before, names(world)) == (1, {"nova-tuned"})


def test_a_call_that_keeps_failing_is_an_error_that_names_the_group(world: World) -> None:
    world.fail("CreateModelPackageGroup", "error_before", times=9)
    with pytest.raises(Refused, match="Making the model package group nova-tuned failed: InternalFailure"):
        world.deliver_group("Create")
    assert names(world) == set()


@pytest.mark.parametrize("tags", [[], [{"Key": OWN_TAGS["stack"], "Value": STACK_ID}]])
def test_create_refuses_a_namesake_that_is_not_ours(world: World, tags: list[dict[str, str]]) -> None:
    world.sagemaker.create_model_package_group(ModelPackageGroupName="nova-tuned", Tags=tags)
    before = made()
    with pytest.raises(Refused, match=r"named nova-tuned exists.*left alone.*from_model_package_group_name"):
        world.deliver_group("Create")
    assert made() == before


def test_a_description_is_the_groups(world: World) -> None:
    event = {
        "RequestType": "Create",
        "RequestId": "r-1",
        "StackId": STACK_ID,
        "ResourceType": GROUP_RESOURCE_TYPE,
        "LogicalResourceId": "Group",
        "ResourceProperties": {
            "ModelPackageGroupName": "nova-tuned",
            "ModelPackageGroupDescription": "Wordle",
            "ManagedStorageType": "Restricted",
        },
    }
    world.send(event)
    assert group(world)["ModelPackageGroupDescription"] == "Wordle"


@pytest.mark.parametrize("name", ["", "no name", "-nova"])
def test_a_name_that_no_group_can_have_is_refused_and_nothing_is_made(world: World, name: str) -> None:
    with pytest.raises(Refused, match="model_package_group_name is"):
        world.deliver_group("Create", name)
    with pytest.raises(Refused, match="model_package_group_name is"):
        world.deliver_group("Update", name, pid="Wordle-Group-1ABCDEF")
    assert names(world) == set()
    pid = {"PhysicalResourceId": "Wordle-Group-1ABCDEF"}
    assert world.deliver_group("Delete", name, pid="Wordle-Group-1ABCDEF") == pid


def test_a_create_that_failed_has_the_id_of_the_group_that_may_be_there(world: World) -> None:
    world.fail("CreateModelPackageGroup", "denied")
    with pytest.raises(Refused) as refused:
        world.deliver_group("Create")
    assert refused.value.physical_id == ARN
    with pytest.raises(Refused) as refused:
        world.deliver_group("Update", "no name", pid=ARN)
    assert refused.value.physical_id == ARN
    world.fail("CreateModelPackageGroup", "denied")
    with pytest.raises(Refused) as refused:
        world.deliver_group("Update", "nova-better", pid=ARN)
    assert refused.value.physical_id == ARN  # another would have CloudFormation delete the group that it has


def test_our_own_tags_are_no_users(world: World) -> None:
    world.deliver_group("Create", tags={OWN_TAGS["resource"]: "Mine"})
    assert tags_of(world)[OWN_TAGS["resource"]] == "Group"


@pytest.mark.parametrize(
    ("operation", "kind", "said"),
    [
        ("DescribeModelPackageGroup", "Create", "Describing the model package group nova-tuned failed"),
        ("DescribeModelPackageGroup", "Delete", "Describing the model package group nova-tuned failed"),
        ("ListTags", "Update", "Describing the model package group nova-tuned failed"),
        ("AddTags", "Update", "Tagging the model package group nova-tuned failed"),
        ("DeleteModelPackageGroup", "Delete", "Deleting the model package group nova-tuned failed"),
    ],
)
def test_a_denied_call_says_what_was_being_done(world: World, operation: str, kind: str, said: str) -> None:
    world.deliver_group("Create")
    world.fail(operation, "denied")
    with pytest.raises(Refused, match=f"{said}: AccessDeniedException"):
        world.deliver_group(kind, pid=ARN, tags={"Owner": "me"})
    assert names(world) == {"nova-tuned"}


def test_an_update_calls_for_tags_only_where_they_change(world: World) -> None:
    world.deliver_group("Create", tags={"Owner": "me"})
    store.calls.clear()
    world.deliver_group("Update", pid=ARN, tags={"Owner": "me"}, old_tags={"Owner": "me", "Gone": "1"})
    assert {call["operation"] for call in store.calls} == {"DescribeModelPackageGroup", "ListTags"}


def test_an_update_changes_tags_and_nothing_else(world: World) -> None:
    old = {"Owner": "me", "Cost": "1"}
    world.deliver_group("Create", tags=old)
    before = made()
    answer = world.deliver_group("Update", pid=ARN, tags={"Owner": "you", "Team": "rl"}, old_tags=old)
    assert (answer, made()) == (ANSWER, before)
    own = {OWN_TAGS["stack"]: STACK_ID, OWN_TAGS["resource"]: "Group"}
    assert tags_of(world) == {"Owner": "you", "Team": "rl", **own}


def test_an_update_of_a_group_that_is_gone_keeps_the_id(world: World) -> None:
    assert world.deliver_group("Update", pid=ARN, tags={"Owner": "you"}) == ANSWER
    assert names(world) == set()


def test_another_name_is_another_group_and_a_rollback_finds_the_first(world: World) -> None:
    first = world.deliver_group("Create")["PhysicalResourceId"]
    second = world.deliver_group("Update", "nova-better", pid=first)["PhysicalResourceId"]
    assert names(world) == {"nova-tuned", "nova-better"}
    before = made()
    assert world.deliver_group("Update", "nova-tuned", pid=second) == ANSWER
    world.deliver_group("Delete", "nova-better", pid=second)
    assert (names(world), made()) == ({"nova-tuned"}, before)


def test_delete_deletes_the_group_and_a_second_delivery_is_success(world: World) -> None:
    world.deliver_group("Create")
    for _ in range(2):
        assert world.deliver_group("Delete", pid=ARN) == {"PhysicalResourceId": ARN}
    assert names(world) == set()


def test_delete_after_a_lost_answer_is_success(world: World) -> None:
    world.deliver_group("Create")
    world.fail("DeleteModelPackageGroup", "error_after")
    assert world.deliver_group("Delete", pid=ARN) == {"PhysicalResourceId": ARN}


def test_delete_of_a_group_that_holds_packages_says_what_to_do(world: World) -> None:
    world.deliver_group("Create")
    put_package("nova-tuned")
    with pytest.raises(Refused, match=r"nova-tuned holds model packages.*removal_policy=RETAIN"):
        world.deliver_group("Delete", pid=ARN)
    assert names(world) == {"nova-tuned"}


def test_delete_leaves_a_foreign_group_alone(world: World) -> None:
    world.deliver_group("Create")
    world.deliver_group("Delete", pid=ARN, logical_id="Other")
    assert names(world) == {"nova-tuned"}


@pytest.mark.parametrize("pid", ["Wordle-Group-1ABCDEF", "2026/12/01/[$LATEST]0123abcd"])
def test_delete_with_an_invented_id_deletes_the_group_of_the_cancelled_create(world: World, pid: str) -> None:
    world.deliver_group("Create")
    assert world.deliver_group("Delete", pid=pid) == {"PhysicalResourceId": pid}
    assert names(world) == set()


def test_a_refusal_of_the_service_reaches_the_user(world: World) -> None:
    world.fail("CreateModelPackageGroup", "denied")
    with pytest.raises(Refused, match="AccessDeniedException"):
        world.deliver_group("Create")
