"""The forms of options that several commands have."""

import argparse
import math


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a positive integer")
    return number


def seconds(text: str) -> float:
    """A time above 0, in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of seconds above 0")
    return number
