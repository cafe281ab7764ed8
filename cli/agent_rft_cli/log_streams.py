"""A job's log in CloudWatch Logs, from all its streams."""

from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from agent_rft_handler.clients import listed
from agent_rft_handler.errors import is_missing


@dataclass(frozen=True, order=True)
class LogLine:
    """One event.

    Args:
        milliseconds: When, since 1970.
        stream: The name of its stream.
        message: What it says.
    """

    milliseconds: int
    stream: str
    message: str


@dataclass
class LogStreams:
    """Reads on where it stopped.

    A stream's name begins with the job's and a slash; so another job's, whose name begins with this one's, is none of
    it. The group is the category's: by one report its name ends with a slash, so that one is looked for, too.

    Args:
        logs: A client of CloudWatch Logs.
        group: The category's log group.
        job_name: The job's name.
    """

    logs: Any
    group: str
    job_name: str
    _read: dict[tuple[str, str], str] = field(default_factory=dict)
    """For each group and stream, the token behind what was read."""
    _unseen: list[LogLine] = field(default_factory=list)
    """What was read and not handed over, for a call failed in between."""

    def fresh(self) -> list[LogLine]:
        """What was written since the last call, by time; streams that began since are among it."""
        for group, stream in self._streams():
            self._read_on(group, stream)
        lines, self._unseen = sorted(self._unseen), []
        return lines

    def _streams(self) -> list[tuple[str, str]]:
        for group in (self.group, f"{self.group}/"):
            try:
                rows = listed(
                    self.logs.describe_log_streams,
                    "logStreams",
                    "nextToken",
                    logGroupName=group,
                    logStreamNamePrefix=f"{self.job_name}/",
                )
                if found := [(group, row["logStreamName"]) for row in rows]:
                    return found
            except ClientError as error:
                if not is_missing(error):
                    raise
        return []

    def _read_on(self, group: str, stream: str) -> None:
        while True:
            token = self._read.get((group, stream))
            after = {"nextToken": token} if token else {}
            page = self.logs.get_log_events(logGroupName=group, logStreamName=stream, startFromHead=True, **after)
            self._unseen += [LogLine(each["timestamp"], stream, each["message"]) for each in page["events"]]
            self._read[group, stream] = page["nextForwardToken"]
            if page["nextForwardToken"] == token:  # the end [GetLogEvents: it gives the token that it was given]
                return
