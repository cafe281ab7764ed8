"""Whatever forms a job's arguments take together: it is submitted, its role may do all it does, and it goes again."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from aws_cdk import App, RemovalPolicies
from deploy.apps import stack_in
from deploy.covering import Row, every_form, every_pair, met, pairs
from deploy.forms import FORMS
from deploy.test_shared_role import TRUST
from deployment import JOB, Deployment, in_progress
from security.seeds import seed

from agent_rft import MultiTurnRLEvaluator, MultiTurnRLTrainer
from agent_rft_handler.facts import AGENT_RFT, AGENT_RFT_EVALUATION, PUBLIC_HUB
from agent_rft_local import LocalAws

OF_AN_EVALUATOR = {"agent_env": "agent_config", "training_dataset": "dataset"}
NOT_OF_AN_EVALUATOR = {
    "validation_dataset",
    "output_model_package_group",
    "intermediate_checkpoint_model_package_group",
    "vpc",
    "vpc_subnets",
    "security_groups",
}


@pytest.fixture(scope="module")
def aws(local_aws_session: LocalAws) -> Iterator[LocalAws]:
    """An account with a role, a package, a private model and an app that no stack owns."""
    client = local_aws_session.client("iam")
    client.create_role(RoleName="rft", AssumeRolePolicyDocument=json.dumps(TRUST))
    seed(local_aws_session)
    public = local_aws_session.client("sagemaker").describe_hub_content(
        HubName=PUBLIC_HUB, HubContentType="Model", HubContentName="openai-reasoning-gpt-oss-20b"
    )
    local_aws_session.seed_hub_content("MyHub", "mine", json.loads(public["HubContentDocument"]))
    yield local_aws_session
    client.delete_role(RoleName="rft")


def of_forms(app: App) -> None:
    """The job of the context's row."""
    row: Row = json.loads(app.node.get_context("row"))
    stack = stack_in(app)
    given: dict[str, Any] = {"accept_eula": True, "replacement": "stop_first"}
    for argument, form in row.items():
        given |= FORMS[argument][form](stack)
    if row["job"] == "trainer":
        MultiTurnRLTrainer(stack, "Job", **given)
    else:
        kept = {
            OF_AN_EVALUATOR.get(name, name): each for name, each in given.items() if name not in NOT_OF_AN_EVALUATOR
        }
        MultiTurnRLEvaluator(stack, "Job", **kept)
    RemovalPolicies.of(stack).destroy()  # what were kept would be in the way of the next row


def deployed_and_run(deployment: Deployment, row: Row) -> None:
    """The stack has the row's forms now, and one job runs, which may do all that it does."""
    category = AGENT_RFT if row["job"] == "trainer" else AGENT_RFT_EVALUATION
    assert deployment.deploy(row=json.dumps(row)) in ("CREATE_COMPLETE", "UPDATE_COMPLETE"), deployment.reasons()
    assert deployment.aws.run_service(deployment.physical_id(JOB), category.name) == []
    assert in_progress(deployment.aws) == [deployment.physical_id(JOB)]


@pytest.fixture
def forms(aws: LocalAws) -> Iterator[Deployment]:
    """A stack that is destroyed at the end."""
    aws.settle()
    aws.set(stop_seconds=0)
    deployment = Deployment(aws, "Forms", of_forms)
    yield deployment
    deployment.delete()


@pytest.mark.parametrize("row", every_form(FORMS), ids=lambda row: ", ".join(row.values()))
def test_every_form_of_every_argument_deploys_runs_and_goes(forms: Deployment, row: Row) -> None:
    deployed_and_run(forms, row)


@pytest.mark.exhaustive
@pytest.mark.parametrize("row", every_pair(FORMS), ids=lambda row: ", ".join(row.values()))
def test_every_two_forms_of_two_arguments_deploy_run_and_go_together(forms: Deployment, row: Row) -> None:
    deployed_and_run(forms, row)


@pytest.mark.exhaustive
def test_a_stack_goes_from_one_row_of_forms_to_the_next(forms: Deployment) -> None:
    for row in every_pair(FORMS):
        deployed_and_run(forms, row)


def test_the_rows_leave_out_no_pair() -> None:
    assert set().union(*map(met, every_pair(FORMS))) == pairs(FORMS)
    assert {each for row in every_form(FORMS) for each in row.items()} == {
        each for pair in pairs(FORMS) for each in pair
    }
