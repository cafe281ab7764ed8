"""IAM decides by the tags of a request and of a resource."""

from typing import Any

import pytest
from botocore.exceptions import ClientError
from local.jobs import request, submit
from local.roles import allow, limited

from agent_rft_local import LocalAws

JOB = "arn:aws:sagemaker:*:*:job/*"
MINE = {"StringEquals": {"aws:ResourceTag/Stack": "mine"}}
NAMED = {"JobCategory": "AgentRFT", "JobName": "tagged"}
TAG = {"Key": "Extra", "Value": "1"}

ON_JOBS: dict[str, Any] = {
    "DescribeJob": lambda client, arn: client.describe_job(**NAMED),
    "ListTags": lambda client, arn: client.list_tags(ResourceArn=arn),
    "AddTags": lambda client, arn: client.add_tags(ResourceArn=arn, Tags=[TAG]),
    "DeleteTags": lambda client, arn: client.delete_tags(ResourceArn=arn, TagKeys=["Extra"]),
    "StopJob": lambda client, arn: client.stop_job(**NAMED),
    "DeleteJob": lambda client, arn: client.delete_job(**NAMED),
}
"""Each action that a resource's tag may allow, in an order in which each can be done."""


@pytest.mark.parametrize("owner", ["mine", "theirs"])
def test_what_is_done_to_a_job_is_decided_by_the_jobs_tags(bare_aws: LocalAws, owner: str) -> None:
    bare_aws.set(stop_seconds=0)
    arn = submit(bare_aws, "tagged", tags={"Stack": owner})
    client = limited(bare_aws, "by-tag", allow([f"sagemaker:{name}" for name in ON_JOBS], JOB, **MINE))
    for name, call in ON_JOBS.items():
        if owner == "mine":
            call(client, arn)
        else:
            with pytest.raises(ClientError, match=f"not authorized to perform: sagemaker:{name}"):
                call(client, arn)


@pytest.mark.parametrize("owner", ["mine", "theirs"])
def test_what_is_done_to_a_group_is_decided_by_the_groups_tags(bare_aws: LocalAws, owner: str) -> None:
    arn = bare_aws.client("sagemaker").create_model_package_group(
        ModelPackageGroupName="tagged", Tags=[{"Key": "Stack", "Value": owner}]
    )["ModelPackageGroupArn"]
    client = limited(bare_aws, "by-tag", allow("sagemaker:*", arn, **MINE))
    calls: dict[str, Any] = {
        "DescribeModelPackageGroup": lambda: client.describe_model_package_group(ModelPackageGroupName="tagged"),
        "AddTags": lambda: client.add_tags(ResourceArn=arn, Tags=[TAG]),
        "DeleteTags": lambda: client.delete_tags(ResourceArn=arn, TagKeys=["Extra"]),
        "ListTags": lambda: client.list_tags(ResourceArn=arn),
        "DeleteModelPackageGroup": lambda: client.delete_model_package_group(ModelPackageGroupName="tagged"),
    }
    for name, call in calls.items():
        if owner == "mine":
            call()
        else:
            with pytest.raises(ClientError, match=f"not authorized to perform: sagemaker:{name}"):
                call()


@pytest.mark.parametrize(
    ("conditions", "is_allowed"),
    [
        ({"StringEquals": {"aws:RequestTag/Stack": "mine"}}, True),
        ({"StringEquals": {"aws:RequestTag/Stack": "other"}}, False),
        ({"ForAllValues:StringEquals": {"aws:TagKeys": ["Stack", "Owner"]}}, True),
        ({"ForAllValues:StringEquals": {"aws:TagKeys": ["Stack"]}}, False),
    ],
)
def test_a_job_is_created_by_the_tags_in_the_request(
    bare_aws: LocalAws, conditions: dict[str, Any], is_allowed: bool
) -> None:
    needed = request(bare_aws, "requested", {"Stack": "mine", "Owner": "me"})
    client = limited(
        bare_aws,
        "creator",
        allow(["sagemaker:CreateJob", "sagemaker:AddTags"], JOB, **conditions),
        allow("iam:PassRole"),
    )
    if is_allowed:
        client.create_job(**needed)
    else:
        with pytest.raises(ClientError, match="not authorized to perform: sagemaker:CreateJob"):
            client.create_job(**needed)


def test_tags_at_creation_need_the_right_to_tag(bare_aws: LocalAws) -> None:
    client = limited(bare_aws, "untagging", allow("sagemaker:CreateJob", JOB), allow("iam:PassRole"))
    with pytest.raises(ClientError, match="not authorized to perform: sagemaker:AddTags"):
        submit(bare_aws, "tagging", client=client, tags={"Stack": "mine"})
    client.create_job(**{**request(bare_aws, "plain", {}), "Tags": []})


def test_tags_are_added_and_removed_by_the_keys_in_the_request(bare_aws: LocalAws) -> None:
    arn = submit(bare_aws, "keyed", tags={"Stack": "mine"})
    only = {"ForAllValues:StringEquals": {"aws:TagKeys": ["Extra"]}}
    client = limited(bare_aws, "keys", allow(["sagemaker:AddTags", "sagemaker:DeleteTags"], JOB, **only))
    client.add_tags(ResourceArn=arn, Tags=[TAG])
    client.delete_tags(ResourceArn=arn, TagKeys=["Extra"])
    with pytest.raises(ClientError, match="not authorized"):
        client.add_tags(ResourceArn=arn, Tags=[{"Key": "Stack", "Value": "stolen"}])
    with pytest.raises(ClientError, match="not authorized"):
        client.delete_tags(ResourceArn=arn, TagKeys=["Stack"])


def test_a_role_is_passed_by_its_whole_arn(bare_aws: LocalAws) -> None:
    needed = request(bare_aws, "passed", {})
    role = needed["RoleArn"]
    other = role.replace(":role/", ":role/service-role/")
    statements = [allow(["sagemaker:CreateJob", "sagemaker:AddTags"], JOB), allow("iam:PassRole", other)]
    client = limited(bare_aws, "passer", *statements)
    with pytest.raises(ClientError, match="not authorized to perform: iam:PassRole"):
        client.create_job(**{**needed, "Tags": []})
    with pytest.raises(ClientError, match="Could not assume role"):
        client.create_job(**{**needed, "RoleArn": other, "Tags": []})


def test_the_jobs_log_is_in_its_categorys_group(bare_aws: LocalAws) -> None:
    bare_aws.set(job_seconds=0)
    submit(bare_aws, "logged")
    logs = bare_aws.client("logs")
    group = "/aws/sagemaker/Job/AgentRFT"
    (stream,) = logs.describe_log_streams(logGroupName=group, logStreamNamePrefix="logged/")["logStreams"]
    events = logs.get_log_events(logGroupName=group, logStreamName=stream["logStreamName"], startFromHead=True)[
        "events"
    ]
    messages = [event["message"] for event in events]
    assert any(message.startswith("step 10/10") for message in messages)
    assert len(messages) == len(set(messages))
