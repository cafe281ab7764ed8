"""Whether a text with tokens in it can still become one of a form: what is written beside them decides."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

# Python's own parser of patterns: hypothesis reads it in the same way, as there is no public one
_parse: Any = import_module("re._parser").parse

Places = frozenset[int]

CATEGORIES: Mapping[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda each: each.isalnum() or each == "_",
}
"""What \\d, \\s and \\w stand for."""


def can_match(pattern: str, parts: Sequence[str]) -> bool:
    """Whether some texts put between the parts make a whole text that matches.

    Looking ahead or behind is passed over, so a pattern that does may be taken to match where it does not.
    """
    pieces: list[str | None] = [*parts[0]]
    for part in parts[1:]:
        pieces += [None, *part]
    text = _Text(pieces)
    return len(pieces) in text.past_tokens(text.after(_parsed(pattern), frozenset({0})))


@cache
def _parsed(pattern: str) -> list[Any]:
    return list(_parse(pattern))


class _Text:
    """Characters, and None for each token; a place is before the piece of that number."""

    def __init__(self, pieces: Sequence[str | None]) -> None:
        self._pieces = pieces

    def past_tokens(self, places: Iterable[int]) -> Places:
        """The places, and those after the tokens there, any of which may be empty."""
        found = set(places)
        for place in range(len(self._pieces)):
            if place in found and self._pieces[place] is None:
                found.add(place + 1)
        return frozenset(found)

    def after(self, nodes: Iterable[Any], places: Places) -> Places:
        """Where the text goes on, when it has the nodes one after another from any of the places on."""
        for node in nodes:
            places = self._after(str(node[0]), node[1], places)
        return places

    def _after(self, kind: str, value: Any, places: Places) -> Places:
        if kind == "BRANCH":
            return frozenset().union(*(self.after(branch, places) for branch in value[1]))
        if kind == "SUBPATTERN":
            return self.after(value[-1], places)
        if kind.endswith("REPEAT"):
            return self._repeated(value, places)
        here = [(place, self._pieces[place]) for place in self.past_tokens(places) if place < len(self._pieces)]
        within = {place for place, piece in here if piece is None}
        return frozenset(within | {place + 1 for place, piece in here if piece and _is(piece, kind, value)})

    def _repeated(self, value: tuple[int, int, Any], places: Places) -> Places:
        least, most, nodes = value
        reached, last, count = places if least == 0 else frozenset(), places, 0
        while last and count < most:
            count += 1
            last = self.after(nodes, last) - (reached if count > least else frozenset())
            reached |= last if count >= least else frozenset()
        return reached


def _is(character: str, kind: str, value: Any) -> bool:
    if kind == "IN":
        chosen = [each for each in value if str(each[0]) != "NEGATE"]
        return any(_is(character, str(each[0]), each[1]) for each in chosen) == (len(chosen) == len(value))
    if kind == "RANGE":
        return bool(value[0] <= ord(character) <= value[1])
    if kind == "CATEGORY":
        _, is_not, name = str(value).rpartition("NOT_")
        return CATEGORIES[name.removeprefix("CATEGORY_")](character) != bool(is_not)
    return bool((ord(character) == value) == (kind == "LITERAL"))
