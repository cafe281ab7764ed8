"""The execution that takes a queue's turns: one for each event, by a name of its own."""

import json

from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import AWS_ERRORS, code_of, explained
from agent_rft_handler.job_queue.queue import Queue


def execution(queue: Queue, clients: Clients, part: int = 1) -> None:
    """Starts it, or finds it started: Step Functions takes an execution's name once in 90 days.

    Args:
        queue: The queue.
        clients: The AWS clients.
        part: Which execution of this event's; one that has had many turns is followed by another.

    Raises:
        Refused: when it cannot be started.
    """
    state = {
        "Bucket": queue.bucket,
        "Folder": queue.folder,
        "Generation": queue.generation,
        "Part": part,
        "Turn": 1,
        "Idle": 0,
    }
    name = f"{queue.generation}-{part}"
    try:
        clients.stepfunctions.start_execution(
            stateMachineArn=queue.state_machine_arn, name=name, input=json.dumps(state)
        )
    except AWS_ERRORS as error:
        if code_of(error) != "ExecutionAlreadyExists":
            raise explained(error, f"Starting the queue {queue.owner.logical_id}") from error
