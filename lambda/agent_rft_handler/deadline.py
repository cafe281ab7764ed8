"""How much of the function's time is left, and what that leaves room for."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

ANSWER = 30.0
"""Seconds kept for the answer to CloudFormation: whatever is still going on then is given up."""

SUBMIT = 60.0
"""Seconds that must be left to submit: with fewer, there is no time to look whether a lost answer was a yes."""


@dataclass(frozen=True)
class Deadline:
    """The end of the function's time."""

    remaining: Callable[[], float]
    sleep: Callable[[float], None]

    @classmethod
    def of(cls, context: Any) -> "Deadline":
        """The end of the invocation whose context Lambda gives."""
        return cls(remaining=lambda: float(context.get_remaining_time_in_millis()) / 1000, sleep=time.sleep)

    def allows(self, seconds: float) -> bool:
        """Whether so many seconds are left."""
        return self.remaining() >= seconds

    def pauses(self, *, longest: float, reserve: float = ANSWER) -> Iterator[float]:
        """Growing pauses between attempts, each slept through, until no more than ``reserve`` would be left.

        Yields the number of seconds that each pause took; the first attempt comes before the first of them.
        """
        pause = 2.0
        while self.allows(reserve + pause):
            self.sleep(pause)
            yield pause
            pause = min(pause * 2, longest)
