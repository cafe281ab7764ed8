"""The job categories that multi-turn RL has, and what differs between them."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["AGENT_RFT", "AGENT_RFT_EVALUATION", "CATEGORIES", "JOB_CATEGORIES", "Category", "category_of"]


@dataclass(frozen=True)
class Category:
    """A JobCategory of the API, as multi-turn RL uses it.

    Args:
        name: The JobCategory.
        recipe: The members, with their values, by which a recipe of the hub is known to be for such a job.
        recipe_keyword: How the hub marks a model that has such a recipe; empty where no keyword is known.
        job_name_suffix: What follows the model's name in the name of a job that has no base name.
        requires_recipe: Whether a model that has no such recipe is refused; else the service judges.
    """

    name: str
    recipe: Mapping[str, str]
    recipe_keyword: str
    job_name_suffix: str
    requires_recipe: bool

    @property
    def log_group_name(self) -> str:
        """Where the service writes the logs of such jobs [sagemaker-train 1.27.0: log_streamer]."""
        return f"/aws/sagemaker/Job/{self.name}"


AGENT_RFT = Category(
    name="AgentRFT",
    recipe={"CustomizationTechnique": "MTRL"},
    recipe_keyword="@recipe:finetuning_mtrl",
    job_name_suffix="mtrl",
    requires_recipe=True,
)
"""Training [sagemaker-train 1.27.0: MultiTurnRLTrainer, list_supported_models]."""

AGENT_RFT_EVALUATION = Category(
    name="AgentRFTEvaluation",
    recipe={"Type": "Evaluation", "EvaluationType": "MTRLEvaluation"},
    recipe_keyword="",
    job_name_suffix="mtrl-eval",
    requires_recipe=False,
)
"""Evaluation, which the SDK submits without a recipe too [sagemaker-train 1.27.0: MultiTurnRLEvaluator]."""

CATEGORIES = {category.name: category for category in (AGENT_RFT, AGENT_RFT_EVALUATION)}
"""The categories by their names."""

JOB_CATEGORIES = (*CATEGORIES, "SyntheticDataGeneration", "DataQualityEvaluation", "DataTransformation")
"""Every one that the API has [botocore: sagemaker JobCategory]."""


def category_of(name: str) -> Category:
    """The category of that name; training's where an event names none."""
    return CATEGORIES.get(name, AGENT_RFT)
