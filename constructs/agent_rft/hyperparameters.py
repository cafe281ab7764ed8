"""Hyperparameters as text, before jsii sees a number: it would turn 1.0 into 1 and round what is over 2**53."""

from collections.abc import Mapping

from aws_cdk import Token

from agent_rft.refusal import unresolved
from agent_rft_handler.contract import hyperparameter_text


def texts(hyperparameters: Mapping[str, object] | None) -> dict[str, str]:
    """The values as the SDK sends them (1e-05, True, [1, 4]); None and "" are absent, tokens stay tokens."""
    given = {name: value for name, value in (hyperparameters or {}).items() if value is not None and value != ""}
    return {name: _text(value) for name, value in given.items()}


def _text(value: object) -> str:
    return Token.as_string(value) if unresolved(value) else hyperparameter_text(value)
