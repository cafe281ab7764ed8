"""The wire: what CloudFormation does to it, and what keeps a job's name."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_rft_handler import contract, facts
from agent_rft_handler.contract import digest
from agent_rft_handler.declaration import ARGUMENTS, Declaration
from agent_rft_handler.facts import Category

text = st.text(min_size=1, max_size=20)
values: dict[type, st.SearchStrategy[Any]] = {
    Mapping: st.dictionaries(text, text, max_size=3),
    Sequence: st.lists(text, min_size=1, max_size=3) | st.just(()),
    bool: st.booleans(),
    str: text,
}
"""The values that an argument may have, by its type."""

declarations = st.builds(Declaration, **{each.field_name: values[each.kind] for each in ARGUMENTS})


def stringified(value: Any) -> Any:
    """What CloudFormation makes of a custom resource's properties."""
    if isinstance(value, dict):
        return {key: stringified(item) for key, item in value.items()}
    if isinstance(value, list):
        return [stringified(item) for item in value]
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


@given(declarations)
def test_a_declaration_comes_back_from_the_wire_as_it_was(declaration: Declaration) -> None:
    properties = stringified(contract.to_properties(declaration))
    assert contract.from_properties({"ServiceToken": "x", "Later": "y", **properties}) == declaration


def test_absent_values_are_left_out() -> None:
    declaration = Declaration("AgentRFT", "r", "m", "a", "t", "s", "o", "c")
    assert set(contract.to_properties(declaration)) == {
        "JobCategory", "RoleArn", "Model", "AgentEnv", "TrainingDataset", "S3OutputPath", "OutputModelPackageGroup",
        "IntermediateCheckpointModelPackageGroup", "AcceptEula", "Replacement",
    }  # fmt: skip


def test_the_digest_of_an_unchanged_declaration_never_changes() -> None:
    """A release that changes one of these would submit every user's job again: it must not."""
    plain = Declaration("AgentRFT", "role", "model", "agent", "s3://data/x", "s3://out/y", "group", "checkpoints")
    full = Declaration(
        "AgentRFT", "role", "model", "agent", "s3://data/x", "s3://out/y", "group", "checkpoints",
        accept_eula=True, bedrock_agentcore_qualifier="PROD", validation_dataset="s3://data/v", kms_key_arn="key",
        mlflow_app="app", mlflow_experiment_name="e", mlflow_run_name="r", hyperparameters={"max_epochs": "2"},
        security_group_ids=["sg-1"], subnets=["subnet-1", "subnet-2"], base_job_name="b", run_id="1",
        tags={"a": "b"}, replacement="submit_first", dry_run=True,
    )  # fmt: skip
    assert digest(plain) == "297e71413591"
    assert digest(full) == "67765e9d1235"


def test_the_digest_follows_what_defines_the_job_and_nothing_else() -> None:
    def of(**changed: Any) -> str:
        return digest(Declaration("AgentRFT", "r", "m", "a", "t", "s", "o", "c", **changed))

    assert of() == of(unchecked_hyperparameters=["a"])
    assert of() == of(tags={"a": "b"}) == of(replacement="submit_first") == of(hyperparameters={}) == of(dry_run=True)
    assert len({of(), of(run_id="1"), of(accept_eula=True), of(hyperparameters={"a": "1"}), of(subnets=["s"])}) == 5


def test_hyperparameters_are_sent_as_the_sdk_writes_them() -> None:
    written = [contract.hyperparameter_text(value) for value in (2, 0.00005, 1e-5, 1.0, True, "ppo", "2", [1, 4], 0)]
    assert written == ["2", "5e-05", "1e-05", "1.0", "True", "ppo", "2", "[1, 4]", "0"]


@pytest.mark.parametrize(
    ("category", "own"),
    [
        (
            facts.AGENT_RFT,
            {"training_dataset", "output_model_package_group", "intermediate_checkpoint_model_package_group"},
        ),
        (facts.AGENT_RFT_EVALUATION, {"dataset"}),
    ],
)
def test_what_a_job_must_have_depends_on_its_category(category: Category, own: set[str]) -> None:
    empty = Declaration(category.name, "", "", "")
    missing = {argument.field_name for argument in ARGUMENTS if argument.is_missing_in(empty)}
    assert missing == {"role_arn", "model", "agent_env", "s3_output_path", *own}


def test_no_two_arguments_have_one_name_on_the_wire() -> None:
    assert len({argument.wire_name for argument in ARGUMENTS}) == len(ARGUMENTS)
