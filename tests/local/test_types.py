"""CloudFormation's SageMaker types follow the registry's schemas."""

import pytest
from local.stacks import create, reasons, update

from agent_rft_local import LocalAws

GROUP = "AWS::SageMaker::ModelPackageGroup"
APP = "AWS::SageMaker::MlflowApp"
ROLE_ARN = "arn:aws:iam::000000000000:role/mlflow"


def group(name: str, **more: object) -> dict[str, object]:
    return {"Group": {"Type": GROUP, "Properties": {"ModelPackageGroupName": name, **more}}}


def test_ref_and_attributes_are_the_schemas(local_aws: LocalAws) -> None:
    app = {"App": {"Type": APP, "Properties": {"Name": "app", "ArtifactStoreUri": "s3://a/b", "RoleArn": ROLE_ARN}}}
    outputs = {
        "Group": {"Ref": "Group"},
        "Status": {"Fn::GetAtt": ["Group", "ModelPackageGroupStatus"]},
        "App": {"Ref": "App"},
        "Arn": {"Fn::GetAtt": ["App", "Arn"]},
        "Id": {"Fn::GetAtt": ["App", "MlflowAppId"]},
        "Version": {"Fn::GetAtt": ["App", "MlflowVersion"]},
    }
    assert create(local_aws, "types", {**group("typed"), **app}, outputs) == "CREATE_COMPLETE"
    found = local_aws.outputs("types")
    assert found["Group"] == "arn:aws:sagemaker:us-east-1:000000000000:model-package-group/typed"
    assert (found["Status"], found["Version"]) == ("Completed", "3.10.0")
    assert found["App"] == found["Arn"]
    assert found["Arn"].endswith(f"/{found['Id']}")


def test_an_unknown_property_and_an_illegal_name_are_refused(local_aws: LocalAws) -> None:
    assert create(local_aws, "unknown", group("g", Restricted="yes")) == "ROLLBACK_COMPLETE"
    assert "extraneous key [Restricted]" in reasons(local_aws, "unknown")
    assert create(local_aws, "illegal", group("my_group")) == "ROLLBACK_COMPLETE"
    assert "regular expression pattern" in reasons(local_aws, "illegal")


@pytest.mark.parametrize(("changed", "names"), [("renamed", {"renamed"}), ("first", {"first"})])
def test_another_name_replaces_the_group_and_other_tags_do_not(
    local_aws: LocalAws, changed: str, names: set[str]
) -> None:
    stack = f"replaced-{changed}"
    create(local_aws, stack, group("first"))
    tags = [{"Key": "Team", "Value": "rl"}]
    assert update(local_aws, stack, group(changed, Tags=tags)) == "UPDATE_COMPLETE"
    client = local_aws.client("sagemaker")
    rows = client.list_model_package_groups()["ModelPackageGroupSummaryList"]
    found = {row["ModelPackageGroupName"]: row["ModelPackageGroupArn"] for row in rows}
    assert names <= set(found)
    assert {"Key": "Team", "Value": "rl"} in client.list_tags(ResourceArn=found[changed])["Tags"]
    local_aws.client("cloudformation").delete_stack(StackName=stack)


def test_a_policy_is_stored_with_the_group(local_aws: LocalAws) -> None:
    policy = {"Version": "2012-10-17", "Statement": []}
    assert create(local_aws, "policy", group("shared", ModelPackageGroupPolicy=policy)) == "CREATE_COMPLETE"
    stored = local_aws.client("sagemaker").get_model_package_group_policy(ModelPackageGroupName="shared")
    assert "2012-10-17" in stored["ResourcePolicy"]
