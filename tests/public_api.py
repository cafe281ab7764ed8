"""The public API as a stub file, and what a change of it breaks for its users, as griffe judges it.

``make api`` records it at a release: tests/golden/released_api.txt, which nobody lints.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[1]
RECORDED = Path(__file__).with_name("golden") / "released_api.txt"
HEAD = "# The public API of the last release, which make api records: what breaks it, CHANGELOG.md must say.\n"
BREAKING = "### Breaking"
STARS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def stub() -> str:
    """Every public name with its signatures; a class with what it inherits from the package's own."""
    package = griffe.load(
        "agent_rft", search_paths=[ROOT / "constructs", ROOT / "lambda"], resolve_aliases=True, resolve_external=True
    )
    return HEAD + "\n".join("\n".join(_lines(package[str(name)])) for name in sorted(map(str, package.exports or [])))


def breakages(recorded: str, now: str) -> list[str]:
    """What breaks, each with its name in the API."""
    with tempfile.TemporaryDirectory() as directory:
        before, after = (_loaded(Path(directory) / name, text) for name, text in (("a", recorded), ("b", now)))
        found = list(griffe.find_breaking_changes(before, after))
    return sorted({f"{_name(each)}: {each.kind.value}" for each in found})


def announced(changelog: str) -> str:
    """What stands under the heading of breaking changes, in what is not released yet."""
    newest = changelog.partition("\n## ")[2].partition("\n## ")[0]
    return newest.partition(f"\n{BREAKING}\n")[2].partition("\n### ")[0]


def unannounced(recorded: str, now: str, changelog: str) -> list[str]:
    """What breaks without a word: a change counts as announced where its name stands in backticks."""
    said = set(re.findall(r"`([^`]+)`", announced(changelog)))
    return [each for each in breakages(recorded, now) if each.partition(":")[0] not in said]


def _name(found: griffe.Breakage) -> str:
    """Such as ``MultiTurnRLTrainer(role)``."""
    name = found.obj.path.partition(".")[2].removesuffix(".__init__")
    parameter = next((each for each in (found.old_value, found.new_value) if isinstance(each, griffe.Parameter)), None)
    return f"{name}({parameter.name})" if parameter else name


def _loaded(folder: Path, text: str) -> griffe.Object | griffe.Alias:
    folder.mkdir()
    (folder / "api.py").write_text(text)
    return griffe.load("api", search_paths=[folder])


def _lines(given: griffe.Object | griffe.Alias) -> Iterator[str]:
    if not given.is_class:
        yield from _member(given.name, given, "")
        return
    yield f"class {given.name}:"
    members = {name: each for name, each in given.all_members.items() if name == "__init__" or each.is_public}
    yield from (line for name in sorted(members) for line in _member(name, members[name], "    "))
    yield "    ..."


def _member(name: str, member: griffe.Object | griffe.Alias, indent: str) -> Iterator[str]:
    target = member.final_target if isinstance(member, griffe.Alias) else member
    if isinstance(target, griffe.Function):
        yield from (f"{indent}@{each}" for each in ("classmethod", "staticmethod") if each in target.labels)
        yield f"{indent}def {name}({_parameters(target)}): ..."
    elif isinstance(target, griffe.Attribute):
        yield f"{indent}{name}: object"


def _parameters(function: griffe.Function) -> str:
    parts: list[str] = []
    for each in function.parameters:
        if each.kind is griffe.ParameterKind.keyword_only and not any(part.startswith("*") for part in parts):
            parts.append("*")
        star = STARS.get(each.kind, "")
        parts.append(f"{star}{each.name}" + ("" if star or each.default is None else f"={each.default}"))
    return ", ".join(parts)


if __name__ == "__main__":
    RECORDED.write_text(stub())
