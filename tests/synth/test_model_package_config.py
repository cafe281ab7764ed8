"""The two groups of a job in every form."""

import pytest
from aws_cdk import CfnParameter
from aws_cdk import aws_sagemaker as sagemaker
from synth.app import (
    ACCOUNT,
    PACKAGE_ARN,
    REGION,
    Synthesized,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import (
    Model,
    ModelPackageGroup,
)


@pytest.mark.parametrize("form", ["name", "arn", "l1", "l2", "imported"])
def test_groups_in_every_form(form: str) -> None:
    stack = stack_of()
    arn = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:model-package-group/tuned"
    l1 = sagemaker.CfnModelPackageGroup(stack, "L1", model_package_group_name="tuned")
    given = {
        "name": "tuned",
        "arn": arn,
        "l1": l1,
        "l2": ModelPackageGroup(stack, "L2", model_package_group_name="tuned"),
        "imported": ModelPackageGroup.from_model_package_group_name(stack, "Named", "tuned"),
    }
    made_by = trainer(stack, output_model_package_group=given[form])
    job = Synthesized(stack).job()
    assert readable(job["OutputModelPackageGroup"]).startswith(("arn:", "${L"))
    assert made_by.output_model_package_group.model_package_group_name


def test_the_same_construct_twice_is_refused() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Group")
    with pytest.raises(ValueError, match="must differ"):
        trainer(stack, output_model_package_group=group, intermediate_checkpoint_model_package_group=group)


@pytest.mark.parametrize("given", [PACKAGE_ARN, Model.from_model_package(PACKAGE_ARN)])
def test_a_package_continues_into_its_own_group(given: str | Model) -> None:
    made = synth(model=given)
    assert made.job()["Model"] == PACKAGE_ARN
    assert readable(made.job()["OutputModelPackageGroup"]).endswith(":model-package-group/tuned")
    assert len(made.resources("AWS::SageMaker::ModelPackageGroup")) == 1


def test_a_package_that_is_a_token_continues_into_its_own_group() -> None:
    stack = stack_of()
    trainer(stack, model=Model.from_model_package(CfnParameter(stack, "Package").value_as_string))
    assert "Fn::Select" in str(Synthesized(stack).job()["OutputModelPackageGroup"])
