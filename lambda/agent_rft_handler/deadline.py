"""How much of the function's time is left, and what that leaves room for."""

import math
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

    def pauses(self, *, longest: float, reserve: float = ANSWER, in_all: float = math.inf) -> Iterator[float]:
        """Growing pauses between attempts, each slept through: ``in_all`` seconds, and never into what is reserved.

        Yields the seconds slept so far; the first attempt comes before the first of them.
        """
        pause, waited = 2.0, 0.0
        while waited < in_all and self.allows(reserve + pause):
            self.sleep(pause)
            waited += pause
            yield waited
            pause = min(pause * 2, longest)
