"""The forms that a text may have: names, ARNs, URIs and ids, each with its source."""

import re
from dataclasses import dataclass

CREATE_JOB = "botocore: sagemaker CreateJob"
SDK = "sagemaker-train 1.27.0: MultiTurnRLTrainer"


@dataclass(frozen=True)
class Fact:
    """A string form: who says so, in which words, and the pattern that a literal must match as a whole.

    ``shape`` names botocore's shape where one exists ("service.Shape"); a test compares the two.
    """

    id: str
    sentence: str
    pattern: str
    source: str
    example: str
    shape: str = ""
    max_length: int = 0

    def accepts(self, value: str) -> bool:
        """Whether the whole of ``value`` has this form."""
        return not (self.max_length and len(value) > self.max_length) and bool(re.fullmatch(self.pattern, value))


_ARN = r"arn:aws[a-z-]*"
_REGION_ACCOUNT = r"[a-z0-9-]+:[0-9]{12}"
_NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"

JOB_NAME = Fact(
    "JobName",
    "a job name: letters, digits and inner hyphens, at most 63",
    _NAME,
    CREATE_JOB,
    "qwen3-32b-mtrl-1a2b3c4d5e6f",
    "sagemaker.JobName",
    63,
)
JOB_ARN = Fact(
    "JobArn",
    "the ARN of a job",
    rf"{_ARN}:sagemaker:{_REGION_ACCOUNT}:job/[a-zA-Z0-9]+/{_NAME}",
    CREATE_JOB,
    "arn:aws:sagemaker:us-west-2:111122223333:job/AgentRFT/qwen3-32b-mtrl-1a2b3c4d5e6f",
    "sagemaker.JobArn",
    256,
)
ROLE_ARN = Fact(
    "RoleArn",
    "the ARN of an IAM role",
    rf"{_ARN}:iam::\d{{12}}:role/?[a-zA-Z_0-9+=,.@\-_/]+",
    CREATE_JOB,
    "arn:aws:iam::111122223333:role/rft",
    "sagemaker.RoleArn",
    2048,
)
ROLE_NAME = Fact(
    "RoleName",
    "the name of an IAM role",
    r"[\w+=,.@-]{1,64}",
    "botocore: iam CreateRole",
    "rft",
    "iam.roleNameType",
    64,
)
AGENT_RUNTIME_ARN = Fact(
    "AgentRuntimeArn",
    "the ARN of an AgentCore runtime, optionally ending /runtime-endpoint/NAME",
    rf"{_ARN}:bedrock-agentcore:{_REGION_ACCOUNT}:runtime/[A-Za-z0-9_-]+(/runtime-endpoint/[a-zA-Z][a-zA-Z0-9_]{{0,47}})?",
    SDK,
    "arn:aws:bedrock-agentcore:us-west-2:111122223333:runtime/my-AbCdEfGhIj",
)
AGENT_RUNTIME_ID = Fact(
    "AgentRuntimeId",
    "the id of an AgentCore runtime",
    r"[A-Za-z][A-Za-z0-9_]{0,99}-[A-Za-z0-9]{10}",
    SDK,
    "my-AbCdEfGhIj",
    "bedrock-agentcore-control.AgentRuntimeId",
)
QUALIFIER = Fact(
    "Qualifier",
    "the name of a runtime endpoint: a letter, then letters, digits and underscores, at most 48",
    r"[a-zA-Z][a-zA-Z0-9_]{0,47}",
    "botocore: bedrock-agentcore-control GetAgentRuntimeEndpoint",
    "PROD",
    "bedrock-agentcore-control.EndpointName",
    48,
)
LAMBDA_ARN = Fact(
    "LambdaArn",
    "the ARN of a Lambda function, optionally with :version or :alias",
    rf"{_ARN}:lambda:{_REGION_ACCOUNT}:function:[A-Za-z0-9-_.]+(:\$LATEST|:[A-Za-z0-9-_]+)?",
    SDK,
    "arn:aws:lambda:us-west-2:111122223333:function:agent:prod",
)
FUNCTION_NAME = Fact(
    "FunctionName",
    "the name of a Lambda function: letters, digits, hyphens and underscores, at most 64",
    r"[a-zA-Z0-9_-]{1,64}",
    "AWS docs: API_CreateFunction",
    "agent",
    max_length=64,
)
S3_URI = Fact(
    "S3Uri",
    "an S3 URI: s3://BUCKET/PREFIX",
    r"s3://[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9_](/[^\r\n]*)?",
    SDK,
    "s3://my-data/prompts/train.parquet",
)
STOPPING_CONDITION = Fact(
    "StoppingCondition",
    "a number of seconds from 1 to 259200 (72 hours)",
    r"[1-9][0-9]{0,4}|1[0-9]{5}|2[0-4][0-9]{4}|25[0-8][0-9]{3}|259[01][0-9]{2}|259200",
    "sagemaker-train 1.27.0: MultiTurnRLEvaluator",
    "86400",
)
DATA_SET_ARN = Fact(
    "DataSetArn",
    "the ARN of a DataSet in a SageMaker hub",
    rf"{_ARN}:sagemaker:[a-z0-9-]+:(?:[0-9]{{12}}|aws):hub-content/[^/]+/DataSet/[^/]+(/[0-9.]+)?",
    "AWS docs: model-customize-mtrl-assets",
    "arn:aws:sagemaker:us-west-2:111122223333:hub-content/Hub/DataSet/prompts/1.0.0",
)
HUB_CONTENT_NAME = Fact(
    "HubContentName",
    "the name of a model in the hub: letters, digits and inner hyphens, at most 63",
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
    "botocore: sagemaker DescribeHubContent",
    "huggingface-reasoning-qwen3-32b",
    "sagemaker.HubContentName",
    63,
)
HUB_CONTENT_ARN = Fact(
    "HubContentArn",
    "the ARN of a model in a hub, with or without its version",
    rf"{_ARN}:sagemaker:[a-z0-9-]+:(?:[0-9]{{12}}|aws):hub-content/[^/]+/(Model|ModelReference)/[^/]+(/[0-9.]+)?",
    "AWS docs: model-customize-mtrl-evaluation",
    "arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/huggingface-reasoning-qwen3-32b/1.0.0",
)
MODEL_PACKAGE_ARN = Fact(
    "ModelPackageArn",
    "the ARN of a model package",
    rf"{_ARN}:sagemaker:{_REGION_ACCOUNT}:model-package/[\S]{{1,2048}}",
    SDK,
    "arn:aws:sagemaker:us-west-2:111122223333:model-package/tuned/1",
)
MODEL_PACKAGE_GROUP_NAME = Fact(
    "ModelPackageGroupName",
    "a model package group name: letters, digits and inner hyphens, at most 63",
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
    "botocore: sagemaker CreateModelPackageGroup",
    "wordle-agents",
    "sagemaker.EntityName",
    63,
)
MODEL_PACKAGE_GROUP_ARN = Fact(
    "ModelPackageGroupArn",
    "the ARN of a model package group",
    rf"{_ARN}:sagemaker:{_REGION_ACCOUNT}:model-package-group/{_NAME}",
    "AWS docs: model-customize-mtrl-job",
    "arn:aws:sagemaker:us-west-2:111122223333:model-package-group/wordle-agents",
)
MLFLOW_APP_ARN = Fact(
    "MlflowResourceArn",
    "the ARN of an MLflow app, not of a tracking server",
    rf"{_ARN}:sagemaker:{_REGION_ACCOUNT}:mlflow-app/[^/]+",
    SDK,
    "arn:aws:sagemaker:us-west-2:111122223333:mlflow-app/app-ABCDEF123456",
    max_length=128,
)
KMS_KEY_ARN = Fact(
    "KmsKeyArn",
    "the ARN of a KMS key (aliases and bare ids are not documented to work)",
    rf"{_ARN}:kms:{_REGION_ACCOUNT}:key/[A-Za-z0-9-]+",
    "AWS docs: model-customize-mtrl-encryption-at-rest",
    "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
)
SECURITY_GROUP_ID = Fact(
    "SecurityGroupId",
    "the id of a security group",
    r"sg-[0-9a-zA-Z]+",
    "AWS docs: model-customize-mtrl-vpc",
    "sg-0123456789abcdef0",
    max_length=32,
)
SUBNET_ID = Fact(
    "SubnetId",
    "the id of a subnet",
    r"subnet-[0-9a-zA-Z]+",
    "AWS docs: model-customize-mtrl-vpc",
    "subnet-0123456789abcdef0",
    max_length=32,
)
HYPERPARAMETER_VALUE = Fact(
    "HyperParameterValue",
    "text of letters, digits, spaces and / _ . : , - ' \" [ ]",
    r"[A-Za-z0-9/_.:,\-'\"\[\]\s]+",
    "sagemaker-train 1.27.0: FineTuningOptions",
    "2e-05",
)

MLFLOW_APP_NAME = Fact(
    "MlflowAppName",
    "an MLflow app name: letters, digits and inner hyphens, at most 256",
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,255}",
    "botocore: sagemaker CreateMlflowApp",
    "wordle",
    "sagemaker.MlflowAppName",
    256,
)
BASE_JOB_NAME = Fact(
    "BaseJobName",
    "the start of a job name: letters, digits and inner hyphens or underscores, at most 63",
    r"[a-zA-Z0-9]([-_]*[a-zA-Z0-9]){0,62}",
    SDK,
    "wordle",
    max_length=63,
)

ALL = tuple(fact for fact in list(globals().values()) if isinstance(fact, Fact))
