"""One input: what the SDK's trainer is given, and the same declared to our handler."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle import account

from agent_rft_handler import facts
from agent_rft_handler.contract import ARGUMENTS, Declaration, hyperparameter_text

PLAIN: Mapping[str, Any] = {
    "model": account.MODEL,
    "agent_env": account.RUNTIME_ARN,
    "training_dataset": "s3://data-bucket/prompts/train.parquet",
    "s3_output_path": "s3://out-bucket/output",
    "output_model_package_group": account.TUNED_ARN,
    "intermediate_checkpoint_model_package_group": account.CHECKPOINTS_ARN,
    "mlflow_app_arn": account.APP_ARN,
    "role": account.ROLE_ARN,
}
"""What every input has unless it says otherwise."""

ABSENT = "(absent)"
"""Takes an argument out of the plain ones."""


@dataclass(frozen=True)
class Input:
    """Arguments of ``MultiTurnRLTrainer``, as plain data; see ``record.OBJECTS`` for those that are objects.

    Args:
        arguments: The constructor's, over the plain ones.
        ours: Where the Declaration differs from what follows from the arguments.
        train: The arguments of ``train()``.
        environment: Environment variables that the SDK reads.
        apps: The account's MLflow apps, each with its AccountDefaultStatus, oldest first.
    """

    arguments: Mapping[str, Any] = field(default_factory=dict)
    ours: Mapping[str, Any] = field(default_factory=dict)
    train: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    apps: Mapping[str, str] = field(default_factory=lambda: {account.APP_ID: "DISABLED"})

    @property
    def given(self) -> dict[str, Any]:
        """The constructor's arguments in full."""
        return {name: value for name, value in {**PLAIN, **self.arguments}.items() if value != ABSENT}

    def for_sdk(self) -> dict[str, Any]:
        """The line that ``record.py`` reads."""
        return {"arguments": self.given, "train": dict(self.train), "environment": dict(self.environment)}

    def declaration(self) -> Declaration:
        """The same as the constructs declare it: objects by their ARN or name, hyperparameters as text."""
        given = {name: _plain(value) for name, value in {**self.given, **self.train}.items()}
        declared = {
            **{argument.field_name: "" for argument in ARGUMENTS if argument.required},
            "job_category": facts.AGENT_RFT.name,
            "bedrock_agentcore_qualifier": facts.DEFAULT_QUALIFIER,
            **{FIELDS[name]: value for name, value in given.items() if name in FIELDS},
            "hyperparameters": {n: hyperparameter_text(v) for n, v in given.get("hyperparameters", {}).items()},
            "tags": {tag["key"]: tag["value"] for tag in map(_plain, given.get("tags", ())) if "key" in tag},
            **given.get(NETWORKING, {}),
            **self.ours,
        }
        return Declaration(**declared)


NETWORKING = "networking"
"""The SDK's one argument for two of ours, by whose fields its members are named."""

FIELDS = {str(argument.sdk_name): argument.field_name for argument in ARGUMENTS if argument.sdk_name != NETWORKING}
"""The Declaration's fields by the SDK's names; an argument of the SDK's that is not here defines no job."""


def _plain(value: Any) -> Any:
    """The ARN, name or members of what stands for an object."""
    first = next(iter(value), "") if isinstance(value, Mapping) else ""
    return value[first] if isinstance(first, str) and first.startswith("$") else value
