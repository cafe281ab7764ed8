"""What the handler's role may do, with which the function calls the API when the stack deploys."""

from agent_rft.permissions.permission import CALLER, ENCRYPTION, EVERY_JOB, HANDLER_ROLE, SAR

SUBMIT_JOBS = HANDLER_ROLE.may(
    "sagemaker:AddTags",
    "sagemaker:CreateJob",
    on=f"{EVERY_JOB}, tagged with the stack's id",
    reason="submits a job with tags that say it is this stack's",
    source=SAR,
)
FIND_JOBS = HANDLER_ROLE.may(
    "sagemaker:DescribeJob",
    "sagemaker:ListTags",
    on=EVERY_JOB,
    reason="sees whether a job is there and whose it is",
    source=CALLER,
)
CHANGE_JOBS = HANDLER_ROLE.may(
    "sagemaker:AddTags",
    "sagemaker:DeleteTags",
    "sagemaker:StopJob",
    on="those of them that carry the stack's id as a tag",
    reason="stops and tags the stack's own jobs",
    source=SAR,
)
LIST_JOBS = HANDLER_ROLE.may(
    "sagemaker:ListJobs",
    on="*",
    reason="finds earlier attempts, and what uses up the quota; takes no narrower resource",
    source=SAR,
)
LIST_APPS = HANDLER_ROLE.may(
    "sagemaker:ListMlflowApps",
    on="* (only without `mlflow_app`)",
    reason="finds the account's app when none is declared; takes no narrower resource",
    source=SAR,
)
LOOK_UP_MODEL = HANDLER_ROLE.may(
    "sagemaker:DescribeHubContent",
    on="the model and its hub; any model of the public hub for a package, any at all for a token",
    reason="finds the model and its recipe",
    source=CALLER,
)
LIST_MODELS = HANDLER_ROLE.may(
    "sagemaker:ListHubContents", on="the model's hub", reason="names close models when one is not found", source=SAR
)
LOOK_UP_PACKAGE = HANDLER_ROLE.may(
    "sagemaker:DescribeModelPackage",
    on="the model package, or those of the group (only when training continues from one)",
    reason="finds the base model of a package",
    source=CALLER,
)
LIST_PACKAGES = HANDLER_ROLE.may(
    "sagemaker:ListModelPackages",
    on="the packages of the group (only when training continues from a group's newest)",
    reason="finds the newest package of a group",
    source=SAR,
)
LOOK_UP_RUNTIME = HANDLER_ROLE.may(
    "bedrock-agentcore:GetAgentRuntime",
    on="the AgentCore runtime (only for a bare id)",
    reason="finds the ARN of a bare runtime id",
    source=CALLER,
)
READ_RECIPE = HANDLER_ROLE.may(
    "s3:GetObject",
    on="objects of other accounts' buckets (which must let it in, too); never the own account's",
    reason="reads the recipe's hyperparameter table; the hub says at deploy in which bucket of AWS's it lies",
    source="sagemaker-train 1.27.0: recipe_utils",
)
READ_STACK = HANDLER_ROLE.may(
    "cloudformation:DescribeStackResource",
    "cloudformation:DescribeStacks",
    on="its own stack",
    reason="sees whether its own stack goes back, and by which job it knows a resource",
    source="docs/lifecycle.md",
)
WRITE_LOGS = HANDLER_ROLE.may(
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    on="its own log group",
    reason="a function writes to its own log group",
    source="AWS docs: lambda-monitoring",
)
ATTACH_FUNCTION = HANDLER_ROLE.may(
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
    on="* (only with `JobProvider(vpc=...)`)",
    reason="Lambda attaches the function to the VPC with them; it checks them on every resource",
    source="AWS docs: Lambda, configuration-vpc",
)
MAKE_GROUP = HANDLER_ROLE.may(
    "sagemaker:AddTags",
    "sagemaker:CreateModelPackageGroup",
    "sagemaker:DeleteTags",
    on="a group with Restricted storage, by its name (only when such a group is declared)",
    reason="makes and tags a group with managed storage, which CloudFormation cannot",
    source=SAR,
)
READ_GROUPS = HANDLER_ROLE.may(
    "sagemaker:DescribeModelPackageGroup",
    "sagemaker:ListTags",
    on="groups of the own account and region (only when a group with Restricted storage is declared)",
    reason="sees whether a group is there and whose it is",
    source=SAR,
)
DELETE_GROUPS = HANDLER_ROLE.may(
    "sagemaker:DeleteModelPackageGroup",
    on="groups that carry the stack's own tag (only when a group with Restricted storage is declared)",
    reason="deletes the stack's own groups, where their removal policy says so",
    source=SAR,
)
PASS_ROLE = HANDLER_ROLE.may(
    "iam:PassRole",
    on="exactly the execution roles, to `job.sagemaker.amazonaws.com`",
    reason="hands the execution role to the job",
    source=CALLER,
)
GRANT_KEY = HANDLER_ROLE.may(
    "kms:CreateGrant",
    on="the output key, through SageMaker, for AWS's own use",
    reason="the service makes grants with the caller's credentials",
    source=ENCRYPTION,
)
LOOK_UP_KEY = HANDLER_ROLE.may(
    "kms:DescribeKey",
    on="the output key, through SageMaker",
    reason="the service checks the key with the caller's credentials",
    source=ENCRYPTION,
)
