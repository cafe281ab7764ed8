"""What AWS refuses is refused: each was let pass before."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from local.jobs import request
from local.roles import ANYBODY, allow, limited
from local.stacks import TRUST, create, custom_resource, failing, reasons, settled, update

from agent_rft_local import LocalAws

INTERFACES = ["ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"]
IN_VPC = {"SubnetIds": ["subnet-1"], "SecurityGroupIds": ["sg-1"]}


def policy(*statements: dict[str, Any], name: str = "own") -> dict[str, Any]:
    return {"PolicyName": name, "PolicyDocument": {"Version": "2012-10-17", "Statement": list(statements)}}


def big(size: int) -> dict[str, Any]:
    """A statement of so many characters."""
    statement = allow("s3:GetObject", "")
    return allow("s3:GetObject", "x" * (size - len(json.dumps(statement, separators=(",", ":")))))


@pytest.mark.parametrize("missing", INTERFACES)
def test_a_function_in_a_vpc_needs_a_role_that_makes_interfaces(bare_aws: LocalAws, missing: str) -> None:
    resources = custom_resource(policies=[policy(allow([each for each in INTERFACES if each != missing]))])
    resources["Function"]["Properties"]["VpcConfig"] = IN_VPC
    assert create(bare_aws, "in-vpc", resources) == "ROLLBACK_COMPLETE"
    called = missing.partition(":")[2]
    assert f"does not have permissions to call {called} on EC2" in reasons(bare_aws, "in-vpc")


def test_with_such_a_role_it_is_made(bare_aws: LocalAws) -> None:
    resources = custom_resource(policies=[policy(allow(INTERFACES))])
    resources["Function"]["Properties"]["VpcConfig"] = IN_VPC
    assert create(bare_aws, "in-vpc", resources) == "CREATE_COMPLETE"


def test_a_bucket_of_a_stack_is_encrypted_as_its_property_says(bare_aws: LocalAws) -> None:
    by_default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "arn:aws:kms:us-east-1:000000000000:key/1"}
    rules = {"ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": by_default}]}
    keyed: dict[str, Any] = {
        "Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "keyed", "BucketEncryption": rules}}
    }
    assert create(bare_aws, "keyed", keyed) == "CREATE_COMPLETE"

    def encryption() -> list[dict[str, str]]:
        answer = bare_aws.client("s3").get_bucket_encryption(Bucket="keyed")
        return [
            each["ApplyServerSideEncryptionByDefault"] for each in answer["ServerSideEncryptionConfiguration"]["Rules"]
        ]

    assert encryption() == [by_default]
    del keyed["Bucket"]["Properties"]["BucketEncryption"]
    assert update(bare_aws, "keyed", keyed) == "UPDATE_COMPLETE"
    assert encryption() == [{"SSEAlgorithm": "AES256"}]


def test_an_object_under_s3s_own_kms_key_names_none(bare_aws: LocalAws) -> None:
    s3 = bare_aws.client("s3")
    s3.create_bucket(Bucket="own-key")
    s3.put_object(Bucket="own-key", Key="k", Body=b"", ServerSideEncryption="aws:kms")
    assert s3.head_object(Bucket="own-key", Key="k")["ServerSideEncryption"] == "aws:kms"


def test_lambda_takes_no_role_that_it_cannot_assume(bare_aws: LocalAws) -> None:
    resources = custom_resource()
    resources["Role"]["Properties"]["AssumeRolePolicyDocument"] = ANYBODY
    assert create(bare_aws, "untrusted", resources) == "ROLLBACK_COMPLETE"
    assert "cannot be assumed by Lambda" in reasons(bare_aws, "untrusted")
    role = bare_aws.client("iam").create_role(RoleName="no-lambda", AssumeRolePolicyDocument=json.dumps(ANYBODY))
    with pytest.raises(ClientError, match="cannot be assumed by Lambda"):
        bare_aws.client("lambda").create_function(
            FunctionName="f", Runtime="python3.13", Handler="a.b", Role=role["Role"]["Arn"], Code={"ZipFile": b"x"}
        )


def test_inline_policies_are_limited_together(bare_aws: LocalAws) -> None:
    resources = {
        "Role": {
            "Type": "AWS::IAM::Role",
            "Properties": {
                "AssumeRolePolicyDocument": TRUST,
                "Policies": [policy(big(4000), name=f"p{each}") for each in range(3)],
            },
        }
    }
    assert create(bare_aws, "inline", resources) == "ROLLBACK_COMPLETE"
    assert "Maximum policy size of 10240 bytes exceeded" in reasons(bare_aws, "inline")
    assert bare_aws.client("iam").list_roles()["Roles"] == []


def test_inline_policies_that_come_one_by_one_are_limited_together(bare_aws: LocalAws) -> None:
    iam = bare_aws.client("iam")
    iam.create_role(RoleName="full", AssumeRolePolicyDocument=json.dumps(TRUST))
    document = json.dumps(policy(big(5000))["PolicyDocument"])
    for name in ("one", "two"):
        iam.put_role_policy(RoleName="full", PolicyName=name, PolicyDocument=document)
    with pytest.raises(ClientError, match="LimitExceeded"):
        iam.put_role_policy(RoleName="full", PolicyName="three", PolicyDocument=document)
    assert iam.list_role_policies(RoleName="full")["PolicyNames"] == ["one", "two"]
    iam.put_role_policy(RoleName="full", PolicyName="one", PolicyDocument=document.replace(",", " , "))


def test_a_managed_policy_and_their_number_are_limited(bare_aws: LocalAws) -> None:
    iam = bare_aws.client("iam")
    iam.create_role(RoleName="managed", AssumeRolePolicyDocument=json.dumps(TRUST))
    with pytest.raises(ClientError, match="PolicySize: 6144"):
        iam.create_policy(PolicyName="big", PolicyDocument=json.dumps(policy(big(6144))["PolicyDocument"]))
    document = json.dumps(policy(allow("s3:GetObject"))["PolicyDocument"])
    arns = [iam.create_policy(PolicyName=f"p{each}", PolicyDocument=document)["Policy"]["Arn"] for each in range(11)]
    for arn in arns[:10]:
        iam.attach_role_policy(RoleName="managed", PolicyArn=arn)
    with pytest.raises(ClientError, match="PoliciesPerRole: 10"):
        iam.attach_role_policy(RoleName="managed", PolicyArn=arns[10])


@pytest.mark.parametrize("itself", [True, False])
def test_a_circle_is_refused_before_anything_is_made(bare_aws: LocalAws, itself: bool) -> None:
    second = "A" if not itself else "B"
    resources = {
        name: {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": other}}}
        for name, other in (("A", "A" if itself else "B"), ("B", second))
    }
    with pytest.raises(ClientError, match=r"Circular dependency between resources: \[A, B\]"):
        create(bare_aws, "circle", resources)
    assert bare_aws.client("cloudformation").list_stacks()["StackSummaries"] == []


def test_an_export_in_use_neither_changes_nor_goes(bare_aws: LocalAws) -> None:
    cloudformation = bare_aws.client("cloudformation")

    def exporting(value: str | None) -> str:
        outputs = {"O": {"Value": value, "Export": {"Name": "shared"}}} if value else {}
        topic = {"T": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": value or "none"}}}
        return json.dumps({"Resources": topic, "Outputs": outputs})

    cloudformation.create_stack(StackName="exporter", TemplateBody=exporting("one"))
    settled(bare_aws, "exporter")
    imported = {"T": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::ImportValue": "shared"}}}}
    create(bare_aws, "importer", imported)
    for value, verb in (("two", "updated"), (None, "deleted")):
        cloudformation.update_stack(StackName="exporter", TemplateBody=exporting(value))
        assert settled(bare_aws, "exporter") == "UPDATE_ROLLBACK_COMPLETE"
        assert f"Export shared cannot be {verb} as it is in use by importer" in reasons(bare_aws, "exporter")
    cloudformation.delete_stack(StackName="importer")
    cloudformation.update_stack(StackName="exporter", TemplateBody=exporting("two"))
    assert settled(bare_aws, "exporter") == "UPDATE_COMPLETE"


@pytest.mark.parametrize("passes", [True, False])
def test_cloudformation_passes_a_role_only_where_its_own_may(bare_aws: LocalAws, passes: bool) -> None:
    iam = bare_aws.client("iam")
    trust = json.loads(json.dumps(TRUST).replace("lambda.", "cloudformation."))
    arn = iam.create_role(RoleName="execution", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
    passing = {"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com" if passes else "ec2.amazonaws.com"}}
    statements = [allow(["iam:CreateRole", "lambda:*"]), allow("iam:PassRole", "*", **passing)]
    iam.put_role_policy(
        RoleName="execution", PolicyName="own", PolicyDocument=json.dumps(policy(*statements)["PolicyDocument"])
    )
    wanted = "CREATE_COMPLETE" if passes else "ROLLBACK_COMPLETE"
    assert create(bare_aws, "passing", custom_resource(), RoleARN=arn) == wanted
    assert ("not authorized to perform: iam:PassRole" in reasons(bare_aws, "passing")) != passes


def test_agentcores_api_is_decided_by_iam(bare_aws: LocalAws) -> None:
    arn = "arn:aws:bedrock-agentcore:us-east-1:000000000000:runtime/mine-0123456789"
    reads = allow("bedrock-agentcore:GetAgentRuntime", arn)
    client = limited(bare_aws, "reader", reads, service="bedrock-agentcore-control")
    with pytest.raises(ClientError, match="ResourceNotFound"):
        client.get_agent_runtime(agentRuntimeId="mine-0123456789")
    with pytest.raises(ClientError, match="not authorized to perform: bedrock-agentcore:GetAgentRuntime"):
        client.get_agent_runtime(agentRuntimeId="other-0123456789")
    with pytest.raises(ClientError, match="not authorized to perform: bedrock-agentcore:ListAgentRuntimes"):
        client.list_agent_runtimes()


def test_an_update_that_fails_in_a_nested_stack_rolls_back(bare_aws: LocalAws) -> None:
    s3 = bare_aws.client("s3")
    s3.create_bucket(Bucket="templates")

    def nested(**properties: Any) -> dict[str, Any]:
        child = json.dumps({"Resources": custom_resource(**properties)})
        name = f"{len(s3.list_objects_v2(Bucket='templates').get('Contents', []))}.json"
        s3.put_object(Bucket="templates", Key=name, Body=child.encode())
        url = f"{bare_aws.endpoint}/templates/{name}"
        return {"Child": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url}}}

    assert create(bare_aws, "parent", nested(Number=1)) == "CREATE_COMPLETE"
    assert update(bare_aws, "parent", nested(Number=2, Update="failed")) == "UPDATE_ROLLBACK_COMPLETE", reasons(
        bare_aws, "parent"
    )
    rows = bare_aws.client("cloudformation").describe_stacks()["Stacks"]
    assert {row["StackStatus"] for row in rows} == {"UPDATE_ROLLBACK_COMPLETE"}
    assert [event["RequestType"] for event in bare_aws.deliveries()] == ["Create", "Update", "Update"]
    back = bare_aws.deliveries()[-1]["ResourceProperties"]
    assert back["Number"] == "1"


def test_a_nested_stack_that_cannot_be_made_is_taken_away_again(bare_aws: LocalAws) -> None:
    s3 = bare_aws.client("s3")
    s3.create_bucket(Bucket="templates")
    child = {"Resources": failing(custom_resource())}
    s3.put_object(Bucket="templates", Key="child.json", Body=json.dumps(child).encode())
    url = f"{bare_aws.endpoint}/templates/child.json"
    nested = {"Child": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url}}}
    assert create(bare_aws, "parent", nested) == "ROLLBACK_COMPLETE"
    assert [event["RequestType"] for event in bare_aws.deliveries()] == ["Create", "Delete"]
    assert bare_aws.client("iam").list_roles()["Roles"] == []


def test_a_roles_policies_take_effect_after_their_lag(bare_aws: LocalAws) -> None:
    client = limited(bare_aws, "early", allow("sagemaker:ListJobs"))
    bare_aws.set(policy_lag=3600)
    with pytest.raises(ClientError, match="not authorized to perform: sagemaker:ListJobs"):
        client.list_jobs(JobCategory="AgentRFT")
    bare_aws.set(policy_lag=0)
    client.list_jobs(JobCategory="AgentRFT")


def test_a_role_is_known_to_the_service_after_its_lag(bare_aws: LocalAws) -> None:
    needed = request(bare_aws, "fresh", {})
    bare_aws.set(role_lag=3600)
    with pytest.raises(ClientError, match="Could not assume role"):
        bare_aws.client("sagemaker").create_job(**needed)
    bare_aws.set(role_lag=0)
    bare_aws.client("sagemaker").create_job(**needed)
