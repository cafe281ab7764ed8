"""What docs/cli.md shows of the commands, recorded in a local AWS.

The page is the script: its commands are run in its order, and what stands below each is what it printed; as many lines
as stand there, where they end with ``...``. `make recording` writes the page; test_recording.py compares.
"""

import hashlib
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from cli import reference
from cli.player import DEPLOYED, EARLIER, HOUR, WHILE_BOTH_RUN, Player

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"

COMMAND = re.compile(r"^\$ agent-rft (?P<line>.*)\n(?P<printed>(?:(?!\$ |```).*\n)*)", re.MULTILINE)

TIMES = {
    "status --stack Wordle": WHILE_BOTH_RUN,
    "jobs --orphans": WHILE_BOTH_RUN,
    "jobs": EARLIER + 2 * HOUR,
}
"""When a command is run; the others follow at once."""

FIRST = {"sweep --stack Sweep": Player.sweep}
"""What is done before a command is run."""

DATE = "2026-12-02"
"""What the page has for the day."""

ELSEWHERE = {"--profile", "--region"}
"""Options of the commands that are shown for their failure."""

RANDOM = re.compile(
    r"(?<=-)[0-9a-f]{10}(?=-[0-9a-f]{12}\b)|(?<=-)[0-9a-f]{12}\b|(?<=Group-[0-9A-F]{8}-)[0-9a-f]{8}\b|(?<=wordle-)\w{10}\b"
    r"|(?<=stack/Earlier/)[0-9a-f-]{36}|(?<=authToken=)\w+|(?<=runs/)[0-9a-f]{32}"
)
"""What is another each time: a job's two digests, the ids of a group, a runtime, a stack and a run, a token."""


@dataclass
class Recorder:
    """Writes what is printed as it would be printed each time."""

    player: Player
    _masks: dict[str, str] = field(default_factory=dict)

    def page(self, text: str) -> str:
        """The page with what its commands print now."""
        recorded = COMMAND.sub(lambda shown: f"$ agent-rft {shown['line']}\n{self._printed(shown)}", text)
        return reference.filled_in(recorded, self.player)

    def _printed(self, shown: re.Match[str]) -> str:
        if shown["line"] in TIMES:
            self.player.turn_to(TIMES[shown["line"]])
        if shown["line"] in FIRST:
            FIRST[shown["line"]](self.player)
        arguments = shlex.split(shown["line"])
        lines = self._masked(self.player.run(*arguments, signed_in=not ELSEWHERE & set(arguments)))
        if shown["printed"].endswith("\n...\n"):
            lines = [*lines[: shown["printed"].count("\n") - 1], "...\n"]
        return "".join(lines) + ("\n" if shown["printed"].endswith("\n\n") else "")

    def _masked(self, printed: str) -> list[str]:
        printed = printed.replace(f"{DEPLOYED:%Y-%m-%d}", DATE).replace(f"{DEPLOYED:%m-%d} ", f"{DATE[5:]} ")
        printed = re.sub(r"(?<=experiments/)\d+", "1", printed)  # of any length
        return RANDOM.sub(lambda found: self._mask(found[0]), printed).splitlines(keepends=True)

    def _mask(self, random: str) -> str:
        """By the order in which they appear."""
        digits = hashlib.sha256(str(len(self._masks)).encode()).hexdigest()
        return self._masks.setdefault(random, digits[: len(random)])


def recorded(text: str) -> str:
    """The page with everything in it that a run makes."""
    with Player.started() as player:
        return Recorder(player).page(text)


if __name__ == "__main__":
    PAGE.write_text(recorded(PAGE.read_text()))
