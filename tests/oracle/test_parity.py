"""Our constructs and handler against recordings of the real SDK (sagemaker-train 1.27.0), every input.

What is compared is the whole CreateJob request: construct, synthesized properties, every scalar a string, handler.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.fakes import FakeAgentCore
from handler.world import ACCOUNT, REGION, World
from oracle import account
from oracle.comparison import REFUSED, TAIL, differences, fields
from oracle.differences import DIFFERENCES, EVERY, Difference
from oracle.evaluations import EVALUATIONS
from oracle.inputs import INPUTS
from oracle.synthesis import Properties, synthesized, trainer

from agent_rft_handler.errors import Refused
from agent_rft_local import model_hub, store
from agent_rft_local.ministack_names import request_scope

GOLDEN = Path(__file__).parents[1] / "golden" / "oracle"


@dataclass
class OneRuntime(FakeAgentCore):
    """Knows the runtime of the recordings and no other."""

    known: tuple[str, ...] = field(default=(account.RUNTIME_ID,))

    def get_agent_runtime(self, agentRuntimeId: str) -> dict[str, str]:
        if agentRuntimeId not in self.known:
            error: Any = {"Error": {"Code": "ResourceNotFoundException", "Message": f"No agent {agentRuntimeId}."}}
            raise ClientError(error, "GetAgentRuntime")
        return super().get_agent_runtime(agentRuntimeId)


def furnish(world: World, apps: Mapping[str, str]) -> None:
    """Makes the world the account in which the SDK was recorded."""
    world.agentcore = OneRuntime()
    world.s3.spec = json.loads(account.recipe())
    with request_scope(ACCOUNT, REGION):
        plain = store.apps.pop(world.app)
        for number, (app_id, default) in enumerate(apps.items()):
            arn = world.app.rpartition("/")[0] + f"/{app_id}"
            store.apps[arn] = {
                **plain,
                "Arn": arn,
                "AccountDefaultStatus": default,
                "CreationTime": plain["CreationTime"] + number,
            }
        for package in account.packages():
            store.packages[package["ModelPackageArn"]] = package
        model_hub.seed(account.PRIVATE_HUB, account.PRIVATE_MODEL, account.private_model())


@pytest.fixture(scope="module")
def properties() -> dict[str, list[Properties] | str]:
    """What CloudFormation hands over for each input, or why the constructs refused it."""
    return synthesized({name: trainer(given) for name, given in INPUTS.items()})


@pytest.fixture
def ours(world: World, properties: dict[str, list[Properties] | str], name: str) -> dict[str, object]:
    """The fields that our constructs and our handler submit for the input, or that one of them refused."""
    furnish(world, INPUTS[name].apps)
    given = properties[name]
    return dict(REFUSED) if isinstance(given, str) else submitted(world, *given)


def submitted(world: World, given: Properties) -> dict[str, object]:
    """The fields of the request to CreateJob, or that the handler refused."""
    event = {**world.event("Create", world.declaration()), "ResourceProperties": given}
    try:
        name = world.send(event)["PhysicalResourceId"]
    except Refused:
        return dict(REFUSED)
    request = json.dumps(world.submitted()[-1]).replace("-".join(name.rsplit("-", 2)[1:]), TAIL)
    return fields(_parsed(json.loads(request)))


def theirs(name: str) -> dict[str, object]:
    """The fields that the SDK submitted for the input, or that it or the service refused."""
    recording = json.loads((GOLDEN / f"{name}.json").read_text())
    return dict(REFUSED) if "refused" in recording else fields(recording["CreateJob"])


def expected(name: str) -> dict[str, Difference]:
    """The table's rows for the input, by path."""
    return {row.path: row for row in DIFFERENCES if row.is_of(name)}


@pytest.mark.parametrize("name", INPUTS)
def test_the_request_is_the_sdks_but_for_the_differences_in_the_table(ours: dict[str, object], name: str) -> None:
    sdk = theirs(name)
    found = differences(sdk, ours)
    rows = expected(name)
    if REFUSED in (sdk, ours):
        rows = {path: row for path, row in rows.items() if row.inputs != EVERY}
    assert found == {path: (row.theirs, row.ours) for path, row in rows.items()}


@pytest.mark.parametrize("name", INPUTS)
def test_the_document_has_the_sdks_order(ours: dict[str, object], name: str) -> None:
    sdk, here = (_order(each) for each in (theirs(name), ours))
    assert [path for path in sdk if path in here] == [path for path in here if path in sdk]


def test_what_the_constructs_refuse_names_the_trainer_and_what_to_change(
    properties: dict[str, list[Properties] | str],
) -> None:
    refused = {name: text for name, text in properties.items() if isinstance(text, str)}
    assert len(refused) > 10
    for name, text in refused.items():
        assert text.startswith((f"[Wordle/{name}/", "tags has")) or "training_dataset" in text, text


def test_every_input_has_a_recording_and_every_recording_an_input() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {*INPUTS, *EVALUATIONS}


def test_every_difference_names_an_input_and_says_why() -> None:
    for row in DIFFERENCES:
        assert row.inputs == EVERY or set(row.inputs) <= set(INPUTS)
        assert row.reason.endswith(".")


def test_no_input_has_two_rows_for_one_path() -> None:
    for name in INPUTS:
        paths = [row.path for row in DIFFERENCES if row.is_of(name)]
        assert len(paths) == len(set(paths)), name


def _parsed(request: dict[str, Any]) -> dict[str, Any]:
    return {**request, "JobConfigDocument": json.loads(request["JobConfigDocument"])}


def _order(found: Mapping[str, object]) -> list[str]:
    """The document's paths but for hyperparameters, which come in the user's order."""
    return [path for path in found if path.startswith("JobConfigDocument.") and ".HyperParameters." not in path]
