"""The time, and waiting; a test puts its own in their place."""

import datetime
import time


def now() -> datetime.datetime:
    """The time in UTC."""
    return datetime.datetime.now(datetime.UTC)


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)
