"""Words and figures as a person reads them."""

import datetime
import re

SMALL = 0.001
"""Below this, four digits after the point say too little."""


def printable(value: object) -> str:
    """``value`` without what would move the cursor or change colours; a tab is a space."""
    return "".join(filter(str.isprintable, str(value).replace("\t", " ")))


def utc(time: datetime.datetime) -> datetime.datetime:
    """The time in UTC."""
    return time.astimezone(datetime.UTC)


def duration(span: datetime.timedelta) -> str:
    """``12 s``, ``3 m 5 s``, ``12 h 40 m``; days are hours."""
    seconds = max(0, round(span.total_seconds()))
    hours, minutes = seconds // 3600, seconds // 60 % 60
    if hours:
        return f"{hours} h {minutes} m"
    return f"{minutes} m {seconds % 60} s" if minutes else f"{seconds} s"


def number(value: object) -> str:
    """A count with its thousands apart, a measure with three or four digits that count; anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return printable(value)
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:.4f}" if not 0 < abs(value) < SMALL else f"{value:.3g}"


def bar(fraction: float, width: int, *, is_unicode: bool) -> str:
    """A bar of so many characters, filled as far as the work is done."""
    full, empty = ("█", "░") if is_unicode else ("#", "-")
    done = int(min(1, max(0, fraction)) * width)
    return full * done + empty * (width - done)


def cut(line: str, width: int) -> str:
    """The line, or as much of it as fits."""
    return line if len(line) <= width else f"{line[: max(0, width - 3)]}..."


def snake(name: str) -> str:
    """``TrainTokenCount`` -> ``train_token_count``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
