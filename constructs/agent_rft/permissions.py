"""Every IAM action that the library grants, once, with its reason and source. docs/iam.md is made from this file."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import aws_iam as iam

JOB_POLICY = "managed policy AmazonSageMakerJobFullAccess v1"
CALLER = "AWS docs: model-customize-mtrl-prereqs"
SAR = "service authorization reference: Amazon SageMaker"
ENCRYPTION = "AWS docs: model-customize-mtrl-encryption-at-rest"


@dataclass(frozen=True)
class Permission:
    """Actions that are granted together.

    Args:
        actions: The IAM actions.
        reason: What the role does with them.
        source: Who says that they are needed.
    """

    actions: tuple[str, ...]
    reason: str
    source: str


# The execution role, which the job assumes.
READ_DATA = Permission(("s3:GetObject",), "reads the prompts", JOB_POLICY)
LIST_DATA = Permission(("s3:ListBucket",), "finds the objects under a dataset's prefix", JOB_POLICY)
WRITE_OUTPUT = Permission(("s3:GetObject", "s3:PutObject"), "writes output and reads its own back", JOB_POLICY)
USE_KEY = Permission(("kms:Decrypt", "kms:GenerateDataKey"), "reads and writes S3 objects under the key", ENCRYPTION)
USE_INPUT_PACKAGE = Permission(
    ("sagemaker:AccessModelPackage", "sagemaker:DescribeModelPackage"),
    "reads the package that training continues from",
    JOB_POLICY,
)
DESCRIBE_KEY = Permission(("kms:DescribeKey",), "checks the key", ENCRYPTION)
READ_HUB = Permission(("sagemaker:DescribeHubContent",), "reads the base model and DataSets", JOB_POLICY)
USE_GROUPS = Permission(
    ("sagemaker:DescribeModelPackageGroup", "sagemaker:CreateModelPackage"), "registers packages", JOB_POLICY
)
USE_PACKAGES = Permission(
    ("sagemaker:AccessModelPackage", "sagemaker:CreateModelPackage", "sagemaker:DescribeModelPackage"),
    "writes checkpoints and the tuned model, and reads them back",
    JOB_POLICY,
)
TRACK = Permission(
    (
        "sagemaker:CallMlflowAppApi",
        "sagemaker:DescribeMlflowApp",
        "sagemaker-mlflow:CreateExperiment",
        "sagemaker-mlflow:CreateRun",
        "sagemaker-mlflow:EndTrace",
        "sagemaker-mlflow:GetExperimentByName",
        "sagemaker-mlflow:GetMetricHistory",
        "sagemaker-mlflow:GetRun",
        "sagemaker-mlflow:ListArtifacts",
        "sagemaker-mlflow:LogBatch",
        "sagemaker-mlflow:SearchTraces",
        "sagemaker-mlflow:StartTrace",
        "sagemaker-mlflow:UpdateRun",
    ),
    "logs metrics and traces to the MLflow app",
    JOB_POLICY,
)
INVOKE_RUNTIME = Permission(
    (
        "bedrock-agentcore:GetAgentRuntime",
        "bedrock-agentcore:InvokeAgentRuntime",
        "bedrock-agentcore:StopRuntimeSession",
    ),
    "sends rollouts to the agent; invoking an endpoint is checked on the ARN below the runtime's",
    JOB_POLICY,
)
INVOKE_FUNCTION = Permission(("lambda:InvokeFunction",), "sends rollouts to the agent's function", JOB_POLICY)
LOG = Permission(
    ("logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"),
    "writes the job's logs",
    JOB_POLICY,
)
CREATE_INTERFACE = Permission(("ec2:CreateNetworkInterface",), "attaches the job to the VPC", JOB_POLICY)
USE_INTERFACE = Permission(
    (
        "ec2:CreateNetworkInterfacePermission",
        "ec2:DeleteNetworkInterface",
        "ec2:DeleteNetworkInterfacePermission",
    ),
    "hands the interfaces to the job and takes them away; their ids are only known when the job runs",
    JOB_POLICY,
)
DESCRIBE_NETWORK = Permission(
    (
        "ec2:DescribeDhcpOptions",
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeSubnets",
        "ec2:DescribeVpcs",
    ),
    "looks at the VPC; EC2 takes no narrower resource for these",
    JOB_POLICY,
)
TAG_INTERFACE = Permission(("ec2:CreateTags",), "tags the network interfaces it creates", JOB_POLICY)

# The handler's role, which calls the API when the stack deploys.
SUBMIT_JOBS = Permission(
    ("sagemaker:AddTags", "sagemaker:CreateJob"), "submits a job with tags that say it is this stack's", SAR
)
FIND_JOBS = Permission(
    ("sagemaker:DescribeJob", "sagemaker:ListTags"), "sees whether a job is there and whose it is", CALLER
)
CHANGE_JOBS = Permission(
    ("sagemaker:AddTags", "sagemaker:DeleteTags", "sagemaker:StopJob"), "stops and tags the stack's own jobs", SAR
)
LIST_JOBS = Permission(
    ("sagemaker:ListJobs",), "finds earlier attempts, and what uses up the quota; takes no narrower resource", SAR
)
LIST_APPS = Permission(
    ("sagemaker:ListMlflowApps",), "finds the account's app when none is declared; takes no narrower resource", SAR
)
LOOK_UP_MODEL = Permission(("sagemaker:DescribeHubContent",), "finds the model and its recipe", CALLER)
LIST_MODELS = Permission(("sagemaker:ListHubContents",), "names close models when one is not found", SAR)
LOOK_UP_PACKAGE = Permission(("sagemaker:DescribeModelPackage",), "finds the base model of a package", CALLER)
LOOK_UP_RUNTIME = Permission(("bedrock-agentcore:GetAgentRuntime",), "finds the ARN of a bare runtime id", CALLER)
READ_RECIPE = Permission(
    ("s3:GetObject",),
    "reads the recipe's hyperparameter table; the hub says at deploy in which bucket of AWS's it lies",
    "sagemaker-train 1.27.0: recipe_utils",
)
READ_STACK = Permission(
    ("cloudformation:DescribeStackResource", "cloudformation:DescribeStacks"),
    "sees whether its own stack goes back, and by which job it knows a resource",
    "docs/lifecycle.md",
)
MAKE_GROUP = Permission(
    ("sagemaker:AddTags", "sagemaker:CreateModelPackageGroup", "sagemaker:DeleteTags"),
    "makes and tags a group with managed storage, which CloudFormation cannot",
    SAR,
)
READ_GROUPS = Permission(
    ("sagemaker:DescribeModelPackageGroup", "sagemaker:ListTags"), "sees whether a group is there and whose it is", SAR
)
DELETE_GROUPS = Permission(("sagemaker:DeleteModelPackageGroup",), "deletes the stack's own groups", SAR)
PASS_ROLE = Permission(("iam:PassRole",), "hands the execution role to the job", CALLER)
GRANT_KEY = Permission(("kms:CreateGrant",), "the service makes grants with the caller's credentials", ENCRYPTION)
LOOK_UP_KEY = Permission(("kms:DescribeKey",), "the service checks the key with the caller's credentials", ENCRYPTION)

WRITE_LOGS = Permission(
    ("logs:CreateLogStream", "logs:PutLogEvents"),
    "a function writes to its own log group",
    "AWS docs: lambda-monitoring",
)

# Whoever the user names.
DESCRIBE_JOB = Permission(("sagemaker:DescribeJob", "sagemaker:ListTags"), "reads a job", SAR)
STOP_JOB = Permission(("sagemaker:StopJob",), "stops a job", SAR)

# The agent's role: the runtime's, or the function's.
ANSWER_JOB = Permission(
    (
        "sagemaker:CompleteRollout",
        "sagemaker:Sample",
        "sagemaker:SampleWithResponseStream",
        "sagemaker:UpdateReward",
    ),
    "samples the model and reports rollouts and rewards to the job",
    "managed policy AmazonSageMakerJobRuntimeAccess v2",
)
BEAR_TOKEN = Permission(
    ("sagemaker:CallWithBearerToken",),
    "signs in where the runtime is called with a bearer token; takes no narrower resource",
    "managed policy AmazonSageMakerJobRuntimeAccess v2",
)

# The MLflow app's role.
STORE_ARTIFACTS = Permission(
    ("s3:GetObject", "s3:ListBucket", "s3:PutObject"),
    "keeps runs and artifacts",
    "AWS docs: mlflow-create-app-prerequisites",
)


def statement(
    permission: Permission, *resources: str, conditions: Mapping[str, Mapping[str, object]] | None = None
) -> iam.PolicyStatement:
    """The permission on exactly these resources."""
    return iam.PolicyStatement(actions=list(permission.actions), resources=list(resources), conditions=conditions)
