"""What the execution role may do, which the job assumes."""

from agent_rft.permissions.permission import ENCRYPTION, EXECUTION_ROLE, JOB_POLICY

READ_DATA = EXECUTION_ROLE.may(
    "s3:GetObject", on="the datasets' prefixes", reason="reads the prompts", source=JOB_POLICY
)
LIST_DATA = EXECUTION_ROLE.may(
    "s3:ListBucket",
    on="the datasets' buckets, by prefix",
    reason="finds the objects under a dataset's prefix",
    source=JOB_POLICY,
)
WRITE_OUTPUT = EXECUTION_ROLE.may(
    "s3:GetObject",
    "s3:PutObject",
    on="below the output prefix",
    reason="writes output and reads its own back",
    source=JOB_POLICY,
)
READ_DATA_KEY = EXECUTION_ROLE.may(
    "kms:Decrypt", on="the keys of datasets, through S3", reason="reads the prompts under the key", source=ENCRYPTION
)
USE_KEY = EXECUTION_ROLE.may(
    "kms:Decrypt",
    "kms:GenerateDataKey",
    on="kms_key and the output bucket's key, through S3",
    reason="writes output under the key and reads its own back",
    source=ENCRYPTION,
)
DESCRIBE_KEY = EXECUTION_ROLE.may("kms:DescribeKey", on="kms_key", reason="checks the key", source=ENCRYPTION)
READ_HUB = EXECUTION_ROLE.may(
    "sagemaker:DescribeHubContent",
    on="the model and its hub, as for the handler; DataSets given by ARN",
    reason="reads the base model and DataSets",
    source=JOB_POLICY,
)
USE_GROUPS = EXECUTION_ROLE.may(
    "sagemaker:DescribeModelPackageGroup",
    "sagemaker:CreateModelPackage",
    on="the two groups",
    reason="registers packages",
    source=JOB_POLICY,
)
USE_PACKAGES = EXECUTION_ROLE.may(
    "sagemaker:AccessModelPackage",
    "sagemaker:CreateModelPackage",
    "sagemaker:DescribeModelPackage",
    on="packages of the two groups",
    reason="writes checkpoints and the tuned model, and reads them back",
    source=JOB_POLICY,
)
USE_INPUT_PACKAGE = EXECUTION_ROLE.may(
    "sagemaker:AccessModelPackage",
    "sagemaker:DescribeModelPackage",
    on="the package that training continues from (only when the output goes elsewhere), or that is evaluated",
    reason="reads the package that training continues from, or that is evaluated",
    source=JOB_POLICY,
)
TRACK = EXECUTION_ROLE.may(
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
    on="the app, or every app of the account when it is found at deploy",
    reason="logs metrics and traces to the MLflow app",
    source=JOB_POLICY,
)
INVOKE_RUNTIME = EXECUTION_ROLE.may(
    "bedrock-agentcore:GetAgentRuntime",
    "bedrock-agentcore:InvokeAgentRuntime",
    "bedrock-agentcore:StopRuntimeSession",
    on="the runtime's ARN and what is below it",
    reason="sends rollouts to the agent; invoking an endpoint is checked on the ARN below the runtime's",
    source=JOB_POLICY,
)
INVOKE_FUNCTION = EXECUTION_ROLE.may(
    "lambda:InvokeFunction",
    on="the function; with a version or alias, exactly that one",
    reason="sends rollouts to the agent's function",
    source=JOB_POLICY,
)
LOG = EXECUTION_ROLE.may(
    "logs:CreateLogGroup",
    "logs:CreateLogStream",
    "logs:DescribeLogStreams",
    "logs:PutLogEvents",
    on="/aws/sagemaker/Job/*",
    reason="writes the job's logs",
    source=JOB_POLICY,
)
CREATE_INTERFACE = EXECUTION_ROLE.may(
    "ec2:CreateNetworkInterface",
    on="network interfaces, the job's subnets and security groups (only with a VPC)",
    reason="attaches the job to the VPC",
    source=JOB_POLICY,
)
USE_INTERFACE = EXECUTION_ROLE.may(
    "ec2:CreateNetworkInterfacePermission",
    "ec2:DeleteNetworkInterface",
    "ec2:DeleteNetworkInterfacePermission",
    on="network interfaces (only with a VPC)",
    reason="hands the interfaces to the job and takes them away; their ids are only known when the job runs",
    source=JOB_POLICY,
)
DESCRIBE_NETWORK = EXECUTION_ROLE.may(
    "ec2:DescribeDhcpOptions",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcs",
    on="* (only with a VPC)",
    reason="looks at the VPC; EC2 takes no narrower resource for these",
    source=JOB_POLICY,
)
TAG_INTERFACE = EXECUTION_ROLE.may(
    "ec2:CreateTags",
    on="network interfaces, when they are created (only with a VPC)",
    reason="tags the network interfaces it creates",
    source=JOB_POLICY,
)
