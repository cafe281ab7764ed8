"""Two CreateJob requests, field by field."""

from collections.abc import Iterator, Mapping
from typing import Any

ABSENT = "(absent)"
TAIL = "<tail>"
"""Stands for what makes a job's name unique: a time in the SDK's, a digest in ours."""

REFUSED = {"refused": True}
"""The fields of a request that was refused, by whomever: nothing else of it is compared."""


def fields(request: Mapping[str, Any]) -> dict[str, object]:
    """The request's leaves by their path, as in ``JobConfigDocument.TrainingConfig.AcceptEula``.

    Tags stand by their key (a key that comes twice with both its values), channels by their name: for neither has
    the order a meaning.
    """
    tags: dict[str, object] = {}
    for tag in request["Tags"]:
        key, value = tag["Key"], tag["Value"]
        tags[key] = (tags[key], value) if key in tags else value
    document = request["JobConfigDocument"]
    channels = {each["ChannelName"]: each["DataSource"] for each in document["InputDataConfig"]}
    return dict(_leaves({**request, "Tags": tags, "JobConfigDocument": {**document, "InputDataConfig": channels}}, ""))


def differences(theirs: Mapping[str, object], ours: Mapping[str, object]) -> dict[str, tuple[object, object]]:
    """Each path at which the two differ, with both values."""
    if theirs == REFUSED or ours == REFUSED:
        return {} if theirs == ours else {"refused": ("refused" in theirs, "refused" in ours)}
    pairs = {path: (theirs.get(path, ABSENT), ours.get(path, ABSENT)) for path in {**theirs, **ours}}
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1] or type(pair[0]) is not type(pair[1])}


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping) and value:
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}" if path else name)
    else:
        yield path, value
