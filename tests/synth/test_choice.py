"""A choice of a user's own: the page's example, which grants more than the agent that it extends."""

import re
from pathlib import Path
from typing import Any

from synth.app import Synthesized

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_a_subclass_grants_the_role_what_it_needs_beside() -> None:
    (example,) = re.findall(r"```python\n(.*?)app.synth\(\)", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - the page's own
    made = Synthesized(names["stack"])
    assert made.allowed("xray:PutTraceSegments") == ["*"]
    assert made.allowed("bedrock-agentcore:InvokeAgentRuntime") != []
