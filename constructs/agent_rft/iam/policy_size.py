"""How large a policy will be, as far as that is known at synth: IAM counts its characters without white space."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent_rft.permissions import Statement

PSEUDO = {
    "AWS::AccountId": len("111122223333"),
    "AWS::Partition": len("aws-us-gov"),
    "AWS::Region": len("ap-northeast-1"),
    "AWS::URLSuffix": len("amazonaws.com.cn"),
}
"""What CloudFormation's own parameters come to, at most."""

UNKNOWN = 150
"""What is taken for a value that only the deploy knows: an ARN, as CDK takes it [aws-cdk-lib: policy-statement.ts]."""

STATEMENT_ROOM = 2_000
"""Characters of a statement: one with more resources becomes several, as then each finds room somewhere."""

EMPTY = len('{"Statement":[],"Version":"2012-10-17"}')
"""A policy without statements."""


@dataclass(frozen=True)
class Resolved:
    """A statement, with what its resources and conditions resolve to."""

    statement: Statement
    values: list[Any]
    conditions: Mapping[str, Any]


@dataclass(frozen=True)
class Sized:
    """A statement, and its characters in a policy."""

    statement: Statement
    size: int


def size(value: Any) -> int:
    """The characters of a resolved value in a policy."""
    if isinstance(value, Mapping):
        return _size_of_intrinsic(value) if _is_intrinsic(value) else _size_of_object(value)
    if isinstance(value, list):
        return len("[]") + sum(map(size, value)) + max(0, len(value) - 1)
    return len(json.dumps(value))


def merged(statements: Iterable[Resolved]) -> list[Resolved]:
    """One statement for each permission and its conditions, on all of their resources: each by what it resolves to."""
    first: dict[tuple[object, str], Resolved] = {}
    resources: dict[tuple[object, str], dict[str, tuple[str, Any]]] = {}
    for each in statements:
        same = each.statement.given or each.statement.permission, each.statement.conditions_text
        first.setdefault(same, each)
        known = resources.setdefault(same, {})
        for text, value in zip(each.statement.resources, each.values, strict=True):
            known.setdefault(value if isinstance(value, str) else json.dumps(value), (text, value))
    return [
        Resolved(replace(each.statement, resources=tuple(texts)), list(values), each.conditions)
        for same, each in first.items()
        for texts, values in [zip(*resources[same].values(), strict=True)]
    ]


def sized(resolved: Resolved) -> Iterator[Sized]:
    """The statement, or parts of it that are small enough."""
    statement = resolved.statement
    condition = {"Condition": resolved.conditions} if resolved.conditions else {}
    frame = size({"Action": list(statement.permission.actions), "Effect": "Allow", "Resource": [], **condition})
    part: list[str] = []
    total = frame
    for text, value in zip(statement.resources, resolved.values, strict=True):
        if part and not statement.given and total + size(value) + 1 > STATEMENT_ROOM:
            yield Sized(replace(statement, resources=tuple(part)), total)
            part, total = [], frame
        part.append(text)
        total += size(value) + 1
    yield Sized(replace(statement, resources=tuple(part)), total)


def packed(statements: Iterable[Sized], room: int, more_room: int) -> list[list[Sized]]:
    """The statements in policies: the first has ``room``, and may hold none; each further one ``more_room``."""
    policies: list[list[Sized]] = [[]]
    for each in statements:
        fitting = (
            policy
            for number, policy in enumerate(policies)
            if EMPTY + sum(one.size + 1 for one in (*policy, each)) <= (more_room if number else room)
        )
        policy = next(fitting, None)
        if policy is None:
            policies.append(policy := [])
        policy.append(each)
    return policies


def _size_of_object(value: Mapping[str, Any]) -> int:
    members = [size(key) + len(":") + size(member) for key, member in value.items()]
    return len("{}") + sum(members) + max(0, len(members) - 1)


def _size_of_intrinsic(value: Mapping[str, Any]) -> int:
    ((function, argument),) = value.items()
    if function == "Fn::Join" and isinstance(argument[1], list):
        separator, parts = argument
        inner = sum(size(part) - len('""') for part in parts)
        return len('""') + inner + len(separator) * max(0, len(parts) - 1)
    return len('""') + (PSEUDO.get(argument, UNKNOWN) if function == "Ref" else UNKNOWN)


def _is_intrinsic(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)).startswith(("Fn::", "Ref"))
