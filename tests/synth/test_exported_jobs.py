"""A job's name in another stack: as an export, which is warned of, and by the parameter that keeps its name."""

from typing import Any

import pytest
from aws_cdk import App, CfnOutput, CrossStackReferences, ReferenceStrength, Stack
from aws_cdk import aws_iam as iam
from synth.app import Synthesized, function_in, stack_of, trainer

from agent_rft import MultiTurnRLTrainer


def two_stacks() -> tuple[MultiTurnRLTrainer, Stack]:
    app = App()
    return trainer(stack_of(app)), stack_of(app, "Other")


def exports(stack: Stack) -> list[Any]:
    return [each["Value"] for each in Synthesized(stack).json.get("Outputs", {}).values() if "Export" in each]


def warned(stack: Stack) -> list[str]:
    return [each for each in Synthesized(stack).warnings() if "exported" in each]


@pytest.mark.parametrize("attribute", ["job_name", "job_arn", "base_model_arn"])
def test_what_another_stack_takes_of_a_job_is_warned_of(attribute: str) -> None:
    job, other = two_stacks()
    CfnOutput(other, "Job", value=getattr(job, attribute))
    (said,) = warned(job.stack)
    assert said.startswith(f"{attribute.title().replace('_', '')} is exported")
    assert "job_name_parameter" in said


def test_an_export_by_a_name_of_the_users_is_warned_of_wherever_it_stands() -> None:
    job, _ = two_stacks()
    CfnOutput(job, "Exported", value=job.job_name, export_name="job")
    assert len(warned(job.stack)) == 1


def test_outputs_and_weak_references_may_change() -> None:
    job, other = two_stacks()
    CrossStackReferences.of(other).consume(ReferenceStrength.WEAK)
    CfnOutput(other, "Job", value=job.job_name)
    CfnOutput(job.stack, "Own", value=job.job_name)
    assert warned(job.stack) == []


def test_the_parameter_is_one_whose_name_no_job_changes_and_which_holds_the_newest() -> None:
    job, other = two_stacks()
    function = function_in(other)
    for _ in range(2):
        function.add_environment("JOB_NAME_PARAMETER", job.job_name_parameter.parameter_name)
    job.job_name_parameter.grant_read(function)
    made = Synthesized(job.stack)
    ((parameter, properties),) = made.resources("AWS::SSM::Parameter").items()
    ((resource, _),) = made.resources("Custom::AgentRFTJob").items()
    assert properties["Properties"]["Value"] == {"Fn::GetAtt": [resource, "JobName"]}
    assert "Name" not in properties["Properties"]
    assert exports(job.stack) == [{"Ref": parameter}]
    assert warned(job.stack) == []
    assert "ssm:GetParameter" in Synthesized(other).text


def test_no_parameter_is_made_that_nobody_asked_for() -> None:
    job, _ = two_stacks()
    assert Synthesized(job.stack).resources("AWS::SSM::Parameter") == {}


def test_the_parameters_value_is_read_there_and_is_no_export_either() -> None:
    job, other = two_stacks()
    there = MultiTurnRLTrainer.from_job_name(other, "Job", job.job_name_parameter.string_value)
    there.grant_stop(iam.Role(other, "Operator", assumed_by=iam.AccountRootPrincipal()))
    ((parameter, _),) = Synthesized(job.stack).resources("AWS::SSM::Parameter").items()
    assert exports(job.stack) == [{"Ref": parameter}]
    (stopped,) = Synthesized(other).allowed("sagemaker:StopJob", "Operator")
    assert "job/AgentRFT/{{resolve:ssm:" in stopped
