"""The feature flags that `cdk init` writes into a new app's cdk.json, as the CDK's command line has them."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECOMMENDED = ROOT / "node_modules" / "aws-cdk" / "lib" / "init-templates" / ".recommended-feature-flags.json"
FIRST_APP = "cli/agent_rft_cli/project/cdk.json"
"""What `agent-rft init` writes: without the flags the CDK says at each synth that they are not configured."""


def recommended() -> dict[str, Any]:
    """Each flag and its recommended value."""
    return dict(json.loads(RECOMMENDED.read_text()))


def first_app() -> str:
    """The first app's settings, with the flags as its context."""
    settings = json.loads((ROOT / FIRST_APP).read_text())
    return json.dumps({**settings, "context": recommended()}, indent=2) + "\n"
