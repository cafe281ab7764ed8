"""A choice of a user's own: the page's example, which grants more than the agent that it extends."""

import re
from pathlib import Path
from typing import Any

from aws_cdk import aws_iam as iam
from synth.app import RUNTIME_ARN, synth

from agent_rft import AgentEnvironment

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_a_subclass_grants_the_role_what_it_needs_beside() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {"AgentEnvironment": AgentEnvironment, "iam": iam}
    exec(example, names)  # noqa: S102 - the page's own
    made = synth(agent_env=names["TracedAgent"].from_agent_runtime_arn(RUNTIME_ARN))
    assert made.allowed("xray:PutTraceSegments") == ["*"]
    assert made.allowed("bedrock-agentcore:InvokeAgentRuntime") != []
