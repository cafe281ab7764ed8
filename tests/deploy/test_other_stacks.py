"""A job that another stack knows, when the next job has another name."""

import pytest
from aws_cdk import App, CfnOutput, Environment, Stack
from aws_cdk import aws_ssm as ssm
from deploy.apps import trainer_in
from deployment import Deployment

from agent_rft_local import LocalAws
from agent_rft_local.local_aws import ACCOUNT, REGION


def read_elsewhere(app: App) -> None:
    """A trainer that changes, and a stack that takes its name: as it is, or by the parameter."""
    get = app.node.try_get_context
    env = Environment(account=ACCOUNT, region=REGION)
    training, reader = (Stack(app, name, env=env) for name in ("Training", "Reader"))
    trainer = trainer_in(training, epochs=get("epochs"), replacement="stop_first")
    name = trainer.job_name if get("by") == "export" else trainer.job_name_parameter.string_value
    CfnOutput(training, "JobName", value=trainer.job_name)
    known = ssm.StringParameter(reader, "Known", string_value=name, description=f"round {get('epochs')}")
    CfnOutput(reader, "Read", value=known.string_value)


@pytest.fixture
def training(local_aws: LocalAws) -> Deployment:
    return Deployment(local_aws, "Training", read_elsewhere)


@pytest.fixture
def reader(local_aws: LocalAws) -> Deployment:
    return Deployment(local_aws, "Reader", read_elsewhere)


def test_by_the_parameter_another_stack_follows_to_the_next_job(training: Deployment, reader: Deployment) -> None:
    names = []
    for epochs in ("1", "2"):
        assert training.deploy(epochs=epochs).endswith("E_COMPLETE"), training.reasons()
        assert reader.deploy(epochs=epochs).endswith("E_COMPLETE"), reader.reasons()
        names.append(reader.outputs()["Read"])
        assert names[-1] == training.outputs()["JobName"]
    assert len(set(names)) == 2
    reader.delete()
    training.delete()


def test_a_name_that_is_exported_keeps_the_next_job_from_being_deployed(
    training: Deployment, reader: Deployment
) -> None:
    """What the warning ``exported-job`` says."""
    assert training.deploy(by="export") == "CREATE_COMPLETE", training.reasons()
    assert reader.deploy(by="export") == "CREATE_COMPLETE", reader.reasons()
    assert training.deploy(by="export", epochs="2") == "UPDATE_ROLLBACK_COMPLETE"
    assert any("cannot be updated as it is in use by Reader" in each for each in training.reasons())
    reader.delete()
    training.delete()
