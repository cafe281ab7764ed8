"""The Lambda functions of a stack: each runs a module of the handler package, and writes to a log group of its own."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from aws_cdk import Duration, IgnoreMode, RemovalPolicy
from aws_cdk import aws_iam as iam
from constructs import Construct

import agent_rft_handler

if TYPE_CHECKING:  # a third of the import's time, so only when a trainer is made
    from aws_cdk import aws_lambda as lambda_
    from aws_cdk import aws_logs as logs


def handler_log_group(scope: Construct, id: str) -> "logs.LogGroup":
    """The function's log group, made before it: the function's role may write to nothing else."""
    from aws_cdk import aws_logs as logs

    return logs.LogGroup(scope, id, retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY)


def handler_function(
    scope: Construct,
    id: str,
    *,
    module: str,
    timeout_minutes: int,
    role: iam.IRole,
    log_group: "logs.LogGroup",
    description: str,
    **options: Any,
) -> "lambda_.Function":
    """A function whose entry point is ``handler`` in a module of the handler package.

    Args:
        scope: Where it is made.
        id: Its id there.
        module: The module, without the package's name.
        timeout_minutes: How long it may run.
        role: Its role.
        log_group: Its log group.
        description: What it is for, as the console shows it.
        options: What else ``lambda_.Function`` takes.
    """
    from aws_cdk import aws_lambda as lambda_

    return lambda_.Function(
        scope,
        id,
        runtime=lambda_.Runtime.PYTHON_3_14,
        handler=f"{agent_rft_handler.__name__}.{module}.handler",
        code=handler_code(),
        timeout=Duration.minutes(timeout_minutes),
        memory_size=256,
        role=role,
        log_group=log_group,
        description=description,
        **options,
    )


def handler_code() -> "lambda_.Code":
    """Exactly the handler package's files: the same bytes from a checkout and from an installed wheel.

    Each folder and file has a line of its own, as the ignore syntax has no recursion past a ``*``.
    """
    from aws_cdk import aws_lambda as lambda_

    package = Path(agent_rft_handler.__file__).parent
    files = sorted([*package.rglob("*.py"), *(package / "models").rglob("*.json")])
    folders = sorted({folder for file in files for folder in file.parents if folder.is_relative_to(package)})
    allowed = [f"!/{each.relative_to(package.parent).as_posix()}/" for each in folders]
    allowed += [f"!/{each.relative_to(package.parent).as_posix()}" for each in files]
    return lambda_.Code.from_asset(str(package.parent), ignore_mode=IgnoreMode.GIT, exclude=["*", *allowed])
