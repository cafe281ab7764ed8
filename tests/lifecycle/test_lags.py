"""Services that show what happened only later: jobs, lists and tags that lag, each apart and all together."""

from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import World, WorldClients
from lifecycle.promises import LONG, require
from lifecycle.scenarios import SCENARIOS
from lifecycle.stack import Stack

from agent_rft_handler.facts import AGENT_RFT
from agent_rft_local import store

LAGS = [
    {"described": 120.0},
    {"listed": 900.0},
    {"tagged": 60.0},
    {"described": 120.0, "listed": 900.0},
    {"described": 60.0, "listed": 60.0, "tagged": 120.0},
]
"""How many seconds after its creation a job is described, listed, and shown with its tags."""


@dataclass
class LaggingClients(WorldClients):
    """The world's clients, to which a job is not there, not listed or without tags for a while."""

    described: float = 0
    listed: float = 0
    tagged: float = 0

    @property
    def sagemaker(self) -> "LaggingClients":
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world.sagemaker, name)

    def describe_job(self, **request: Any) -> Any:
        row = self.world.sagemaker.describe_job(**request)
        if self._is_younger(row, self.described):
            error: Any = {"Error": {"Code": "ResourceNotFound", "Message": "Requested resource not found."}}
            raise ClientError(error, "DescribeJob")
        return {**row, "Tags": []} if self._is_younger(row, self.tagged) else row

    def list_tags(self, ResourceArn: str, **request: Any) -> Any:
        name = ResourceArn.rpartition("/")[2]
        row = self.world.sagemaker.describe_job(JobName=name, JobCategory=AGENT_RFT.name)
        if self._is_younger(row, self.tagged):
            return {"Tags": []}
        return self.world.sagemaker.list_tags(ResourceArn=ResourceArn, **request)

    def list_jobs(self, **request: Any) -> Any:
        page = self.world.sagemaker.list_jobs(**request)
        rows = [row for row in page["JobSummaries"] if not self._is_younger(row, self.listed)]
        return {**page, "JobSummaries": rows}

    def _is_younger(self, row: Any, seconds: float) -> bool:
        return bool(self.world.clock.now - row["CreationTime"] < seconds)


@pytest.mark.parametrize("fault", ["", "error_after", "reset"])
@pytest.mark.parametrize("lag", LAGS, ids=str)
@pytest.mark.parametrize("heading", SCENARIOS)
def test_what_is_shown_late_is_neither_lost_nor_submitted_again(
    heading: str, lag: dict[str, float], fault: str
) -> None:
    scenario, world = SCENARIOS[heading], World()
    store.clock = lambda: world.clock.now
    store.behaviour.running_jobs, store.behaviour.job_seconds = scenario.quota, LONG
    world.clients = LaggingClients(world, **lag)
    stack = Stack(world, scenario.is_older, scenario.retains)
    scenario.run(world, stack, lambda: world.fail("CreateJob", fault) if fault else None)
    stack.settle()
    world.clock.now += 60
    require(world, stack, runs=scenario.runs)
