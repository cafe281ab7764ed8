"""What is in the account before any stack: a package to continue from, an app and a runtime to be found."""

from agent_rft_local import LocalAws


def seed(aws: LocalAws) -> None:
    """A package to continue from, its group, and an app to be found."""
    client = aws.client("sagemaker")
    groups = [
        row["ModelPackageGroupName"] for row in client.list_model_package_groups()["ModelPackageGroupSummaryList"]
    ]
    if "earlier" in groups:
        return
    for name in ("earlier", "elsewhere"):
        client.create_model_package_group(ModelPackageGroupName=name)
    client.create_mlflow_app(Name="found", ArtifactStoreUri="s3://a/b", RoleArn="arn:aws:iam::000000000000:role/mlflow")
    base = {"HubContentName": "huggingface-reasoning-qwen3-32b", "HubContentVersion": "1.0.0"}
    aws.seed_model_package(
        ModelPackageArn="arn:aws:sagemaker:us-east-1:000000000000:model-package/earlier/1",
        ModelApprovalStatus="Approved",
        InferenceSpecification={"Containers": [{"Image": "image", "BaseModel": base}]},
    )


def runtime(aws: LocalAws) -> str:
    """An AgentCore runtime's bare id, made once."""
    client = aws.client("bedrock-agentcore-control")
    for row in client.list_agent_runtimes()["agentRuntimes"]:
        return str(row["agentRuntimeId"])
    image = {"containerUri": "000000000000.dkr.ecr.us-east-1.amazonaws.com/agent:1"}
    made = client.create_agent_runtime(
        agentRuntimeName="agent",
        agentRuntimeArtifact={"containerConfiguration": image},
        roleArn="arn:aws:iam::000000000000:role/agent",
        networkConfiguration={"networkMode": "PUBLIC"},
    )
    return str(made["agentRuntimeId"])
