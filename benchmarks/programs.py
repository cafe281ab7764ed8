"""Programs in processes of their own: how long they take, and the figures that they print."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_rft_local.local_aws import node

ROOT = Path(__file__).parents[1]


def timed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Seconds from the process's start to its end."""
    begun = time.perf_counter()
    _run(command, environment)
    return time.perf_counter() - begun


def printed(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Any:
    """The JSON in the last line that the program printed."""
    return json.loads(_run(command, environment).splitlines()[-1])


def python(*arguments: str) -> list[str]:
    """A command of this environment's Python."""
    return [sys.executable, *arguments]


def _run(command: Sequence[str], environment: Mapping[str, str] | None) -> str:
    with_node = {**os.environ, "JSII_NODE": node(), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        list(command), env=dict(environment or with_node), cwd=ROOT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
