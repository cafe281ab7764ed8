"""Wrongs that change nothing which anyone was promised: no test should see them, and each says why."""

import re
from typing import NamedTuple


class Equivalent(NamedTuple):
    """A wrong, by what is changed in which code."""

    wrong: str
    code: str
    why: str


TIME = "a wait or an interval a little longer: nothing depends on the second"
SIZE = "a length or a number of tries one greater: any of that order would do"
DEFAULT = "a default in whose place every caller gives a value, or which none reads"
SAME = "the other value means the same to what reads it"

EQUIVALENT = (
    Equivalent(r"[\d.]+ -> [\d.]+", r"^(ANSWER|SUBMIT|LAG|LONGEST_PAUSE|ROLE_LAG|LONGEST|PATIENCE|POLL) = ", TIME),
    Equivalent(r"0\.0 -> 1\.0", r"waited = 0\.0|chain\(\[0\.0\]|next\(pauses, 0\.0\)", TIME),
    Equivalent(r"\d+ -> \d+", r"deadline\.pauses\(", TIME),
    Equivalent(r"(Lt|Gt) -> (Lt|Gt)E", r"waited [<>] ", TIME),
    Equivalent(r"\d+ -> \d+", r"hexdigest\(\)\[:\d+\]", SIZE),
    Equivalent(r"\d+ -> \d+", r"^(TRIES|TURNS|GENERATIONS|MAX_BYTES) = ", SIZE),
    Equivalent(r"\d+ -> \d+", r"text\(given\.get\(", SIZE),
    Equivalent("'' -> 'X'", r"name_after\(self\.latest\.name if ", SAME),
    Equivalent(r"False -> True", r"in_the_middle: bool = False", DEFAULT),
)


def why_equivalent(wrong: str, code: str) -> str:
    """Why nobody could see it; empty where a test should."""
    found = (each for each in EQUIVALENT if re.fullmatch(each.wrong, wrong) and re.search(each.code, code))
    return next((each.why for each in found), "")
