"""What a trainer's stack holds, written out with plain aws-cdk-lib: the same resources, rights and properties."""

from typing import Any

from aws_cdk import CustomResource, Duration, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sagemaker as sagemaker

from agent_rft.provider.handler_function import handler_code

TRACKING = [
    *("sagemaker:CallMlflowAppApi", "sagemaker:DescribeMlflowApp"),
    *(
        f"sagemaker-mlflow:{each}"
        for each in (
            *("CreateExperiment", "CreateRun", "EndTrace", "GetExperimentByName", "GetMetricHistory", "GetRun"),
            *("ListArtifacts", "LogBatch", "SearchTraces", "StartTrace", "UpdateRun"),
        )
    ),
]


def declare(stack: Stack, count: int, *, model: str, runtime: str, dataset: str) -> None:
    """One bucket, role, two groups and one function; and a custom resource for each job."""
    bucket, groups = _bucket(stack), _groups(stack)
    role = _execution_role(stack, bucket, groups, model=model, runtime=runtime, dataset=dataset)
    function = _function(stack, role, model)
    for number in range(count):
        properties = {
            "JobCategory": "AgentRFT",
            "RoleArn": role.role_arn,
            "Model": model,
            "AgentEnv": runtime,
            "TrainingDataset": dataset,
            "S3OutputPath": f"s3://{bucket.bucket_name}/output",
            "OutputModelPackageGroup": groups[0].ref,
            "IntermediateCheckpointModelPackageGroup": groups[1].ref,
            "AcceptEula": "false",
            "BedrockAgentcoreQualifier": "DEFAULT",
            "Hyperparameters": {"max_epochs": "1", "max_steps": str(10 + number)},
            "Replacement": "refuse",
        }
        _job(stack, number, function, properties).node.add_dependency(role, bucket, function)


def _job(stack: Stack, number: int, function: lambda_.Function, properties: dict[str, Any]) -> CustomResource:
    return CustomResource(
        stack,
        f"Job{number}",
        service_token=function.function_arn,
        resource_type="Custom::AgentRFTJob",
        service_timeout=Duration.minutes(35),
        properties=properties,
    )


def _bucket(stack: Stack) -> s3.Bucket:
    return s3.Bucket(
        stack,
        "Output",
        encryption=s3.BucketEncryption.S3_MANAGED,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
        enforce_ssl=True,
        removal_policy=RemovalPolicy.RETAIN,
    )


def _groups(stack: Stack) -> list[Any]:
    groups = [
        sagemaker.CfnModelPackageGroup(stack, id, model_package_group_name=f"{stack.stack_name}-{id}")
        for id in ("Tuned", "Checkpoints")
    ]
    for group in groups:
        group.apply_removal_policy(RemovalPolicy.RETAIN)
    return groups


def _execution_role(
    stack: Stack, bucket: s3.Bucket, groups: list[Any], *, model: str, runtime: str, dataset: str
) -> iam.Role:
    role = iam.Role(
        stack,
        "ExecutionRole",
        assumed_by=iam.PrincipalWithConditions(
            iam.SessionTagsPrincipal(iam.ServicePrincipal("job.sagemaker.amazonaws.com")),
            {"StringEqualsIfExists": {"aws:SourceAccount": stack.account}},
        ),
        description="Assumed by SageMaker AgentRFT jobs",
    )
    _allow_to_read(role, stack, dataset)
    packages = [_sagemaker(stack, "model-package", f"{each.model_package_group_name}/*") for each in groups]
    agent = ("GetAgentRuntime", "InvokeAgentRuntime", "StopRuntimeSession")
    _allow(role, [f"bedrock-agentcore:{each}" for each in agent], [runtime, f"{runtime}/*"])
    _allow(role, ["s3:GetObject", "s3:PutObject"], [bucket.arn_for_objects("output/*")])
    _allow(role, ["sagemaker:DescribeHubContent"], _hub(stack, model))
    group_actions = ["sagemaker:DescribeModelPackageGroup", "sagemaker:CreateModelPackage"]
    _allow(role, group_actions, [each.ref for each in groups])
    verbs = ("AccessModelPackage", "CreateModelPackage", "DescribeModelPackage")
    _allow(role, [f"sagemaker:{each}" for each in verbs], packages)
    _allow(role, TRACKING, [_sagemaker(stack, "mlflow-app", "*")])
    logging = ("CreateLogGroup", "CreateLogStream", "DescribeLogStreams", "PutLogEvents")
    log_groups = stack.format_arn(service="logs", resource="log-group:/aws/sagemaker/Job/*")
    _allow(role, [f"logs:{each}" for each in logging], [log_groups])
    return role


