"""The tables of docs/cli.md: the keys of the JSON that a command printed, and what IAM was asked on the way."""

import json
import shlex
from collections.abc import Iterator

from cli.player import AFTERWARDS, SWEEPING, WHILE_BOTH_RUN, Player

from docs.generate import with_section
from docs.table import code, table

WHEN = {
    **dict.fromkeys(("jobs --orphans", "jobs --orphans --stop", "stop JOB"), WHILE_BOTH_RUN),
    "sweep --stack SWEEP": SWEEPING,
}
"""When a command is run that is to find running jobs; the others find jobs that are Completed."""

COMMANDS = (
    "models",
    "models --details",
    "runtimes",
    "runtimes --endpoints",
    "jobs",
    "jobs --orphans",
    "jobs --orphans --stop",
    "status --stack NAME",
    "status JOB",
    "watch JOB",
    "logs JOB",
    "metrics JOB",
    "metrics JOB --all",
    "document JOB",
    "open JOB",
    "stop JOB",
    "sweep --stack SWEEP",
)
"""What is run, with --json."""

NOT_OURS = {"document JOB"}
"""What JSON has the members that SageMaker gives it."""

START = "<!-- made by make recording: {} -->\n"


def filled_in(page: str, player: Player) -> str:
    """The page with its two tables."""
    keys: dict[frozenset[str], list[str]] = {}
    actions: dict[frozenset[str], list[str]] = {}
    player.used()
    for command in COMMANDS:
        printed = _run(command, player)
        used = (each for each in player.used() if not each.startswith("sts:"))
        actions.setdefault(frozenset(used), []).append(command)
        if command not in NOT_OURS:
            keys.setdefault(frozenset(_keys(printed)), []).append(command)
    page = with_section(page, START.format("keys"), _table("Keys", keys))
    return with_section(page, START.format("actions"), _table("IAM actions", actions))


def _table(what: str, found: dict[frozenset[str], list[str]]) -> str:
    """A row for each set of words, with the commands that share it."""
    return table(("Command", what), [(code(commands), _words(words)) for words, commands in found.items()])


def _words(words: frozenset[str]) -> str:
    return ", ".join(f"`{word}`" for word in sorted(words))


def _run(command: str, player: Player) -> object:
    """What the command prints with --json; of several lines the last."""
    player.turn_to(WHEN.get(command, AFTERWARDS))
    names = {"JOB": player.aws.outputs("Wordle")["JobName"], "NAME": "Wordle", "SWEEP": "Sweep"}
    printed = player.run(*(names.get(word, word) for word in shlex.split(command)), "--json")
    return json.loads(printed.splitlines()[-1] if command.startswith(("watch", "logs")) else printed)


def _keys(value: object, path: str = "") -> Iterator[str]:
    """The path of each value: a list is ``[]`` of what its elements have."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _keys(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for each in value:
            yield from _keys(each, f"{path}[]" if path else "")
    else:
        yield path
