"""What the agent's role, the MLflow app's role and whoever the user names may do."""

from agent_rft.permissions.permission import (
    AGENT_ROLE,
    ENCRYPTION,
    EVERY_JOB,
    GRANTEE,
    MLFLOW_ROLE,
    RUNTIME_POLICY,
    SAR,
)

ANSWER_JOB = AGENT_ROLE.may(
    "sagemaker:CompleteRollout",
    "sagemaker:Sample",
    "sagemaker:SampleWithResponseStream",
    "sagemaker:UpdateReward",
    on=EVERY_JOB,
    reason="samples the model and reports rollouts and rewards to the job",
    source=RUNTIME_POLICY,
)
BEAR_TOKEN = AGENT_ROLE.may(
    "sagemaker:CallWithBearerToken",
    on="*",
    reason="signs in where the runtime is called with a bearer token; takes no narrower resource",
    source=RUNTIME_POLICY,
)
USE_KEY_AS_AGENT = AGENT_ROLE.may(
    "kms:Decrypt",
    "kms:GenerateDataKey",
    on="the jobs' customer key, through SageMaker (only with `kms_key`)",
    reason="reads and writes what the job encrypts",
    source=ENCRYPTION,
)
STORE_ARTIFACTS = MLFLOW_ROLE.may(
    "s3:GetObject",
    "s3:ListBucket",
    "s3:PutObject",
    on="the artifact bucket below its prefix",
    reason="keeps runs and artifacts",
    source="AWS docs: mlflow-create-app-prerequisites",
)
USE_STORE_KEY = MLFLOW_ROLE.may(
    "kms:Decrypt",
    "kms:GenerateDataKey",
    on="the artifact bucket's customer key, through S3 (only where it has one)",
    reason="reads and writes artifacts under the key",
    source="AWS docs: UsingKMSEncryption",
)
DESCRIBE_JOB = GRANTEE.may(
    "sagemaker:DescribeJob", "sagemaker:ListTags", on="the job", reason="reads a job", source=SAR
)
STOP_JOB = GRANTEE.may("sagemaker:StopJob", on="the job", reason="stops a job", source=SAR)
READ_GROUP = GRANTEE.may("sagemaker:DescribeModelPackageGroup", on="the group", reason="reads a group", source=SAR)
READ_PACKAGES = GRANTEE.may(
    "sagemaker:DescribeModelPackage",
    "sagemaker:ListModelPackages",
    on="the group's packages",
    reason="finds and reads the packages of a group",
    source=SAR,
)
REGISTER_PACKAGES = GRANTEE.may(
    "sagemaker:CreateModelPackage",
    on="the group and its packages",
    reason="registers a package in a group",
    source=SAR,
)
OPEN_APP = GRANTEE.may(
    "sagemaker:CreatePresignedMlflowAppUrl", on="the app", reason="opens the pages of an MLflow app", source=SAR
)
