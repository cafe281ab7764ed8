"""How `watch` shows a job: in place on a terminal, a line for each change in a file, JSON for programs."""

import contextlib
import importlib.util
import math
from collections.abc import Iterator
from typing import Any, Protocol

from agent_rft_cli import clock
from agent_rft_cli.listing import as_json
from agent_rft_cli.report import Report
from agent_rft_cli.terminal import Terminal

COLOURS = {"Completed": "green", "Failed": "red", "Stopped": "yellow", "Stopping": "yellow"}
"""Of a status, for who can see them; the words say the same."""


class Screen(Protocol):
    """Where a job is watched."""

    def show(self, report: Report) -> None:
        """A new look at the job."""

    def wait(self, seconds: float) -> None:
        """Until the next look."""

    def close(self) -> None:
        """After the last look."""


@contextlib.contextmanager
def opened(terminal: Terminal, *, as_json: bool) -> Iterator[Screen]:
    """The screen that suits the output."""
    screen: Screen = Lines(terminal)
    if as_json:
        screen = JsonLines()
    elif terminal.is_live and importlib.util.find_spec("rich"):
        screen = Live(terminal)
    try:
        yield screen
    finally:
        screen.close()


class Lines:
    """A line for each change, and everything at the end: for a file, a pipe, or without rich."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._last = ""
        self._report: Report | None = None

    def show(self, report: Report) -> None:
        self._report = report
        said = f"{report.summary()}. {report.note}".rstrip(". ")
        if said != self._last:
            print(f"{clock.now():%Y-%m-%d %H:%M:%S} UTC  {said}", flush=True)
            self._last = said

    def wait(self, seconds: float) -> None:
        clock.sleep(seconds)

    def close(self) -> None:
        if self._report and self._report.job.is_over:
            print("", *self._report.lines(self._terminal), sep="\n", flush=True)


class JsonLines:
    """A JSON object on a line for each change."""

    def __init__(self) -> None:
        self._last = ""

    def show(self, report: Report) -> None:
        said = as_json(report.row(), indent=None)
        if said != self._last:
            print(said, flush=True)
            self._last = said

    def wait(self, seconds: float) -> None:
        clock.sleep(seconds)

    def close(self) -> None:
        """Nothing is left to say."""


class Live:
    """Written over at each look, and each second for the clock's sake."""

    def __init__(self, terminal: Terminal) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        self._report: Report | None = None
        self._terminal = terminal
        self._live: Any = RichLive(console=Console(highlight=False), auto_refresh=False)
        self._live.start()

    def show(self, report: Report) -> None:
        self._report = report
        self._draw()

    def wait(self, seconds: float) -> None:
        ticks = max(1, math.ceil(seconds))
        for _ in range(ticks):
            clock.sleep(seconds / ticks)
            self._draw()

    def close(self) -> None:
        self._live.stop()

    def _draw(self) -> None:
        from rich.text import Text

        if self._report is None:
            return
        width = self._live.console.width  # the terminal's may have changed
        terminal = Terminal(width, self._terminal.is_unicode, is_live=True)
        text = Text("\n".join(self._report.lines(terminal)), no_wrap=True, overflow="crop")
        text.highlight_regex(r"^\S.*(?=\n)", "bold")
        text.highlight_regex(r"[█#]+(?=[░\-]*[█#░\-] | +\d+%)", "green")
        text.highlight_words([self._report.job.status], COLOURS.get(self._report.job.status, "cyan"))
        self._live.update(text, refresh=True)
