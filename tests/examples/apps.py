"""The examples, loaded from their files."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

from aws_cdk import App

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/app.py"))


def declare(name: str) -> Callable[[App], None]:
    """The example's own function."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / name / "app.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[App], None] = module.declare
    return found
