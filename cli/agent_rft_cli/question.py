"""Asking the person at the terminal."""

import sys


def says_yes(question: str) -> bool:
    """Whether the answer is yes; anything else, and the end of the input, is no."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
