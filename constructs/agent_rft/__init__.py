"""SageMaker multi-turn reinforcement learning (Agentic RFT) as AWS CDK constructs.

The names are those of the SageMaker Python SDK's ``MultiTurnRLTrainer``.
"""

from typing import TYPE_CHECKING, Any

from agent_rft.agent_environment import AgentEnvironment
from agent_rft.dataset import Dataset
from agent_rft.hyperparameters import HyperParameters
from agent_rft.job import IAgentRFTJob
from agent_rft.job_provider import JobProvider
from agent_rft.job_runtime import grant_job_runtime
from agent_rft.mlflow_app import MlflowApp
from agent_rft.model import Model
from agent_rft.model_package_group import IModelPackageGroup, ModelPackageGroup
from agent_rft.multi_turn_rl_trainer import MultiTurnRLTrainer
from agent_rft_handler.contract import Replacement

if TYPE_CHECKING:
    from agent_rft.custom_agent_lambda import CustomAgentLambda

__all__ = [
    "AgentEnvironment",
    "CustomAgentLambda",
    "Dataset",
    "HyperParameters",
    "IAgentRFTJob",
    "IModelPackageGroup",
    "JobProvider",
    "MlflowApp",
    "Model",
    "ModelPackageGroup",
    "MultiTurnRLTrainer",
    "Replacement",
    "grant_job_runtime",
]


def __getattr__(name: str) -> Any:
    """``CustomAgentLambda`` when it is asked for: as a subclass it needs aws_lambda, a third of the import's time."""
    if name == "CustomAgentLambda":
        from agent_rft.custom_agent_lambda import CustomAgentLambda

        return CustomAgentLambda
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
