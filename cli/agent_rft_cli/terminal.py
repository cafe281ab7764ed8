"""What the output can show."""

import os
import shutil
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Terminal:
    """Where the lines go.

    Args:
        width: How many characters fit on a line; None where lines may be as long as they are, as in a file.
        is_unicode: Whether its encoding has blocks and dots.
        is_live: Whether what was written can be written over.
    """

    width: int | None
    is_unicode: bool
    is_live: bool

    @classmethod
    def of_stdout(cls) -> "Terminal":
        """Standard output's."""
        is_tty = sys.stdout.isatty()
        encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
        return cls(
            shutil.get_terminal_size().columns if is_tty else None,
            encoding.startswith("utf"),
            is_tty and os.environ.get("TERM", "dumb") != "dumb",
        )
