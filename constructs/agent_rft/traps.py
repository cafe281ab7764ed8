"""Warnings at synth: what is allowed, but has caught people out."""

from typing import TYPE_CHECKING

from aws_cdk import Annotations
from constructs import Construct

from agent_rft.model import Model
from agent_rft.model_package_group import Groups
from agent_rft.refusal import unresolved
from agent_rft_handler.contract import Declaration
from agent_rft_handler.facts import AGENT_TIMEOUT, LAMBDA_TIMEOUT_DEFAULT, is_nova

if TYPE_CHECKING:
    from aws_cdk import aws_lambda as lambda_


def warn_of_traps(scope: Construct, declaration: Declaration, model: Model, groups: Groups) -> None:
    """Adds the warnings that the declaration deserves."""
    one_limit = ("max_steps" in declaration.hyperparameters) != ("max_epochs" in declaration.hyperparameters)
    if one_limit:
        _warn(
            scope,
            "one-limit",
            "Only one of max_steps and max_epochs is set: training ends at whichever comes first, and the other "
            "has the recipe's default. Set both.",
        )
    perhaps_nova = model.is_nova or is_nova(model.model_package_arn)
    if perhaps_nova and groups.some_are_plain:
        _warn(
            scope,
            "restricted-groups",
            "A Nova model needs two model package groups with Restricted storage, and a group here has none. Leave "
            "the groups out, or give ModelPackageGroup(..., managed_storage_type='Restricted').",
        )


def warn_of_short_timeout(scope: Construct, function: "lambda_.IFunction") -> None:
    """Warns of an agent's function of the app, also behind its version or alias, that ends before a rollout may."""
    from aws_cdk import aws_lambda as lambda_

    resource = getattr(function, "lambda_", function).node.default_child
    if not isinstance(resource, lambda_.CfnFunction) or unresolved(resource.timeout):
        return
    seconds = LAMBDA_TIMEOUT_DEFAULT if resource.timeout is None else resource.timeout
    if seconds < AGENT_TIMEOUT:
        _warn(
            scope,
            "agent-timeout",
            f"The agent's function ends after {seconds:g} seconds, but a rollout has {AGENT_TIMEOUT} by default. "
            f"Set timeout=Duration.seconds({AGENT_TIMEOUT}) or more. [AWS docs: model-customize-mtrl-agent]",
        )


def _warn(scope: Construct, id: str, text: str) -> None:
    Annotations.of(scope).add_warning_v2(f"cdk-agent-rft:{id}", text)
