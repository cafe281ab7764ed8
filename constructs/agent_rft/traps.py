"""Warnings at synth: what is allowed, but has caught people out."""

from aws_cdk import Annotations
from constructs import Construct

from agent_rft.model import Model
from agent_rft.model_package_group import Groups
from agent_rft_handler.contract import Declaration
from agent_rft_handler.facts import is_nova


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


def _warn(scope: Construct, id: str, text: str) -> None:
    Annotations.of(scope).add_warning_v2(f"cdk-agent-rft:{id}", text)
