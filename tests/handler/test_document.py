"""The document for each kind of input, against JSON written by hand after AWS's pages on these jobs.

Source: model-customize-mtrl-job, model-customize-mtrl-evaluation.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from handler.world import World

from agent_rft_handler import facts
from agent_rft_handler.declaration import ARGUMENTS, Argument, Declaration
from agent_rft_handler.errors import Refused
from agent_rft_handler.job import document

CASES = Path(__file__).parents[1] / "golden" / "documents"
RUNTIME = "arn:aws:bedrock-agentcore:us-east-1:000000000000:runtime/my-AbCdEfGhIj"
PACKAGE = "arn:aws:sagemaker:us-east-1:000000000000:model-package/tuned/3"

EVALUATION: dict[str, Any] = {
    "job_category": "AgentRFTEvaluation",
    "training_dataset": "",
    "dataset": "s3://data-bucket/prompts/held-out.parquet",
    "output_model_package_group": "",
    "intermediate_checkpoint_model_package_group": "",
    "hyperparameters": {},
}

INPUTS: dict[str, dict[str, Any]] = {
    "lambda-alias": {},
    "lambda-latest": {"agent_env": "arn:aws:lambda:us-east-1:000000000000:function:agent:$LATEST"},
    "runtime-default": {"agent_env": RUNTIME, "bedrock_agentcore_qualifier": "DEFAULT"},
    "runtime-qualifier": {"agent_env": RUNTIME, "bedrock_agentcore_qualifier": "PROD"},
    "runtime-endpoint": {"agent_env": f"{RUNTIME}/runtime-endpoint/PROD", "bedrock_agentcore_qualifier": "DEFAULT"},
    "runtime-no-qualifier": {"agent_env": RUNTIME},
    "runtime-id": {"agent_env": "my-AbCdEfGhIj", "bedrock_agentcore_qualifier": "DEFAULT"},
    "data-set": {
        "training_dataset": "arn:aws:sagemaker:us-east-1:000000000000:hub-content/Hub/DataSet/prompts/1.0.0",
        "validation_dataset": "s3://data-bucket/prompts/validation.jsonl",
    },
    "everything": {
        "kms_key_arn": "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "mlflow_experiment_name": "wordle",
        "mlflow_run_name": "first",
        "accept_eula": True,
        "hyperparameters": {"max_epochs": "2", "learning_rate": "5e-05", "loss_fn": "ppo", "val_every": "0"},
        "security_group_ids": ["sg-0123456789abcdef0"],
        "subnets": ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"],
    },
    "nothing-optional": {"hyperparameters": {}},
    "gated-accepted": {"model": "meta-textgeneration-llama-3-3-70b-instruct", "accept_eula": True},
    "alias": {"model": "amazon.nova-2-lite-v1"},
    "hub-content-arn": {
        "model": "arn:aws:sagemaker:us-east-1:aws:hub-content/SageMakerPublicHub/Model/openai-reasoning-gpt-oss-20b"
    },
    "group-names": {
        "output_model_package_group": "tuned",
        "intermediate_checkpoint_model_package_group": "checkpoints",
    },
    "model-package": {"model": PACKAGE},
    "evaluation-base": {**EVALUATION},
    "evaluation-package": {**EVALUATION, "model": PACKAGE, "agent_env": RUNTIME, "bedrock_agentcore_qualifier": "PROD"},
    "evaluation-everything": {
        **EVALUATION,
        "dataset": "arn:aws:sagemaker:us-east-1:000000000000:hub-content/Hub/DataSet/prompts/1.0.0",
        "kms_key_arn": "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "mlflow_experiment_name": "wordle",
        "mlflow_run_name": "held-out",
        "accept_eula": True,
        "hyperparameters": {"eval_group_size": "4", "pass_k_values": "[1, 4]", "temperature": "0.5"},
        "stopping_condition": "3600",
    },
}

EVERYTHING: dict[str, dict[str, Any]] = {
    "AgentRFT": INPUTS["data-set"] | INPUTS["everything"] | {"base_job_name": "rft", "tags": {"Owner": "me"}},
    "AgentRFTEvaluation": INPUTS["evaluation-everything"] | {"base_job_name": "rft", "tags": {"Owner": "me"}},
}
"""All that a job of each category may have, but for what is the same for all."""

DECIDES_WHAT_IS_DONE = {"dry_run", "evaluate_base_model", "only_approved", "replacement", "run_id"}
DECIDES_WHAT_IS_DONE |= {"unchecked_hyperparameters"}
"""The arguments that no request holds: their tests say what they do."""


@pytest.fixture
def account(world: World) -> World:
    """Ids that are the same in every run, and a model package to continue from."""
    from handler.world import ACCOUNT, REGION

    from agent_rft_local import store
    from agent_rft_local.ministack_names import request_scope

    with request_scope(ACCOUNT, REGION):
        base = {"HubContentName": "huggingface-reasoning-qwen3-32b", "HubContentVersion": "1.0.0"}
        store.packages[PACKAGE] = {
            "ModelPackageArn": PACKAGE,
            "InferenceSpecification": {"Containers": [{"Image": "image", "BaseModel": base}]},
        }
        app = store.apps.pop(world.app)
        world.app = "arn:aws:sagemaker:us-east-1:000000000000:mlflow-app/app-TEST"
        store.apps[world.app] = {**app, "Arn": world.app}
    return world


@pytest.mark.parametrize("case", INPUTS)
def test_the_submitted_document_is_the_expected_one_section_by_section_in_order(account: World, case: str) -> None:
    account.deliver("Create", account.declaration(**INPUTS[case]))
    submitted = account.submitted()[-1]["JobConfigDocument"]
    assert submitted == (CASES / f"{case}.json").read_text().rstrip("\n")


@pytest.mark.parametrize("category", facts.CATEGORIES.values(), ids=lambda category: category.name)
def test_every_argument_of_a_declaration_is_in_the_request(category: facts.Category) -> None:
    """One that the table knows and no document would be lost on the way."""
    world = World(category)
    declared = world.declaration(
        **{"agent_env": RUNTIME, "bedrock_agentcore_qualifier": "PROD", "mlflow_app": world.app},
        **EVERYTHING[category.name],
    )
    world.deliver("Create", declared)
    (request,) = world.submitted()
    sent = request["JobConfigDocument"] + json.dumps(request)
    of_category = [each for each in ARGUMENTS if category in each.categories]
    lost = {each.field_name for each in of_category if not all(text in sent for text in texts(each, declared))}
    assert lost == DECIDES_WHAT_IS_DONE & {each.field_name for each in of_category}


def texts(argument: Argument, declaration: Declaration) -> list[str]:
    """What a declaration says of it, as JSON has it."""
    value = argument.value_in(declaration)
    if argument.kind is bool:
        return [f'"{argument.wire_name}": {json.dumps(value)}']
    found = value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value
    return [text for text in found if text] or ["what is not declared"]


def test_every_category_has_a_document() -> None:
    assert set(document._BUILDERS) == set(facts.CATEGORIES)


def test_every_expected_document_belongs_to_an_input() -> None:
    assert {path.stem for path in CASES.glob("*.json")} == set(INPUTS)


def test_no_document_holds_null_or_a_legacy_name() -> None:
    for path in CASES.glob("*.json"):
        text = path.read_text()
        assert "null" not in text
        for legacy in ("EndpointConfig", "AgentArn", '"LambdaConfig"', "BedrockAgentCoreQualifier"):
            assert legacy not in text
        json.loads(text)


def test_a_document_over_the_limit_is_refused(world: World) -> None:
    many = {f"name_{index}": "x" * 6060 for index in range(43)}
    world.s3.spec = {name: {"type": "string"} for name in many}
    with pytest.raises(Refused, match=r"JobConfigDocument .*262144"):
        world.deliver("Create", world.declaration(hyperparameters=many))
    assert world.jobs() == {}
