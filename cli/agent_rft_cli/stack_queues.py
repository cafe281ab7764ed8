"""The queues of a deployed stack, and the tables of their results."""

import csv
import io
import re
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_cli.aws import Clients
from agent_rft_cli.failures import Failure
from agent_rft_cli.stack_resources import StackResource, only
from agent_rft_handler.contract import QUEUE_RESOURCE_TYPE, QUEUE_RESULTS
from agent_rft_handler.errors import code_of
from agent_rft_handler.job_queue.queue import PHYSICAL_ID
from agent_rft_handler.job_queue.record import COLUMNS


class StackQueue(StackResource):
    """A ``JobQueue`` or a ``Sweep``; its physical id says where its results are."""

    resource_type = QUEUE_RESOURCE_TYPE
    kind = "queue"
    does = "runs jobs one after another"

    def results(self, s3: Any) -> list[dict[str, Any]]:
        """A row for each job, in their order, the hyperparameters apart; None where there is nothing yet.

        Raises:
            Failure: where no turn has written the table yet.
        """
        found = re.fullmatch(PHYSICAL_ID, self.physical_id)
        if not found:
            raise Failure(f"{self.called} of the stack {self.stack} has not started.")
        try:
            answer = s3.get_object(Bucket=found[1], Key=f"{found[2]}/{QUEUE_RESULTS}")
        except ClientError as error:
            if code_of(error) == "NoSuchKey":
                raise Failure(f"{self.called} has no results yet: its first turn writes them.") from error
            raise
        return [_row(each) for each in csv.DictReader(io.StringIO(answer["Body"].read().decode()))]


def queue_of(stack: str, resource: str | None, clients: Clients) -> StackQueue:
    """The one queue of the stack.

    Raises:
        Failure: where there is none, or not just one; it lists those there are.
    """
    return only(StackQueue, stack, resource, clients)


def _row(line: Mapping[str, str]) -> dict[str, Any]:
    given = {name: value for name, value in line.items() if name not in COLUMNS and value}
    return {**{name: line.get(name) or None for name in COLUMNS}, "hyperparameters": given}
