"""What jobs put into their model package groups, and when it is noted."""

from typing import Any

import pytest
from handler.world import World

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import model_packages
from agent_rft_local.job_run import Run


def test_a_look_at_a_job_does_not_go_through_those_that_have_ended(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    made = model_packages._made

    def noted(run: Run) -> Any:
        looked.append(run.job["JobName"])
        return made(run)

    monkeypatch.setattr(model_packages, "_made", noted)
    names: list[str] = []
    for index in range(9):
        names.append(world.deliver("Create", world.declaration(run_id=str(index)))["PhysicalResourceId"])
        world.finish_jobs()
        for name in (names[0], names[-1]):
            world.sagemaker.describe_job(JobName=name, JobCategory=AGENT_RFT.name)
    assert sorted(looked) == sorted(names)
