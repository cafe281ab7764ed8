"""The evaluator's inputs: what the SDK's ``MultiTurnRLEvaluator`` is given, and the same for our construct."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle import account
from oracle.case import ABSENT, Input
from oracle.inputs import DATA_SET, KEY, LAMBDA

PLAIN: Mapping[str, Any] = {
    "model": account.MODEL,
    "dataset": "s3://data-bucket/prompts/held-out.parquet",
    "agent_config": account.RUNTIME_ARN,
    "s3_output_path": "s3://out-bucket/output",
    "mlflow_resource_arn": account.APP_ARN,
    "role": account.ROLE_ARN,
}
"""What every input has unless it says otherwise."""

OURS = {"mlflow_resource_arn": "mlflow_app", "kms_key_id": "kms_key"}
"""What our evaluator calls an argument of the SDK's, where it takes the CDK's object too."""


@dataclass(frozen=True)
class Evaluation:
    """Arguments of ``MultiTurnRLEvaluator``, as plain data, over the plain ones.

    Args:
        arguments: The constructor's.
        hyperparameters: What is set on the evaluator's ``hyperparameters`` afterwards.
        ours: What our evaluator is given beside or in place of them.
    """

    arguments: Mapping[str, Any] = field(default_factory=dict)
    hyperparameters: Mapping[str, Any] = field(default_factory=dict)
    ours: Mapping[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> dict[str, Any]:
        """The constructor's arguments in full."""
        return {name: value for name, value in {**PLAIN, **self.arguments}.items() if value != ABSENT}

    @property
    def account(self) -> Input:
        """The account in which it is recorded: the one of an input of the trainer's."""
        return Input()

    def for_sdk(self) -> dict[str, Any]:
        """The line that ``record.py`` reads."""
        return {"arguments": self.given, "evaluate": dict(self.hyperparameters), "environment": {}}

    def for_ours(self) -> dict[str, Any]:
        """The arguments of our evaluator."""
        given = {OURS.get(name, name): value for name, value in self.given.items()}
        tags = {"tags": {tag["Key"]: tag["Value"] for tag in given["tags"]}} if "tags" in given else {}
        values = {"hyperparameters": dict(self.hyperparameters)} if self.hyperparameters else {}
        return {**given, **tags, **values, **self.ours}


def one(name: str, value: Any, **more: Any) -> Evaluation:
    """The plain input with one argument changed."""
    return Evaluation({name: value}, **more)


EVALUATIONS = {
    "evaluation-base": Evaluation(),
    "evaluation-package": one("model", account.PACKAGE),
    "evaluation-both": Evaluation({"model": account.PACKAGE, "evaluate_base_model": True}),
    "evaluation-base-asked-twice": one("evaluate_base_model", True),
    "evaluation-package-without-base": one("model", account.FOREIGN_PACKAGE),
    "evaluation-model-unknown": one("model", "huggingface-reasoning-qwen3-33b"),
    "evaluation-model-gated": one("model", account.GATED_MODEL),
    "evaluation-model-gated-accepted": Evaluation({"model": account.GATED_MODEL, "accept_eula": True}),
    "evaluation-lambda": one("agent_config", f"{LAMBDA}:live"),
    "evaluation-lambda-with-qualifier": Evaluation({"agent_config": LAMBDA, "agent_qualifier": "PROD"}),
    "evaluation-qualifier": one("agent_qualifier", "PROD"),
    "evaluation-agent-absent": one("agent_config", ABSENT),
    "evaluation-agent-of-no-form": one("agent_config", "arn:aws:s3:::agent"),
    "evaluation-data-set": one("dataset", DATA_SET),
    "evaluation-dataset-of-no-form": one("dataset", "prompts.jsonl"),
    "evaluation-output-slash": one("s3_output_path", "s3://out-bucket/output/"),
    "evaluation-key": one("kms_key_id", KEY),
    "evaluation-experiment": one("mlflow_experiment_name", "wordle"),
    "evaluation-run": one("mlflow_run_name", "held-out"),
    "evaluation-mlflow-absent": one("mlflow_resource_arn", ABSENT),
    "evaluation-stopping": one("stopping_condition", 3600),
    "evaluation-stopping-longest": one("stopping_condition", 259_200),
    "evaluation-stopping-too-long": one("stopping_condition", 259_201),
    "evaluation-stopping-zero": one("stopping_condition", 0),
    "evaluation-tags": one("tags", [{"Key": "team", "Value": "agents"}]),
    "evaluation-values": Evaluation(hyperparameters={"eval_group_size": 4, "success_threshold": 0.5}),
    "evaluation-values-of-the-service": Evaluation(
        hyperparameters={"temperature": 0.5, "sampling_top_p": 0.9, "sampling_max_tokens": 1024}
    ),
    "evaluation-value-out-of-range": Evaluation(hyperparameters={"eval_group_size": 1000}),
    "evaluation-value-unknown": Evaluation(hyperparameters={"eval_groups": 4}),
}
"""Every input by the name of its recording. None has a VPC: where a document has one is published nowhere."""
