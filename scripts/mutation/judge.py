"""Whether tests see a mutant: each is tried in a process forked off one that has loaded what does not change.

The constructs' processes share that one's Node.js too, one after another: what a process that was stopped in the middle
leaves in the pipe would be read by the next, so after one the rest begins anew.
"""

import contextlib
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, ModuleType
from typing import Any

from scripts.mutation.tests import ROOT, ROOTS, path_of

BATCH = 60
"""How many are tried before Node.js, which forgets nothing, begins anew."""

UNCHANGED = {
    "agent_rft": (
        *("aws_cdk", "aws_cdk.assertions", "aws_cdk.aws_ec2", "aws_cdk.aws_events_targets", "aws_cdk.aws_iam"),
        *("aws_cdk.aws_kms", "aws_cdk.aws_lambda", "aws_cdk.aws_s3", "aws_cdk.aws_stepfunctions", "hypothesis"),
    ),
    "agent_rft_handler": ("hypothesis.stateful", "handler.world"),
}
"""What each package's tests import that no mutant changes; what is ours each process imports anew."""

OURS = tuple(f"{ROOT / folder}/" for folder in (*ROOTS.values(), "tests"))


class Wrong(importlib.machinery.SourceFileLoader):
    """Loads the mutant in place of the module."""

    def __init__(self, name: str, path: str, tree: Any) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")


class Finder(importlib.abc.MetaPathFinder):
    """Finds the mutant where the module is asked for."""

    def __init__(self, name: str, tree: Any) -> None:
        self.name, self.path, self.tree = name, path_of(name), tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = Wrong(fullname, str(self.path), self.tree)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


def seen(module: str, trees: Sequence[Any], tests: list[str], seconds: float) -> Iterator[bool]:
    """Of each tree as the module, whether the tests fail or take more than so many seconds of the processor's."""
    done = 0
    while done < len(trees):
        answers, told = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _tell(told, module, trees[done : done + BATCH], tests, seconds)
            finally:
                os._exit(0)
        os.close(told)
        with os.fdopen(answers, "rb") as file:
            while answer := file.read(1):
                yield answer == b"1"
                done += 1
        os.waitpid(child, 0)


def _tell(pipe: int, module: str, trees: Sequence[Any], tests: list[str], seconds: float) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    _preload(module.partition(".")[0])
    for tree in trees:
        code = _try(module, tree, tests, seconds)
        os.write(pipe, b"1" if code else b"0")
        if code < 0:  # by a signal
            return


def _preload(package: str) -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = False
    importlib.import_module("conftest")  # which says where Node.js is
    for name in ("pytest", *UNCHANGED.get(package, ())):
        importlib.import_module(name)
    for name, file in [(name, getattr(each, "__file__", None) or "") for name, each in sys.modules.items()]:
        if file.startswith(OURS) or name.partition(".")[0] in ROOTS:
            del sys.modules[name]
    gc.freeze()


def _try(module: str, tree: Any, tests: list[str], seconds: float) -> int:
    """The code with which the tests end."""
    child = os.fork()
    if child == 0:
        signal.alarm(10 * int(seconds))  # whoever sleeps; on a busy machine the tests take longer
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        sys.meta_path.insert(0, Finder(module, tree))
        try:
            os._exit(_run(tests))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _run(tests: list[str]) -> int:
    import pytest

    os.chdir(ROOT)
    options = ["-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += [f"-pno:{plugin}" for plugin in ("cacheprovider", "unraisableexception", "threadexception")]
    options += ["-m", "not deploy and not slow and not exhaustive"]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        return int(pytest.main([*options, *tests]))
