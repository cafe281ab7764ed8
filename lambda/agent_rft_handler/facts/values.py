"""Names, limits and enumerations of the API and the SDK, each with its source."""

from enum import StrEnum

SCHEMA_VERSION = "1.0.0"
"""JobConfigSchemaVersion: the SDK's constant [sagemaker-train 1.27.0]."""

DOCUMENT_MAX_LENGTH = 262_144
"""Characters in JobConfigDocument [botocore: sagemaker JobConfigDocument]."""

TAGS_MAX = 50
"""Tags of one job [botocore: sagemaker CreateJobRequest.Tags]."""

TAG_KEY_MAX_LENGTH, TAG_VALUE_MAX_LENGTH = 128, 256
"""[botocore: sagemaker TagKey, TagValue]"""

TAG_TEXT = r"[\w\s.:/=+\-@]*"
"""[botocore: sagemaker TagKey, TagValue: letters, separators and numbers of any script, and _ . : / = + - @]"""

SUBNETS_MAX, SECURITY_GROUPS_MAX = 16, 5
"""Of one job [botocore: sagemaker Subnets, VpcSecurityGroupIds]."""

ROLE_PATHS = {
    "AmazonSageMaker-ExecutionRole-": "/service-role/",
    "AmazonSageMakerServiceCatalogProducts": "/service-role/",
    "AWSServiceRoleFor": "/aws-service-role/",
}
"""How names of roles begin that AWS's own consoles and services make, and the path below which they lie [AWS docs:
sagemaker-roles, using-service-linked-roles]."""

HYPERPARAMETERS_MAX = 50
"""[sagemaker-train 1.27.0: MAX_HYPERPARAMETERS]"""

JOB_STATUSES = ("InProgress", "Completed", "Failed", "Stopping", "Stopped", "Deleting", "DeleteFailed")
"""[botocore: sagemaker JobStatus]"""

TERMINAL_STATUSES = ("Completed", "Failed", "Stopped")
"""A job in one of these never runs again [sagemaker-train 1.27.0: job_wait]."""


class ManagedStorageType(StrEnum):
    """Who stores a group's packages, where not the account itself [botocore: sagemaker ManagedStorageType]."""

    RESTRICTED = "Restricted"
    """Storage of AWS's, which a job of a Nova model needs."""


PUBLIC_HUB = "SageMakerPublicHub"
JOB_PRINCIPAL = "job.sagemaker.amazonaws.com"
"""The service that assumes the execution role [AWS docs: model-customize-mtrl-prereqs]."""

MODEL_ALIASES = {
    "amazon.nova-2-lite-v1": "nova-textgeneration-lite-v2",
    "amazon.nova-lite-v1": "nova-textgeneration-lite",
    "amazon.nova-pro-v1": "nova-textgeneration-pro",
    "amazon.nova-micro-v1": "nova-textgeneration-micro",
}
"""Bedrock's names for models of the hub [sagemaker-train 1.27.0: model_aliases]."""

REGIONS = ("us-east-1", "us-west-2", "ap-northeast-1", "eu-west-1")
NOVA_REGIONS = ("us-east-1", "us-west-2")
"""Where the SDK lets jobs run [sagemaker-train 1.27.0: finetune_utils]; the list moves, so another only warns."""

MLFLOW_MINIMUM_VERSION = (3, 10)
"""[sagemaker-train 1.27.0: _resolve_mlflow_resource_arn]"""

STOPPING_CONDITION_DEFAULT = 86_400
"""Seconds after which an evaluation is stopped [sagemaker-train 1.27.0: MultiTurnRLEvaluator]."""

DEFAULT_QUALIFIER = "DEFAULT"
"""[sagemaker-train 1.27.0: bedrock_agentcore_qualifier]"""

LAMBDA_TIMEOUT_MAX, LAMBDA_TIMEOUT_DEFAULT = 900, 3
"""Seconds that a Lambda function has at most, and when nothing is said [AWS docs: configuration-timeout]."""

AGENT_TIMEOUT = 600
"""Seconds that an agent's function should have, and a rollout has by default [AWS docs: model-customize-mtrl-agent]."""

INLINE_POLICIES_MAX_SIZE = 10_240
"""Characters of all inline policies of a role together, without white space [AWS docs: IAM, reference_iam-quotas]."""

MANAGED_POLICY_MAX_SIZE = 6_144
"""Characters of a managed policy, without white space [AWS docs: IAM, reference_iam-quotas]."""

MANAGED_POLICIES_DEFAULT, MANAGED_POLICIES_MAX = 10, 25
"""Managed policies of a role: the quota, and what it can be raised to [AWS docs: IAM, reference_iam-quotas]."""

OWN_TAG_PREFIX = "cdk-agent-rft:"

OWN_TAGS = {
    "stack": f"{OWN_TAG_PREFIX}stack-id",
    "resource": f"{OWN_TAG_PREFIX}logical-id",
    "request": f"{OWN_TAG_PREFIX}request-id",
    "predecessor": f"{OWN_TAG_PREFIX}predecessor",
}
"""Tags that say whose job it is, which request of CloudFormation's submitted it, and which job came before it."""

MODEL_TAG, HUB_TAG = "sagemaker-sdk:jumpstart-model-id", "sagemaker-sdk:jumpstart-hub-name"
"""What the SDK tags a job with; sent while there is room beside the user's own [sagemaker-train 1.27.0]."""

ACCESS_POINT_ARN = "arn:"
"""How the ARN of an access point starts, which S3 takes in a bucket's place."""

RESERVED_SUFFIXES = {
    "-s3alias": "the alias of an access point",
    "--ol-s3": "the alias of an S3 Object Lambda access point",
    ".mrap": "the alias of a multi-region access point",
    "--op-s3": "the alias of an access point of S3 on Outposts",
    "--x-s3": "a directory bucket",
    "--table-s3": "a table bucket",
}
"""How names end that stand in a bucket's place and are none: what they name has other ARNs or actions in IAM [AWS docs:
bucket naming rules; access points and s3express in the service authorization reference]."""


def region_of(arn: str) -> str:
    """The region in an ARN, or nothing where it has none."""
    return arn.split(":")[3] if arn.count(":") >= 5 else ""


def account_of(arn: str) -> str:
    """The account in an ARN, or nothing where it has none."""
    return arn.split(":")[4] if arn.count(":") >= 5 else ""


def endpoint_of(agent_env: str) -> str:
    """The endpoint in an AgentCore ARN that ends ``/runtime-endpoint/NAME``, or nothing."""
    return agent_env.partition("/runtime-endpoint/")[2]


def is_nova(model: str) -> bool:
    """Whether the hub content is a Nova model [sagemaker-train 1.27.0: _is_nova_model]."""
    return "nova" in model.lower()


def kind_of_bucket(name: str) -> str:
    """What the name is of, in words; empty for a general purpose bucket."""
    if name.startswith(ACCESS_POINT_ARN):
        return "the ARN of an access point"
    return next((kind for suffix, kind in RESERVED_SUFFIXES.items() if name.endswith(suffix)), "")
