"""Few rows of forms in which much meets: every form once, or every two forms of two arguments."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random

Row = dict[str, str]
Pair = tuple[tuple[str, str], tuple[str, str]]
Forms = Mapping[str, Iterable[str]]

TRIES = 30
"""How many rows are tried for each that is taken; with more, there are hardly fewer rows."""


def every_form(forms: Forms) -> list[Row]:
    """Rows in which every form stands."""
    named = {argument: list(each) for argument, each in forms.items()}
    longest = max(map(len, named.values()))
    return [{argument: each[number % len(each)] for argument, each in named.items()} for number in range(longest)]


def every_pair(forms: Forms) -> list[Row]:
    """Rows in which every two forms of two arguments stand: of some rows the one with most that is new, over again."""
    random, left, rows = Random(1), pairs(forms), list[Row]()  # noqa: S311 - no secret, the same rows each time
    while left:
        tried = [_row(random, forms, dict(random.choice(sorted(left)))) for _ in range(TRIES)]
        rows.append(max(tried, key=lambda row: len(left & met(row))))
        left -= met(rows[-1])
    return rows


def pairs(forms: Forms) -> set[Pair]:
    """Every two forms of two arguments."""
    return {
        ((one, form), (other, another))
        for one, other in combinations(forms, 2)
        for form in forms[one]
        for another in forms[other]
    }


def met(row: Row) -> set[Pair]:
    """The pairs that stand in a row."""
    return set(combinations(row.items(), 2))


def _row(random: Random, forms: Forms, fixed: Row) -> Row:
    return {argument: fixed.get(argument) or random.choice(list(each)) for argument, each in forms.items()}
