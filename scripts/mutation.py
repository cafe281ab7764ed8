"""Mutation testing: which small wrongs in a module do its tests not see?

``make mutation MODULE=agent_rft_handler.job.names`` prints every mutant that survives the tests that matter to the
module, and keeps the outcome; docs/mutation.md is written from what is kept. Each mutant is tried in a process forked
off one that has loaded what does not change, so that a module takes minutes. The checkout itself is never changed.

Not mutmut, which names modules by their path below ``src`` (ours lie in four source roots), nor cosmic-ray, which
starts an interpreter for each mutant and writes it into the checkout.
"""

import argparse
import ast
import contextlib
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from scripts.mutants import Mutant, mutants

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "mutation.json"
PAGE = ROOT / "docs" / "mutation.md"
ROOTS = {"agent_rft": "constructs", "agent_rft_handler": "lambda", "agent_rft_local": "local", "agent_rft_cli": "cli"}


def _tests(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests/{folder}/test_{name}.py" for name in names)


HANDLER = _tests("handler", "lifecycle", "lifecycle_delete", "events")
"""What sees most wrongs in what an event does."""

JOB = (
    *_tests("handler", "resolution", "replacement", "dry_run", "document", "model_package", "tags", "names"),
    *_tests("lifecycle", "matrix", "cancellation", "lags"),
)
"""The rest of what a job's event does, slower ones last."""

ROOMS = {
    "agent_rft_handler.job": (HANDLER, JOB),
    "agent_rft_handler.job_queue": (_tests("handler", "job_queue", "queue_events", "queue_rewards", "queue_stops"),),
    "agent_rft_handler.model_package_group": (_tests("handler", "model_package_groups"),),
    "agent_rft_handler.task": (_tests("handler", "task"),),
    "agent_rft_handler.watch": (_tests("handler", "watcher"),),
}
"""The tests of a folder, beside those that a module has to itself."""


class Wrong(importlib.machinery.SourceFileLoader):
    """Loads the mutant in place of the module."""

    def __init__(self, name: str, path: str, tree: Any) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant where the module is asked for."""

    def __init__(self, name: str, path: Path, tree: Any) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = Wrong(fullname, str(self.path), self.tree)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


def path_of(module: str) -> Path:
    """``agent_rft_handler.job.names`` -> ``lambda/agent_rft_handler/job/names.py``."""
    return ROOT / ROOTS[module.partition(".")[0]] / f"{module.replace('.', '/')}.py"


def preload() -> None:
    """Imports what no mutant changes; what is ours each process imports anew, the mutant with it."""
    for name in ("pytest", "hypothesis.stateful", "handler.world"):
        importlib.import_module(name)
    for name in [each for each in sys.modules if each.partition(".")[0] in {*ROOTS, "handler"}]:
        del sys.modules[name]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = False
    gc.freeze()


def tests_of(module: str) -> list[list[str]]:
    """First those in which most mutants die, then all that matter."""
    room, _, name = module.rpartition(".")
    package = module.partition(".")[0]
    folder = {"agent_rft": "synth", "agent_rft_handler": "handler", "agent_rft_local": "local", "agent_rft_cli": "cli"}
    mirror = f"tests/{folder[package]}/test_{name}.py"
    own = [mirror] if (ROOT / mirror).exists() and name != "lifecycle" else []  # of which each folder has one
    others = HANDLER if package == "agent_rft_handler" else (f"tests/{folder[package]}",)
    of_room = ROOMS.get(room) or (() if own else (others,))
    return [[*stage] for stage in (own, *of_room) if stage]


def is_seen(module: str, tree: Any, tests: list[str], seconds: float) -> bool:
    """Whether the tests fail, or take more than so many seconds of the processor's, with this tree as the module."""
    child = os.fork()
    if child == 0:
        signal.alarm(10 * int(seconds))  # whoever sleeps; on a busy machine the tests take longer
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        sys.meta_path.insert(0, Finder(module, path_of(module), tree))
        try:
            os._exit(_run(tests))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def _run(tests: list[str]) -> int:
    import pytest

    os.chdir(ROOT)
    options = ["-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += [f"-pno:{plugin}" for plugin in ("cacheprovider", "unraisableexception", "threadexception")]
    options += ["-m", "not deploy and not slow and not exhaustive"]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        return int(pytest.main([*options, *tests]))


def _children_seconds() -> float:
    """What the tests so far took of the processor."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def survivors(module: str) -> tuple[list[Mutant], int]:
    """The mutants that no test sees, and how many there are."""
    source = path_of(module).read_text()
    every = left = list(mutants(source))
    for tests in tests_of(module):
        begun = _children_seconds()
        if is_seen(module, ast.parse(source), tests, 600):
            raise SystemExit(f"the tests of {module} fail without a mutant: {' '.join(tests)}")
        seconds = 4 * (_children_seconds() - begun) + 3
        left = [each for each in left if not is_seen(module, each.tree, tests, seconds)]
    return left, len(every)


def keep(module: str, left: list[Mutant], tried: int) -> None:
    """Says what came of it, and keeps it for the page."""
    lines = path_of(module).read_text().splitlines()
    rows = [{"wrong": each.wrong, "code": lines[each.line - 1].strip() if each.line else ""} for each in left]
    for each, row in zip(left, rows, strict=True):
        print(f"{path_of(module).relative_to(ROOT)}:{each.line}: {row['wrong']}: {row['code']}", flush=True)
    print(f"{module}: {tried} mutants, {len(left)} not seen", flush=True)
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    kept[module] = {"tried": tried, "left": rows}
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def page() -> Iterator[str]:
    """docs/mutation.md, of what is kept."""
    yield from (
        "# Mutation testing",
        "",
        "Made by `make mutation`, from its runs: how many small wrongs (a comparison turned, a condition negated, a",
        "constant changed, a call left out) were put into each module, and which its tests do not see.",
        "Some of what is left changes nothing that could be seen; the rest is worth a test.",
        "",
        "| Module | Wrongs | Not seen |",
        "|---|---|---|",
    )
    kept = json.loads(KEPT.read_text())
    yield from (f"| `{name}` | {each['tried']} | {len(each['left'])} |" for name, each in kept.items())
    for name, each in kept.items():
        if each["left"]:
            yield from ("", f"## {name}", "")
            yield from (f"- {row['wrong']}: `{row['code']}`" for row in each["left"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="as they are imported; without any, the page alone is written")
    modules = parser.parse_args().modules
    preload()
    for module in modules:
        keep(module, *survivors(module))
    PAGE.write_text("\n".join(page()) + "\n")


if __name__ == "__main__":
    main()
