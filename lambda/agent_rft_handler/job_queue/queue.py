"""A queue as it is declared: its jobs in their order, each with the request that submits it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from agent_rft_handler.clients import Clients
from agent_rft_handler.contract import from_properties
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.errors import AWS_ERRORS, code_of, explained
from agent_rft_handler.event import Event, mapping, text
from agent_rft_handler.job.names import job_name
from agent_rft_handler.job.request import Request, in_place, request_of
from agent_rft_handler.owner import Owner

PHYSICAL_ID = r"s3://([^/]+)/(.+)/#\w*"
"""Bucket and folder of a queue's physical id."""

GENERATIONS = 50
"""How many events back a queue knows those that came before it."""


@dataclass(frozen=True)
class Row:
    """One job of a queue.

    Args:
        name: What the user calls it.
        declaration: The job.
        owner: The queue's resource, which owns all of its jobs.
    """

    name: str
    declaration: Declaration
    owner: Owner

    @cached_property
    def key(self) -> str:
        """The name of its first attempt, which says in a word whose it is and what is declared."""
        return job_name(self.declaration, self.owner)

    @property
    def request(self) -> Request:
        """The same whenever it is asked for: whoever finds its job knows it for this one's."""
        return request_of(self.owner, self.declaration, self.key)


@dataclass(frozen=True)
class Queue:
    """What an event declares; what is malformed in it reads as absent.

    Args:
        owner: The queue's resource.
        properties: The resource's properties.
        generation: The event by which it came to be so.
        earlier: The events before it, newest first.
    """

    owner: Owner
    properties: Mapping[str, object]
    generation: str
    earlier: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, event: Event) -> "Queue":
        """The queue that an event declares."""
        generation = hashlib.sha256(event.request_id.encode()).hexdigest()[:16]
        return cls(Owner(event.stack_id, event.logical_id), event.properties, generation)

    @classmethod
    def from_list(cls, given: Mapping[str, object]) -> "Queue":
        """The queue as ``to_list`` wrote it."""
        owner = Owner(text(given.get("StackId")), text(given.get("LogicalId")))
        earlier = given.get("Earlier")
        found = tuple(map(str, earlier)) if isinstance(earlier, list) else ()
        return cls(owner, mapping(given.get("Properties")), text(given.get("Generation")), found)

    def to_list(self) -> dict[str, object]:
        """The queue as JSON."""
        return {
            "Generation": self.generation,
            "Earlier": list(self.earlier),
            "StackId": self.owner.stack_id,
            "LogicalId": self.owner.logical_id,
            "Properties": dict(self.properties),
        }

    def after(self, former: "Queue | None") -> "Queue":
        """The queue with what it takes the place of."""
        if former is None:
            return self
        newest = () if former.generation == self.generation else (former.generation,)
        return replace(self, earlier=(*newest, *former.earlier)[:GENERATIONS])

    @property
    def without_rows(self) -> "Queue":
        """The queue at its end: nothing of it is wanted any more."""
        return replace(self, properties={**self.properties, "Declared": {}})

    @property
    def state_machine_arn(self) -> str:
        return text(self.properties.get("StateMachineArn"))

    @property
    def bucket(self) -> str:
        return text(self.properties.get("Bucket"))

    @property
    def folder(self) -> str:
        """Where its list and its results lie in the bucket."""
        return text(self.properties.get("Folder"))

    @property
    def concurrency(self) -> int:
        """How many of its jobs run at a time."""
        given = text(self.properties.get("Concurrency"))
        return max(1, int(given)) if given.isdecimal() else 1

    @property
    def stops_on_failure(self) -> bool:
        """Whether nothing is submitted any more once a job has failed."""
        return text(self.properties.get("StopOnFailure")) == "true"

    @property
    def every(self) -> float:
        """How many seconds after its submission a young job is looked at."""
        given = text(self.properties.get("EverySeconds"))
        return float(given) if given.isdecimal() else 60.0

    @property
    def physical_id(self) -> str:
        """Where its results are, and since which event: an update that succeeds ends the queue before it."""
        return f"s3://{self.bucket}/{self.folder}/#{self.generation}"

    def start(self, clients: Clients, part: int = 1) -> None:
        """Starts the execution that takes its turns, or finds it started: Step Functions takes a name once in 90 days.

        Args:
            clients: The AWS clients.
            part: Which execution of this event's; one that has had many turns is followed by another.

        Raises:
            Refused: when it cannot be started.
        """
        turns = {"Generation": self.generation, "Part": part, "Turn": 1, "Idle": 0}
        try:
            clients.stepfunctions.start_execution(
                stateMachineArn=self.state_machine_arn,
                name=f"{self.generation}-{part}",
                input=json.dumps({"Bucket": self.bucket, "Folder": self.folder, **turns}),
            )
        except AWS_ERRORS as error:
            if code_of(error) != "ExecutionAlreadyExists":
                raise explained(error, f"Starting the queue {self.owner.logical_id}") from error

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Its jobs, in their order."""
        return tuple(self._rows())

    def _rows(self) -> Iterator[Row]:
        given = mapping(self.properties.get("Declared"))
        declared, listed = mapping(given.get("Jobs")), given.get("Rows")
        for each in map(mapping, listed if isinstance(listed, list) else []):
            name, of = text(each.get("Name")), mapping(declared.get(text(each.get("Job"))))
            declaration = from_properties(in_place(of, mapping(each.get("InPlace"))))
            run_id = ":".join(part for part in (declaration.run_id, name) if part)
            yield Row(name, replace(declaration, dry_run=False, run_id=run_id), self.owner)
