"""Who declares a job, and what is theirs."""

import hashlib

import pytest

from agent_rft_handler.facts import OWN_TAGS
from agent_rft_handler.owner import Owner

OWNER = Owner("arn:aws-cn:cloudformation:cn-north-1:111122223333:stack/Wordle/1", "Job")


def test_the_stacks_arn_says_partition_region_and_account() -> None:
    assert (OWNER.region, OWNER.account) == ("cn-north-1", "111122223333")
    assert OWNER.arn("job/AgentRFT/a") == "arn:aws-cn:sagemaker:cn-north-1:111122223333:job/AgentRFT/a"


def test_the_digest_of_a_resource_is_its_own_and_stays_between_releases() -> None:
    """A job is found by it: one that changed with a release would leave running jobs to nobody."""
    text = f'["{OWNER.stack_id}","Job"]'
    assert OWNER.digest == hashlib.sha256(text.encode()).hexdigest()[:10]
    assert Owner(OWNER.stack_id, "Other").digest != OWNER.digest
    assert Owner(f"{OWNER.stack_id}2", "Job").digest != OWNER.digest


@pytest.mark.parametrize("missing", ["stack", "resource"])
def test_what_bears_both_of_its_tags_is_its_own(missing: str) -> None:
    tags = {OWN_TAGS["stack"]: OWNER.stack_id, OWN_TAGS["resource"]: "Job", "Team": "rl"}
    assert OWNER.owns(tags)
    assert not OWNER.owns({**tags, OWN_TAGS[missing]: "another"})
    assert not OWNER.owns({key: value for key, value in tags.items() if key != OWN_TAGS[missing]})
