"""What the service does as the execution role while a job runs: read, invoke, write, register, track, log.

From the docs' pages on prerequisites, encryption and VPC; each need is decided by IAM as the role, and recorded.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from botocore.credentials import Credentials

from agent_rft_handler.facts import CATEGORIES, region_of
from agent_rft_local.signed_post import signed_post

TARGET = "SageMaker.AuthorizeServiceRun"

MLFLOW = (
    "CreateExperiment",
    "CreateRun",
    "EndTrace",
    "GetExperimentByName",
    "GetMetricHistory",
    "GetRun",
    "ListArtifacts",
    "LogBatch",
    "SearchTraces",
    "StartTrace",
    "UpdateRun",
)
INTERFACE = ("CreateNetworkInterfacePermission", "DeleteNetworkInterface", "DeleteNetworkInterfacePermission")
DESCRIBE = (
    "DescribeDhcpOptions",
    "DescribeNetworkInterfaces",
    "DescribeSecurityGroups",
    "DescribeSubnets",
    "DescribeVpcs",
)


@dataclass(frozen=True)
class Need:
    """One action of the service on one resource."""

    action: str
    resource: str
    context: dict[str, str] = field(default_factory=dict)


def needs(document: dict[str, Any], job_arn: str) -> list[Need]:
    """Everything that the document has the service do."""
    return [
        *_reads(document),
        *_agent(document["AgentConfig"]),
        *_writes(document["OutputDataConfig"], job_arn),
        *_packages(document.get("ModelPackageConfig", {})),
        *_model(document.get("TrainingConfig") or document["EvaluationConfig"]),
        *_tracks(document.get("TrainingConfig") or document["OutputDataConfig"]),
        *_logs(job_arn),
        *_network(document, job_arn),
    ]


def run(endpoint: str, keys: dict[str, str], wanted: list[Need]) -> list[Need]:
    """Asks the local AWS as the role whose keys these are; what it denies."""
    body = json.dumps([asdict(need) for need in wanted]).encode()
    headers = {"X-Amz-Target": TARGET, "Content-Type": "application/x-amz-json-1.1"}
    credentials = Credentials(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"])
    allowed = json.loads(signed_post(endpoint, credentials, "/", body, headers))
    return [need for need, is_allowed in zip(wanted, allowed, strict=True) if not is_allowed]


def _reads(document: dict[str, Any]) -> Iterator[Need]:
    for channel in document["InputDataConfig"]:
        source = channel["DataSource"]
        if "S3DataSource" in source:
            bucket, _, key = source["S3DataSource"]["S3Uri"].removeprefix("s3://").partition("/")
            yield Need("s3:ListBucket", f"arn:aws:s3:::{bucket}", {"s3:prefix": key})
            yield Need("s3:GetObject", f"arn:aws:s3:::{bucket}/{key if '.' in key else key + 'part.parquet'}")
        else:
            yield Need("sagemaker:DescribeHubContent", source["DatasetSource"]["DatasetArn"])


def _agent(agent: dict[str, Any]) -> Iterator[Need]:
    if function := agent.get("CustomAgentLambdaConfig"):
        yield Need("lambda:InvokeFunction", function["LambdaArn"])
        return
    runtime = agent["BedrockAgentCoreConfig"]
    arn, endpoint = runtime["AgentRuntimeArn"], runtime.get("Qualifier", "DEFAULT")
    yield Need("bedrock-agentcore:GetAgentRuntime", arn)
    for resource in (arn, f"{arn}/runtime-endpoint/{endpoint}"):
        yield Need("bedrock-agentcore:InvokeAgentRuntime", resource)
        yield Need("bedrock-agentcore:StopRuntimeSession", resource)


def _writes(output: dict[str, Any], job_arn: str) -> Iterator[Need]:
    path = output["S3OutputPath"].removeprefix("s3://")
    for action in ("s3:PutObject", "s3:GetObject"):
        yield Need(action, f"arn:aws:s3:::{path}/{job_arn.split('/')[-1]}/trajectories.jsonl")
    if key := output.get("KmsKeyArn"):
        through_s3 = {"kms:viaservice": f"s3.{region_of(key)}.amazonaws.com"}
        yield Need("kms:GenerateDataKey", key, through_s3)
        yield Need("kms:Decrypt", key, through_s3)
        yield Need("kms:DescribeKey", key)


def _packages(config: dict[str, str]) -> Iterator[Need]:
    for name in ("OutputModelPackageGroupArn", "IntermediateCheckpointModelPackageGroupArn"):
        if not (group := config.get(name)):
            continue
        package = f"{group.replace(':model-package-group/', ':model-package/')}/1"
        yield Need("sagemaker:DescribeModelPackageGroup", group)
        yield Need("sagemaker:CreateModelPackage", group)
        yield Need("sagemaker:CreateModelPackage", package)
        yield Need("sagemaker:DescribeModelPackage", package)
        yield Need("sagemaker:AccessModelPackage", package)
    if given := config.get("InputModelPackageArn"):
        yield Need("sagemaker:DescribeModelPackage", given)
        yield Need("sagemaker:AccessModelPackage", given)


def _model(config: dict[str, Any]) -> Iterator[Need]:
    model = config["BaseModelArn"]
    prefix, path = model.split(":hub-content/")
    hub, kind, name, *_version = path.split("/")
    yield Need("sagemaker:DescribeHubContent", f"{prefix}:hub-content/{hub}/{kind}/{name}")
    yield Need("sagemaker:DescribeHubContent", model)
    yield Need("sagemaker:DescribeHubContent", f"{prefix}:hub/{hub}")


def _tracks(config: dict[str, Any]) -> Iterator[Need]:
    app = config["MlflowConfig"]["MlflowResourceArn"]
    yield Need("sagemaker:DescribeMlflowApp", app)
    yield Need("sagemaker:CallMlflowAppApi", app)
    for action in MLFLOW:
        yield Need(f"sagemaker-mlflow:{action}", app)


def _logs(job_arn: str) -> Iterator[Need]:
    region, account = job_arn.split(":")[3:5]
    category = job_arn.split("/")[1]
    group = f"arn:aws:logs:{region}:{account}:log-group:{CATEGORIES[category].log_group_name}"
    for action in ("CreateLogGroup", "DescribeLogStreams"):
        yield Need(f"logs:{action}", group)
    for action in ("CreateLogStream", "PutLogEvents"):
        yield Need(f"logs:{action}", f"{group}:log-stream:{job_arn.split('/')[-1]}/training")


def _network(document: dict[str, Any], job_arn: str) -> Iterator[Need]:
    if "VpcConfig" not in document:
        return
    prefix = "arn:aws:ec2:{3}:{4}".format(*job_arn.split(":"))
    interface, vpc = f"{prefix}:network-interface/eni-1", document["VpcConfig"]
    places = [f"{prefix}:subnet/{each}" for each in vpc["Subnets"]]
    places += [f"{prefix}:security-group/{each}" for each in vpc["SecurityGroupIds"]]
    for resource in (interface, *places):
        yield Need("ec2:CreateNetworkInterface", resource)
    for action in INTERFACE:
        yield Need(f"ec2:{action}", interface)
    for action in DESCRIBE:
        yield Need(f"ec2:{action}", "*")
    yield Need("ec2:CreateTags", interface, {"ec2:createaction": "CreateNetworkInterface"})
