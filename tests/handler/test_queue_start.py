"""The execution that takes a queue's turns."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import STACK_ID, World

from agent_rft_handler.errors import Refused
from agent_rft_handler.job_queue.queue import Queue
from agent_rft_handler.owner import Owner

QUEUE = Queue(Owner(STACK_ID, "Queue"), {"StateMachineArn": "arn:machine", "Bucket": "b", "Folder": "f"}, "g")


def test_each_part_of_an_event_starts_once_at_its_first_turn(world: World) -> None:
    for part in (1, 1, 2):
        QUEUE.start(world.clients, part)
    assert list(world.stepfunctions.started) == ["g-1", "g-2"]
    request = world.stepfunctions.started["g-2"]
    assert request["stateMachineArn"] == "arn:machine"
    first = {"Turn": 1, "Idle": 0}
    assert json.loads(request["input"]) == {"Bucket": "b", "Folder": "f", "Generation": "g", "Part": 2, **first}


def test_one_that_cannot_be_started_says_which_queue(world: World) -> None:
    denied: Any = {"Error": {"Code": "AccessDeniedException", "Message": "no"}}
    world.stepfunctions.fails = ClientError(denied, "StartExecution")
    with pytest.raises(Refused, match="Starting the queue Queue failed: AccessDeniedException"):
        QUEUE.start(world.clients)
