"""Warnings at synth: what is allowed, but has caught people out."""

from aws_cdk import Annotations
from constructs import Construct

from agent_rft.model_package_group import Groups
from agent_rft_handler.contract import Declaration
from agent_rft_handler.facts import is_nova


def warn_of_traps(scope: Construct, declaration: Declaration, groups: Groups) -> None:
    """Adds the warnings that the declaration deserves."""
    one_limit = ("max_steps" in declaration.hyperparameters) != ("max_epochs" in declaration.hyperparameters)
    if one_limit:
        _warn(
            scope,
            "one-limit",
            "Only one of max_steps and max_epochs is set: training ends at whichever comes first, and the other "
            "has the recipe's default. Set both.",
        )
    if is_nova(declaration.model) and groups.made:
        _warn(
            scope,
            "restricted-groups",
            "Nova needs model package groups with Restricted storage, which CloudFormation cannot make. Create the two "
            "groups with the API (ManagedConfiguration) and give their names.",
        )


def _warn(scope: Construct, id: str, text: str) -> None:
    Annotations.of(scope).add_warning_v2(f"cdk-agent-rft:{id}", text)
