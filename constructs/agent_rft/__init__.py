"""SageMaker multi-turn reinforcement learning (Agentic RFT) as AWS CDK constructs.

The names are those of the SageMaker Python SDK's ``MultiTurnRLTrainer`` and ``MultiTurnRLEvaluator``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_rft.agent.agent_environment import AgentEnvironment
    from agent_rft.agent.custom_agent_lambda import CustomAgentLambda
    from agent_rft.dataset.dataset import Dataset
    from agent_rft.hyperparameters.hyperparameters import EvaluationHyperParameters, HyperParameters
    from agent_rft.interfaces import IAgentRFTJob, IMlflowApp, IModelPackageGroup
    from agent_rft.job.job_runtime import grant_job_runtime
    from agent_rft.job_queue.job_queue import JobQueue
    from agent_rft.job_queue.sweep import Sweep
    from agent_rft.mlflow.mlflow_app import MlflowApp
    from agent_rft.model.model import Model
    from agent_rft.model_package_group.model_package_group import ModelPackageGroup
    from agent_rft.multi_turn_rl_evaluator import MultiTurnRLEvaluator
    from agent_rft.multi_turn_rl_trainer import MultiTurnRLTrainer
    from agent_rft.provider.job_provider import JobProvider
    from agent_rft.task.job_task import AgentRFTEvaluateTask, AgentRFTTrainTask
    from agent_rft.watch.job_dashboard import JobDashboard
    from agent_rft_handler.declaration import Replacement
    from agent_rft_handler.facts import ManagedStorageType

__all__ = [
    "AgentEnvironment",
    "AgentRFTEvaluateTask",
    "AgentRFTTrainTask",
    "CustomAgentLambda",
    "Dataset",
    "EvaluationHyperParameters",
    "HyperParameters",
    "IAgentRFTJob",
    "IMlflowApp",
    "IModelPackageGroup",
    "JobDashboard",
    "JobProvider",
    "JobQueue",
    "ManagedStorageType",
    "MlflowApp",
    "Model",
    "ModelPackageGroup",
    "MultiTurnRLEvaluator",
    "MultiTurnRLTrainer",
    "Replacement",
    "Sweep",
    "grant_job_runtime",
]

_MODULES = {
    "AgentRFTEvaluateTask": "agent_rft.task.job_task",
    "AgentRFTTrainTask": "agent_rft.task.job_task",
    "AgentEnvironment": "agent_rft.agent.agent_environment",
    "CustomAgentLambda": "agent_rft.agent.custom_agent_lambda",
    "Dataset": "agent_rft.dataset.dataset",
    "EvaluationHyperParameters": "agent_rft.hyperparameters.hyperparameters",
    "HyperParameters": "agent_rft.hyperparameters.hyperparameters",
    "IAgentRFTJob": "agent_rft.interfaces",
    "IMlflowApp": "agent_rft.interfaces",
    "IModelPackageGroup": "agent_rft.interfaces",
    "JobDashboard": "agent_rft.watch.job_dashboard",
    "JobProvider": "agent_rft.provider.job_provider",
    "JobQueue": "agent_rft.job_queue.job_queue",
    "ManagedStorageType": "agent_rft_handler.facts",
    "MlflowApp": "agent_rft.mlflow.mlflow_app",
    "Model": "agent_rft.model.model",
    "ModelPackageGroup": "agent_rft.model_package_group.model_package_group",
    "MultiTurnRLEvaluator": "agent_rft.multi_turn_rl_evaluator",
    "MultiTurnRLTrainer": "agent_rft.multi_turn_rl_trainer",
    "Replacement": "agent_rft_handler.declaration",
    "Sweep": "agent_rft.job_queue.sweep",
    "grant_job_runtime": "agent_rft.job.job_runtime",
}
"""Where each name is; what the imports above say to a type checker, which a test compares."""


def __getattr__(name: str) -> Any:
    """A name when it is asked for: to import them all takes a fifth of the time of ``import aws_cdk``."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(_MODULES[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    """Also the names that nobody has asked for yet."""
    return sorted({*globals(), *__all__})
