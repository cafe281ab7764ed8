"""The tags of a submitted job."""

from handler.world import STACK_ID, World

from agent_rft_handler.facts import HUB_TAG, MODEL_TAG, OWN_TAGS, TAGS_MAX


def tags_of(world: World) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in world.submitted()[-1]["Tags"]}


def test_a_job_carries_the_users_tags_the_sdks_and_whose_it_is(world: World) -> None:
    world.deliver("Create", world.declaration(tags={"Owner": "me", "CostCenter": "42"}))
    tags = tags_of(world)
    assert (tags["Owner"], tags["CostCenter"]) == ("me", "42")
    assert (tags[MODEL_TAG], tags[HUB_TAG]) == ("huggingface-reasoning-qwen3-32b", "SageMakerPublicHub")
    assert (tags[OWN_TAGS["stack"]], tags[OWN_TAGS["resource"]]) == (STACK_ID, "Job")
    assert tags[OWN_TAGS["declaration"]] in next(iter(world.jobs()))


def test_with_as_many_as_fit_the_job_can_still_be_let_go_of(world: World) -> None:
    many = {f"key-{index}": "value" for index in range(TAGS_MAX - len(OWN_TAGS))}
    pid = world.deliver("Create", world.declaration(tags=many))["PhysicalResourceId"]
    assert MODEL_TAG not in tags_of(world)
    world.deliver("Delete", world.declaration(tags=many), pid=pid)
    arn = world.sagemaker.describe_job(JobName=pid, JobCategory="AgentRFT")["JobArn"]
    keys = {tag["Key"] for tag in world.sagemaker.list_tags(ResourceArn=arn)["Tags"]}
    assert OWN_TAGS["released"] in keys
    assert len(keys) == TAGS_MAX