def _allow_to_read(role: iam.Role, stack: Stack, dataset: str) -> None:
    data, _, key = dataset.removeprefix("s3://").partition("/")
    _allow(role, ["s3:GetObject"], [f"arn:{stack.partition}:s3:::{data}/{key}*"])
    _allow(role, ["s3:ListBucket"], [f"arn:{stack.partition}:s3:::{data}"], {"StringLike": {"s3:prefix": f"{key}*"}})


def _handler_role(stack: Stack, execution_role: iam.Role, model: str, log_group: logs.LogGroup) -> iam.Role:
    role = iam.Role(stack, "HandlerRole", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
    jobs, tag = _sagemaker(stack, "job", "AgentRFT/*"), "cdk-agent-rft:stack-id"
    declared = {"StringEquals": {f"aws:RequestTag/{tag}": stack.stack_id}}
    own = {"StringEquals": {f"aws:ResourceTag/{tag}": stack.stack_id}}
    foreign = {"StringNotEquals": {"s3:ResourceAccount": stack.account}}
    to_jobs = {"StringEquals": {"iam:PassedToService": "job.sagemaker.amazonaws.com"}}
    _allow(role, ["logs:CreateLogStream", "logs:PutLogEvents"], [log_group.log_group_arn])
    _allow(role, ["sagemaker:AddTags", "sagemaker:CreateJob"], [jobs], declared)
    _allow(role, ["sagemaker:DescribeJob", "sagemaker:ListTags"], [jobs])
    _allow(role, ["sagemaker:AddTags", "sagemaker:DeleteTags", "sagemaker:StopJob"], [jobs], own)
    _allow(role, ["sagemaker:ListJobs", "sagemaker:ListMlflowApps"], ["*"])
    _allow(role, ["s3:GetObject"], [f"arn:{stack.partition}:s3:::*/*"], foreign)
    _allow(role, ["cloudformation:DescribeStackResource", "cloudformation:DescribeStacks"], [stack.stack_id])
    _allow(role, ["iam:PassRole"], [execution_role.role_arn], to_jobs)
    _allow(role, ["sagemaker:DescribeHubContent"], _hub(stack, model))
    _allow(role, ["sagemaker:ListHubContents"], _hub(stack, model)[:1])
    return role


def _function(stack: Stack, execution_role: iam.Role, model: str) -> lambda_.Function:
    log_group = logs.LogGroup(
        stack, "Logs", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
    )
    return lambda_.Function(
        stack,
        "Handler",
        runtime=lambda_.Runtime.PYTHON_3_14,
        handler="agent_rft_handler.index.handler",
        code=handler_code(),
        timeout=Duration.minutes(10),
        memory_size=256,
        role=_handler_role(stack, execution_role, model, log_group),
        log_group=log_group,
        environment={"AGENT_RFT_STACK_ID": stack.stack_id},
    )


def _allow(role: iam.Role, actions: list[str], resources: list[str], conditions: dict[str, Any] | None = None) -> None:
    role.add_to_policy(iam.PolicyStatement(actions=actions, resources=resources, conditions=conditions or {}))


def _hub(stack: Stack, model: str) -> list[str]:
    public = f"arn:{stack.partition}:sagemaker:{stack.region}:aws"
    content = f"{public}:hub-content/SageMakerPublicHub/Model/{model}"
    return [f"{public}:hub/SageMakerPublicHub", content, f"{content}/*"]


def _sagemaker(stack: Stack, resource: str, name: str) -> str:
    return stack.format_arn(service="sagemaker", resource=resource, resource_name=name)
