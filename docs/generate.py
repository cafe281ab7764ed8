"""Writes the pages that are made from the code; tests/test_docs.py holds the two together."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from agent_rft import permissions, warnings
from agent_rft.permissions import Permission, Role

DOCS = Path(__file__).parent


def iam() -> str:
    """Every IAM action, by the role that has it."""
    return "".join(
        [
            "# Every IAM action\n\nMade by `make golden` from constructs/agent_rft/permissions.\n",
            *(f"\n## {role.title}\n\n{role.sentence}\n\n{_permissions_of(role)}" for role in _roles()),
        ]
    )


def warning_ids() -> str:
    """Every warning, by its id."""
    rows = sorted((f"`cdk-agent-rft:{each.id}`", each.sentence, each.source) for each in warnings.ALL)
    return (
        "# Every warning\n\nMade by `make golden` from constructs/agent_rft/warnings.py.\n\n"
        "What a trainer warns of at synth is allowed, but has caught people out. To acknowledge a warning:\n"
        '`Annotations.of(trainer).acknowledge_warning("cdk-agent-rft:ID", "why it is meant so")`. Ids do not change;\n'
        "what stands in braces is filled in.\n\n" + _table(("Id", "What it says", "Source"), rows)
    )


PAGES: dict[str, Callable[[], str]] = {"iam.md": iam, "warnings.md": warning_ids}
"""What each generated page holds."""


def _roles() -> Iterator[Role]:
    return (each for each in vars(permissions).values() if isinstance(each, Role))


def _permissions_of(role: Role) -> str:
    granted = [each for each in vars(permissions).values() if isinstance(each, Permission) and each.role == role]
    rows = [
        ("<br>".join(f"`{action}`" for action in each.actions), each.on, each.reason, each.source) for each in granted
    ]
    return _table(("Actions", "On", "Why", "Source"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("| --- ", "|---").replace("|--- |", "|---|")


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page())
