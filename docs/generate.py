"""Writes what is made from the code, whole pages and sections of pages; tests/test_docs.py holds the two together."""

from collections.abc import Callable, Iterator
from pathlib import Path

import agent_rft
from agent_rft import permissions, warnings
from agent_rft.permissions import Permission, Role
from docs import arguments, dependencies, feature_flags, findings
from docs.table import code, table

ROOT = Path(__file__).parents[1]
START, END = "<!-- made by make golden: {} -->\n", "<!-- end -->\n"
"""What stands around a generated section."""


def iam() -> str:
    """Every IAM action, by the role that has it."""
    roles = (each for each in vars(permissions).values() if isinstance(each, Role))
    sections = (f"\n## {role.title}\n\n{role.sentence}\n\n{_permissions_of(role)}" for role in roles)
    return "# Every IAM action\n\nMade by `make golden` from constructs/agent_rft/permissions.\n" + "".join(sections)


def warning_ids() -> str:
    """Every warning, by its id."""
    rows = sorted((f"`cdk-agent-rft:{each.id}`", each.sentence, each.source) for each in warnings.ALL)
    return (
        "# Every warning\n\nMade by `make golden` from constructs/agent_rft/warnings.py.\n\n"
        "What a trainer warns of at synth is allowed, but has caught people out. To acknowledge a warning:\n"
        '`Annotations.of(trainer).acknowledge_warning("cdk-agent-rft:ID", "why it is meant so")`. Ids do not change;\n'
        "what stands in braces is filled in.\n\n" + table(("Id", "What it says", "Source"), rows)
    )


def api() -> str:
    """The public names, for mkdocstrings."""
    public = (f"::: {module}.{name}\n" for name, module in sorted(agent_rft._MODULES.items()))
    return "# API\n\nMade by `make golden` from constructs/agent_rft/\\_\\_init\\_\\_.py.\n\n" + "\n".join(
        [*public, "::: agent_rft.snapshot.masked\n"]
    )


def trainer_arguments() -> str:
    """What a trainer takes."""
    return f"# Arguments of a trainer\n\nMade by `make golden` from the docstring.\n\n{arguments.of_trainer()}"


PAGES: dict[str, Callable[[], str]] = {
    "docs/api.md": api,
    "docs/arguments.md": trainer_arguments,
    "docs/iam.md": iam,
    "docs/warnings.md": warning_ids,
    feature_flags.FIRST_APP: feature_flags.first_app,
}
"""What each generated file holds."""

SECTIONS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"arguments": arguments.of_trainer, "dependencies": dependencies.sizes},
    "docs/evaluator.md": {"arguments": arguments.of_evaluator},
    "docs/security.md": {"cdk-nag's": findings.of_nag, "checkov's": findings.of_checkov},
    "docs/sdk-parameters.md": {"the SDK's": arguments.of_sdk, "ours alone": arguments.of_ours_alone},
}
"""What each generated section of a page holds, by the name in its first line."""


def generated() -> Iterator[tuple[Path, str]]:
    """Each file and what it must hold."""
    for name, page in PAGES.items():
        yield ROOT / name, page()
    for name, sections in SECTIONS.items():
        text = (ROOT / name).read_text()
        for section, made in sections.items():
            text = with_section(text, START.format(section), made())
        yield ROOT / name, text


def with_section(text: str, start: str, made: str) -> str:
    """The page with what is made between the section's first line and its end."""
    before, _, rest = text.partition(start)
    return f"{before}{start}\n{made}\n{END}{rest.partition(END)[2]}"


def _permissions_of(role: Role) -> str:
    granted = [each for each in vars(permissions).values() if isinstance(each, Permission) and each.role == role]
    rows = [(code(each.actions), each.on, each.reason, each.source) for each in granted]
    return table(("Actions", "On", "Why", "Source"), rows)


if __name__ == "__main__":
    for path, text in generated():
        path.write_text(text)
