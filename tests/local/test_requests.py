"""Requests checked by botocore's model, documents by ours, with the service's codes."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from handler.world import World
from in_process import SageMaker

from agent_rft_handler import facts

GROUP_ARN = "arn:aws:sagemaker:us-east-1:000000000000:model-package-group/tuned"


def code_of(call: Any, **request: Any) -> str:
    with pytest.raises(ClientError) as refused:
        call(**request)
    return str(refused.value.response["Error"]["Code"])


def request_of(world: World, **document: Any) -> dict[str, Any]:
    """A CreateJob request that the local SageMaker takes, with sections of the document changed."""
    world.deliver("Create", world.declaration())
    request = world.submitted()[-1]
    world.finish_jobs()
    changed = {**json.loads(request["JobConfigDocument"]), **document}
    return {**request, "JobName": "another", "JobConfigDocument": json.dumps(changed)}


def test_a_plain_request_is_taken_and_echoed_with_the_services_output(world: World) -> None:
    request = request_of(world)
    world.sagemaker.create_job(**request)
    job = world.sagemaker.describe_job(JobName="another", JobCategory="AgentRFT")
    echoed = json.loads(job["JobConfigDocument"])
    assert echoed.pop("ServiceOutput")
    assert echoed == json.loads(request["JobConfigDocument"])


@pytest.mark.parametrize(
    "document",
    [
        {"Extra": {}},
        {"AgentConfig": {}},
        {"AgentConfig": {"EndpointConfig": {"AgentArn": "x"}}},
        {"InputDataConfig": []},
        {"InputDataConfig": [{"ChannelName": "train", "DataSource": {"DatasetSource": {"DatasetArn": None}}}]},
        {"OutputDataConfig": {"S3OutputPath": "bucket"}},
        {"TrainingConfig": {"BaseModelArn": "x"}},
        {"VpcConfig": {"Subnets": ["subnet-1"]}},
        {
            "ModelPackageConfig": {
                "OutputModelPackageGroupArn": "arn:aws:sagemaker:us-east-1:000000000000:model-package-group/t"
            }
        },
    ],
)
def test_a_document_that_the_service_would_refuse_is_refused(world: World, document: dict[str, Any]) -> None:
    assert code_of(world.sagemaker.create_job, **request_of(world, **document)) == "ValidationException"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"JobName": "a_b"}, "ValidationException"),
        ({"JobName": "a" * 64}, "ValidationException"),
        ({"JobCategory": "Other"}, "ValidationException"),
        ({"JobConfigSchemaVersion": "1.0.x"}, "ValidationException"),
        ({"JobConfigDocument": "{"}, "ValidationException"),
        ({"RoleArn": "arn:aws:iam::000000000000:role/none"}, "ValidationException"),
        ({"Tags": [{"Key": f"k{i}", "Value": "v"} for i in range(51)]}, "ValidationException"),
    ],
)
def test_a_request_that_the_model_does_not_allow_is_refused(world: World, changed: dict[str, Any], code: str) -> None:
    assert code_of(world.sagemaker.create_job, **{**request_of(world), **changed}) == code


def test_names_quota_and_states_follow_the_api(world: World) -> None:
    sagemaker = world.sagemaker
    request = request_of(world)
    sagemaker.create_job(**request)
    assert code_of(sagemaker.create_job, **request) == "ResourceInUse"
    assert code_of(sagemaker.create_job, **{**request, "JobName": "third"}) == "ResourceLimitExceeded"
    named = {"JobName": "another", "JobCategory": "AgentRFT"}
    assert code_of(sagemaker.delete_job, **named) == "ResourceInUse"
    sagemaker.stop_job(**named)
    assert sagemaker.describe_job(**named)["JobStatus"] == "Stopping"
    world.clock.sleep(5)
    assert sagemaker.describe_job(**named)["JobStatus"] == "Stopped"
    assert code_of(sagemaker.stop_job, **named) == "ValidationException"
    sagemaker.delete_job(**named)
    assert code_of(sagemaker.describe_job, **named) == "ResourceNotFound"


def test_the_hub_has_a_model_of_each_kind() -> None:
    client = SageMaker()
    rows = client.list_hub_contents(HubName=facts.PUBLIC_HUB, HubContentType="Model")["HubContentSummaries"]
    documents = {
        row["HubContentName"]: json.loads(
            client.describe_hub_content(
                HubName=facts.PUBLIC_HUB, HubContentType="Model", HubContentName=row["HubContentName"]
            )["HubContentDocument"]
        )
        for row in rows
    }
    techniques = {
        name: {recipe.get("CustomizationTechnique") for recipe in document["RecipeCollection"]}
        for name, document in documents.items()
    }
    assert any("MTRL" not in found for found in techniques.values())
    assert any(document.get("GatedBucket") for document in documents.values())
    assert any(facts.is_nova(name) and "MTRL" in found for name, found in techniques.items())
    assert sum("MTRL" in found for found in techniques.values()) >= 3
