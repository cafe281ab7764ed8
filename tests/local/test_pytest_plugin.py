"""The plugin costs a project that does not use it nothing: pytest loads it everywhere it is installed."""

import subprocess
import sys

LOADED = (
    "import sys; before = set(sys.modules); import agent_rft_local.pytest_plugin; print(*set(sys.modules) - before)"
)


def test_the_plugin_imports_nothing_but_itself() -> None:
    code = f"import pytest; {LOADED}"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert set(loaded) == {"agent_rft_local", "agent_rft_local.pytest_plugin"}
