"""A sweep: each variant a row, whatever their number; what is wrong with one is said with its name."""

import json
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack, Token
from synth.app import Synthesized, stack_of, trainer
from synth.test_job_task import evaluator
from synth.test_queued_jobs import QUEUE, properties

from agent_rft import HyperParameters, Sweep

COSTS = Path(__file__).parents[2] / "docs" / "costs.md"


def swept(variants: Any, stack: Stack | None = None, **changed: Any) -> Stack:
    """A stack with a sweep of the plain trainer."""
    made = stack or stack_of()
    Sweep(made, "Sweep", base=trainer(made, "Base", dry_run=True, **changed), variants=variants)
    return made


def rates(number: int) -> dict[str, dict[str, float]]:
    return {f"rate-{i}": {"learning_rate": i * 1e-6} for i in range(1, number + 1)}


def test_each_variant_is_a_row_in_the_order_of_its_declaration() -> None:
    declared = properties(swept({"slow": {"learning_rate": 1e-5}, "fast": HyperParameters(learning_rate=1e-4)}))[
        "Declared"
    ]
    assert list(declared["Jobs"]) == ["Base"]
    assert declared["Rows"] == [
        {
            "Name": name,
            "Job": "Base",
            "InPlace": {"Hyperparameters": {"learning_rate": rate}, "BaseJobName": name, "MlflowRunName": name},
        }
        for name, rate in (("slow", "1e-05"), ("fast", "0.0001"))
    ]


def test_a_jobs_name_begins_with_the_bases() -> None:
    (row,) = properties(swept({"slow": {}}, base_job_name="wordle"))["Declared"]["Rows"]
    assert row["InPlace"]["BaseJobName"] == "wordle-slow"


def test_the_resources_do_not_grow_with_the_variants_and_the_template_by_a_row_each() -> None:
    one, many = (Synthesized(swept(rates(number))) for number in (1, 100))
    assert len(one.json["Resources"]) == len(many.json["Resources"])
    alone = stack_of()
    trainer(alone, dry_run=True)
    beside = len(one.json["Resources"]) - len(Synthesized(alone).json["Resources"])
    assert f"| a sweep beside its trainer, however many variants | {beside} |" in COSTS.read_text()
    assert len(json.dumps(many.json)) - len(json.dumps(one.json)) < 99 * 200


def test_an_evaluator_can_be_swept() -> None:
    stack = stack_of()
    Sweep(stack, "Sweep", base=evaluator(stack), variants={"cold": {"temperature": 0}, "warm": {"temperature": 1}})
    rows = properties(stack)["Declared"]["Rows"]
    assert [row["InPlace"]["Hyperparameters"] for row in rows] == [{"temperature": "0"}, {"temperature": "1"}]


def test_what_goes_unchecked_in_base_or_variant_does_so_in_the_variants_job() -> None:
    base = HyperParameters(unchecked={"a": 1, "b": 1})
    variants = {"v": HyperParameters({"b": 2}, unchecked={"c": 1})}
    (row,) = properties(swept(variants, hyperparameters=base))["Declared"]["Rows"]
    assert row["InPlace"]["UncheckedHyperparameters"] == ["a", "c"]


def test_a_variant_is_checked_as_the_base_is_and_named_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"\[S/Sweep/odd\] hyperparameters\['learning_rate'\] is of type object"):
        swept({"even": {"learning_rate": 1}, "odd": {"learning_rate": object()}})
    with pytest.raises(ValueError, match=r"\[S/Sweep/many\] hyperparameters has 52 entries"):
        swept({"many": {f"name{i}": 1 for i in range(50)}})


def test_a_variant_that_the_published_table_does_not_take_is_warned_of() -> None:
    stack = swept({"typo": {"learning_rat": 1e-5}})
    (warning,) = [each for each in Synthesized(stack).warnings() if "learning_rat" in each]
    assert "cdk-agent-rft:recipe-table" in warning
    assert "learning_rate" in warning


def test_values_that_the_deploy_knows_pass() -> None:
    stack = swept({"later": {"learning_rate": Token.as_string({"Ref": "Rate"})}})
    (row,) = properties(stack)["Declared"]["Rows"]
    assert row["InPlace"]["Hyperparameters"] == {"learning_rate": {"Ref": "Rate"}}


@pytest.mark.parametrize("name", ["", "a/b", "x" * 65])
def test_a_name_that_no_variant_can_have_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match=r"\[S/Sweep\] variants has the name .* Rename it"):
        swept({name: {}})


def test_a_sweep_without_variants_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[S/Sweep\] variants is empty"):
        swept({})


def test_a_base_that_the_deployment_submits_is_refused() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"\[S/Sweep\] The job S/.* must be declared with dry_run=True"):
        Sweep(stack, "Sweep", base=trainer(stack), variants={"a": {}})


def test_the_results_lie_in_the_bases_bucket() -> None:
    stack = swept(rates(2))
    resources = Synthesized(stack).resources(QUEUE)
    ((_, resource),) = resources.items()
    assert resource["Properties"]["Bucket"]["Ref"].startswith("BaseOutputBucket")
