"""docs/mutation.md, of what is kept in docs/mutation.json."""

import json
from collections.abc import Iterator
from typing import Any

from scripts.mutation.equivalent import why_equivalent
from scripts.mutation.tests import ROOT

KEPT = ROOT / "docs" / "mutation.json"
PAGE = ROOT / "docs" / "mutation.md"

HEAD = """\
# Mutation testing

Made by `make mutation`, from its runs: how many small wrongs (a comparison turned, a condition negated, a
constant changed, a call left out) there are in each module, how many of them were tried (a sample, where it is fewer),
and which of those its tests do not see. Some of what is left changes nothing that could be seen, as is said of it; the
rest is worth a test.
"""


def page() -> Iterator[str]:
    """Its lines: a table, and then what each module has left."""
    kept: dict[str, dict[str, Any]] = json.loads(KEPT.read_text())
    yield from (HEAD, "| Module | Wrongs | Tried | Not seen | Worth a test |", "|---|---|---|---|---|")
    rows = {name: (each["of"], each["tried"], len(each["left"]), len(_open(each))) for name, each in kept.items()}
    yield from (f"| `{name}` | {' | '.join(map(str, row))} |" for name, row in rows.items())
    yield f"| {len(rows)} modules | {' | '.join(str(sum(column)) for column in zip(*rows.values(), strict=True))} |"
    for name, each in kept.items():
        if each["left"]:
            yield from ("", f"## {name}", "")
            yield from map(_line, each["left"])


def _open(outcome: dict[str, Any]) -> list[dict[str, str]]:
    return [row for row in outcome["left"] if not why_equivalent(row["wrong"], row["code"])]


def _line(row: dict[str, str]) -> str:
    why = why_equivalent(row["wrong"], row["code"])
    return f"- {row['wrong']}: `{row['code']}`" + (f" ({why})" if why else "")
