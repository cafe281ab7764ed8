"""One input: what the SDK's trainer is given, and where ours is given something else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle import account

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
        ours: Where our trainer's arguments differ from what follows from the SDK's.
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


NETWORKING = "networking"
"""The SDK's one argument for two of ours."""
