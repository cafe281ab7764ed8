"""Our evaluator, from the construct down to CreateJob, against what the SDK's puts into its pipeline (1.27.0)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from handler.world import World
from oracle.comparison import ABSENT, REFUSED, differences, fields
from oracle.evaluations import EVALUATIONS, Evaluation
from oracle.synthesis import Declare, Properties, synthesized
from oracle.test_parity import furnish

from agent_rft import MultiTurnRLEvaluator
from agent_rft_handler.contract import from_properties
from agent_rft_handler.errors import Refused

GOLDEN = Path(__file__).parents[1] / "golden" / "oracle"
VALUES = "JobConfigDocument.EvaluationConfig.HyperParameters"

Rows = dict[str, tuple[object, object]]

EULA: Rows = {"JobConfigDocument.EvaluationConfig.AcceptEula": (True, False)}
"""The SDK accepts every licence, whatever ``accept_eula`` says; ours are accepted by the user alone."""

DEFAULTS: Rows = {
    f"{VALUES}.eval_group_size": ("1", ABSENT),
    f"{VALUES}.pass_k_values": ("[1, 2, 4, 8, 16, 32]", ABSENT),
    f"{VALUES}.success_threshold": ("1.0", ABSENT),
}
"""The SDK sends the hub's defaults, as far as it knows the names; the service has them anyhow."""

PLAIN = EULA | DEFAULTS

DIFFERENCES: Mapping[str, Rows] = {
    "evaluation-model-gated": {"refused": (False, True)},
    "evaluation-model-gated-accepted": DEFAULTS,
    "evaluation-run": PLAIN
    | {"JobConfigDocument.OutputDataConfig.MlflowConfig.MlflowRunName": ("base-model-eval", "held-out")},
    "evaluation-values": EULA,
    "evaluation-values-of-the-service": EULA
    | {
        f"{VALUES}.eval_group_size": ("1", ABSENT),
        f"{VALUES}.success_threshold": ("1.0", ABSENT),
        f"{VALUES}.temperature": (ABSENT, "0.5"),
        f"{VALUES}.sampling_top_p": (ABSENT, "0.9"),
        f"{VALUES}.sampling_max_tokens": (ABSENT, "1024"),
    },
}
"""Where the two differ otherwise. A gated model's licence is the user's to accept. The SDK drops ``mlflow_run_name``,
and every hyperparameter by the name that the service takes."""


@pytest.fixture(scope="module")
def properties() -> dict[str, list[Properties] | str]:
    """What CloudFormation hands over for each input, or why the construct refused it."""
    return synthesized({name: evaluator(given) for name, given in EVALUATIONS.items()})


def evaluator(given: Evaluation) -> Declare:
    """The input as our evaluator."""
    return lambda scope: MultiTurnRLEvaluator(scope, "Evaluator", **given.for_ours())


def ours(world: World, name: str, properties: list[Properties] | str) -> list[dict[str, object]]:
    """The fields of each request that reaches the service, or that it was refused."""
    furnish(world, EVALUATIONS[name].account.apps)
    if isinstance(properties, str):
        return [dict(REFUSED)]
    declared = sorted(map(from_properties, properties), key=lambda each: not each.evaluate_base_model)
    try:
        for number, each in enumerate(declared):
            world.deliver("Create", each, logical_id=f"Job{number}")
            world.finish_jobs()
    except Refused:
        return [dict(REFUSED)]
    return [_compared(request) for request in world.submitted()]


def theirs(name: str) -> list[dict[str, object]]:
    """The fields of each job in the SDK's pipeline, or that it refused."""
    recording = json.loads((GOLDEN / f"{name}.json").read_text())
    return [dict(REFUSED)] if "refused" in recording else [_compared(each) for each in recording["jobs"]]


@pytest.mark.parametrize("name", EVALUATIONS)
def test_each_evaluation_is_the_sdks_but_for_the_differences_in_the_table(
    world: World, properties: dict[str, list[Properties] | str], name: str
) -> None:
    sdk, handler = theirs(name), ours(world, name, properties[name])
    assert len(sdk) == len(handler)
    for their, our in zip(sdk, handler, strict=True):
        expected = {} if their == our == REFUSED else DIFFERENCES.get(name, PLAIN)
        assert differences(their, our) == expected


def test_every_difference_belongs_to_an_input() -> None:
    assert set(DIFFERENCES) <= set(EVALUATIONS)


def _compared(request: Mapping[str, Any]) -> dict[str, object]:
    """What a step of a pipeline says too: it has no name, and no tags of the stack's."""
    document = request["JobConfigDocument"]
    parsed = json.loads(document) if isinstance(document, str) else document
    tags = [tag for tag in request.get("Tags", ()) if not tag["Key"].startswith(("cdk-agent-rft:", "sagemaker-sdk:"))]
    kept = {"JobCategory", "RoleArn", "JobConfigSchemaVersion"}
    plain = {member: value for member, value in request.items() if member in kept}
    return fields({**plain, "Tags": tags, "JobConfigDocument": parsed})
