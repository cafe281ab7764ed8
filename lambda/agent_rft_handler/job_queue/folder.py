"""What a queue keeps in its bucket: the list of what is wanted, what became of each job, and the table of results."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from agent_rft_handler.clients import Clients
from agent_rft_handler.contract import QUEUE_RESULTS
from agent_rft_handler.deadline import Deadline
from agent_rft_handler.errors import AWS_ERRORS, Refused, code_of, explained
from agent_rft_handler.job_queue.queue import PHYSICAL_ID, Queue
from agent_rft_handler.job_queue.record import Record
from agent_rft_handler.patience import patient

QUEUE, RECORDS, RESULTS = "queue.json", "jobs.json", QUEUE_RESULTS
"""The handler alone writes the first, the queue's turns the others."""


class Changed(Refused):
    """Someone else wrote the object since it was read."""


@dataclass
class Folder:
    """A queue's objects, as they are and as they were when they were read.

    Args:
        bucket: The bucket's name.
        path: Where they lie, without a slash at its end.
        s3: The client.
    """

    bucket: str
    path: str
    s3: Any
    _etags: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, bucket: str, path: str, clients: Clients, deadline: Deadline) -> "Folder":
        """The folder, read and written patiently."""
        return cls(bucket, path, patient(clients.s3, deadline))

    def at(self, physical_id: str) -> "Folder":
        """The folder that a queue's physical id names; this one where it names none."""
        found = re.fullmatch(PHYSICAL_ID, physical_id)
        return Folder(found[1], found[2], self.s3) if found else self

    def queue(self) -> Queue | None:
        """What is wanted now; None where nothing says so."""
        found = self._read(QUEUE)
        return Queue.from_list(found) if found else None

    def required(self) -> Queue:
        """What is wanted now.

        Raises:
            Refused: where nothing says so; it was written before the queue started, and no event takes it away.
        """
        found = self.queue()
        if found is None:
            lost = f"{self._uri(QUEUE)} is gone, so nobody knows which jobs are wanted"
            raise Refused(f"{lost}. Deploy the queue with a change, which writes it anew: no job runs twice.")
        return found

    def want(self, queue: Queue) -> None:
        """Writes what is wanted.

        Raises:
            Changed: when someone else wrote it since it was read; nothing is written.
        """
        self._put(QUEUE, json.dumps(queue.to_list()), "application/json")

    def records(self) -> dict[str, Record]:
        """What became of each job, by its row's key."""
        return {key: Record.of(each) for key, each in self._read(RECORDS).items()}

    def keep(self, records: Mapping[str, Record]) -> None:
        """Writes what became of each job.

        Raises:
            Changed: when someone else wrote it since it was read; nothing is written.
        """
        self._put(RECORDS, json.dumps({key: asdict(each) for key, each in records.items()}), "application/json")

    def publish(self, table: str) -> None:
        """Writes the table of results, where another one is there."""
        if self._text(RESULTS) != table:
            self._put(RESULTS, table, "text/csv; charset=utf-8")

    def is_at(self, other: "Folder") -> bool:
        """Whether it is the same place."""
        return (self.bucket, self.path) == (other.bucket, other.path)

    def exists(self) -> bool:
        """Whether the bucket is there at all."""
        try:
            self._has(QUEUE)
        except AWS_ERRORS as error:
            if code_of(error) == "NoSuchBucket":
                return False
            raise explained(error, f"Listing {self._uri(QUEUE)}") from error
        return True

    def _put(self, name: str, text: str, kind: str) -> None:
        """Conditions are S3's own: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html."""
        etag = self._etags.get(name)
        condition = {"IfMatch": etag} if etag else {"IfNoneMatch": "*"}
        try:
            answer = self.s3.put_object(
                Bucket=self.bucket, Key=self._key(name), Body=text.encode(), ContentType=kind, **condition
            )
        except AWS_ERRORS as error:
            if code_of(error) in ("PreconditionFailed", "ConditionalRequestConflict"):
                raise Changed(f"{self._uri(name)} was changed meanwhile. Deploy again.") from error
            raise explained(error, f"Writing {self._uri(name)}") from error
        self._etags[name] = answer["ETag"]

    def _read(self, name: str) -> dict[str, Any]:
        found = json.loads(self._text(name) or "{}")
        return found if isinstance(found, dict) else {}

    def _text(self, name: str) -> str:
        self._etags.pop(name, None)
        try:
            if not self._has(name):
                return ""
            answer = self.s3.get_object(Bucket=self.bucket, Key=self._key(name))
            text = str(answer["Body"].read().decode())
        except AWS_ERRORS as error:
            raise explained(error, f"Reading {self._uri(name)}") from error
        self._etags[name] = answer["ETag"]
        return text

    def _has(self, name: str) -> bool:
        """Listed: to read what is not there is AccessDenied for whoever may list only the folder."""
        listed = self.s3.list_objects_v2(Bucket=self.bucket, Prefix=self._key(name), MaxKeys=1)
        return any(row["Key"] == self._key(name) for row in listed.get("Contents", []))

    def _key(self, name: str) -> str:
        return f"{self.path}/{name}"

    def _uri(self, name: str) -> str:
        return f"s3://{self.bucket}/{self._key(name)}"
