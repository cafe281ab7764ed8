"""What trainer and evaluator are given reaches the declaration; a choice of a user's own grants what it needs."""

import re
from pathlib import Path
from typing import Any

import pytest
from synth.app import ACCOUNT, KEY_ARN, REGION, RUNTIME_ARN, Synthesized, stack_of

from agent_rft import EvaluationHyperParameters, HyperParameters, Model, MultiTurnRLEvaluator, MultiTurnRLTrainer
from agent_rft.job.job_resource import DeclaredJob
from agent_rft.job.submitted_job import SubmittedJob
from agent_rft_handler.declaration import ARGUMENTS
from agent_rft_handler.facts import CATEGORIES, MLFLOW_APP_ARN

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_a_subclass_grants_the_role_what_it_needs_beside() -> None:
    (example,) = re.findall(r"```python\n(.*?)app.synth\(\)", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - the page's own
    made = Synthesized(names["stack"])
    assert made.allowed("xray:PutTraceSegments") == ["*"]
    assert made.allowed("bedrock-agentcore:InvokeAgentRuntime") != []


GROUP_ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/base"
OF_BOTH: dict[str, Any] = {
    "model": Model.from_model_package_group(GROUP_ARN, only_approved=True),
    "accept_eula": True,
    "s3_output_path": "s3://out-bkt/output",
    "kms_key": KEY_ARN,
    "mlflow_app": MLFLOW_APP_ARN.example,
    "mlflow_experiment_name": "wordle",
    "mlflow_run_name": "first",
    "run_id": "1",
    "dry_run": True,
    "tags": {"Owner": "me"},
}
EVERYTHING: dict[type[SubmittedJob], dict[str, Any]] = {
    MultiTurnRLTrainer: {
        "agent_env": RUNTIME_ARN,
        "training_dataset": "s3://data-bkt/train.parquet",
        "validation_dataset": "s3://data-bkt/validation.parquet",
        "hyperparameters": HyperParameters(max_steps=1, max_epochs=1, unchecked={"later": "1"}),
        "vpc_subnets": ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"],
        "security_groups": ["sg-0123456789abcdef0"],
        "base_job_name": "wordle",
    },
    MultiTurnRLEvaluator: {
        "agent_config": RUNTIME_ARN,
        "agent_qualifier": "PROD",
        "dataset": "s3://data-bkt/held-out.parquet",
        "evaluate_base_model": True,
        "hyperparameters": EvaluationHyperParameters(eval_group_size=2, unchecked={"later": "1"}),
        "base_eval_name": "wordle",
    },
}


@pytest.mark.parametrize("construct", EVERYTHING)
def test_every_argument_of_the_table_is_declared_by_who_is_given_it(construct: type[SubmittedJob]) -> None:
    """One that the signature has and no declaration would be lost on the way."""
    stack = stack_of()
    construct(stack, "Job", **OF_BOTH, **EVERYTHING[construct])
    declared = [each.declaration for each in stack.node.find_all() if isinstance(each, DeclaredJob)]
    of_category = [each for each in ARGUMENTS if CATEGORIES[declared[0].job_category] in each.categories]
    lost = {each.field_name for each in of_category if not any(each.value_in(one) for one in declared)}
    assert lost == {"tags"}  # which CDK's tag manager holds, beside those of Tags.of()
