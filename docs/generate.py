"""Writes docs/iam.md from constructs/agent_rft/permissions.py; a test holds the two together."""

from pathlib import Path

from agent_rft import permissions
from agent_rft.permissions import Permission

TARGET = Path(__file__).with_name("iam.md")

ROLES = {
    "Execution role": (
        "The job assumes it. Made, or given with `role=`. It trusts `job.sagemaker.amazonaws.com` of its own account.",
        {
            "READ_DATA": "the datasets' prefixes",
            "LIST_DATA": "the datasets' buckets, by prefix",
            "WRITE_OUTPUT": "below the output prefix",
            "USE_KEY": "the keys of output and datasets, through S3",
            "DESCRIBE_KEY": "the same keys",
            "READ_HUB": "the same, and DataSets given by ARN",
            "USE_GROUPS": "the two groups",
            "USE_PACKAGES": "packages of the two groups",
            "USE_INPUT_PACKAGE": "the package that training continues from (only when the output goes elsewhere)",
            "TRACK": "the app, or every app of the account when it is found at deploy",
            "INVOKE_RUNTIME": "the runtime's ARN and what is below it",
            "INVOKE_FUNCTION": "the function; with a version or alias, exactly that one",
            "LOG": "/aws/sagemaker/Job/*",
            "CREATE_INTERFACE": "network interfaces, the job's subnets and security groups (only with a VPC)",
            "USE_INTERFACE": "network interfaces (only with a VPC)",
            "DESCRIBE_NETWORK": "* (only with a VPC)",
            "TAG_INTERFACE": "network interfaces, when they are created (only with a VPC)",
        },
    ),
    "Handler's role": (
        "The function that submits jobs when the stack deploys.",
        {
            "SUBMIT_JOBS": "AgentRFT jobs of the own account and region, tagged with the stack's id",
            "FIND_JOBS": "AgentRFT jobs of the own account and region",
            "CHANGE_JOBS": "those of them that carry the stack's id as a tag",
            "LIST_JOBS": "*",
            "LIST_APPS": "* (only without `mlflow_app`)",
            "LOOK_UP_MODEL": "the model and its hub; any model of the public hub for a package, any at all for a token",
            "LIST_MODELS": "the model's hub",
            "LOOK_UP_PACKAGE": "the model package (only when training continues from one)",
            "LOOK_UP_RUNTIME": "the AgentCore runtime (only for a bare id)",
            "READ_RECIPE": "objects of other accounts' buckets (which must let it in, too); never the own account's",
            "READ_STACK": "its own stack",
            "WRITE_LOGS": "its own log group",
            "MAKE_GROUP": "a group with Restricted storage, by its name (only when such a group is declared)",
            "READ_GROUPS": "groups of the own account and region (only then)",
            "DELETE_GROUPS": "groups that carry the stack's own tag (only then, and without RETAIN)",
            "PASS_ROLE": "exactly the execution roles, to `job.sagemaker.amazonaws.com`",
            "GRANT_KEY": "the output key, through SageMaker, for AWS's own use",
            "LOOK_UP_KEY": "the output key, through SageMaker",
        },
    ),
    "Agent's role": (
        "By `grant_agent_runtime(scope, agent)`; with a customer key also `kms:Decrypt` and `kms:GenerateDataKey`.",
        {"ANSWER_JOB": "AgentRFT jobs of the own account and region", "BEAR_TOKEN": "*"},
    ),
    "MLflow app's role": ("Made with `MlflowApp`.", {"STORE_ARTIFACTS": "the artifact bucket below its prefix"}),
    "Whoever you grant to": (
        "By `grant_describe` and `grant_stop`.",
        {"DESCRIBE_JOB": "the job", "STOP_JOB": "the job"},
    ),
}
"""On what each permission is granted, by the name it has in permissions.py."""


def text() -> str:
    """The page."""
    parts = ["# Every IAM action\n\nMade by `make golden` from constructs/agent_rft/permissions.py.\n"]
    for role, (sentence, rows) in ROLES.items():
        parts.append(f"\n## {role}\n\n{sentence}\n\n| Actions | On | Why | Source |\n|---|---|---|---|\n")
        parts += [_row(getattr(permissions, name), resources) for name, resources in rows.items()]
    return "".join(parts)


def _row(permission: Permission, resources: str) -> str:
    actions = "<br>".join(f"`{action}`" for action in permission.actions)
    return f"| {actions} | {resources} | {permission.reason} | {permission.source} |\n"


if __name__ == "__main__":
    TARGET.write_text(text())
