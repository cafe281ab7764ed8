"""The stack: a dataset beside it, an agent in Lambda, one training job."""

from pathlib import Path

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from agent_rft import Dataset, MlflowApp, MultiTurnRLTrainer, grant_job_runtime

HERE = Path(__file__).parent


class WordleTraining(Stack):
    """Trains a model to play Wordle over several turns."""

    def __init__(self, scope: Construct, id: str, *, env: Environment | None = None) -> None:
        super().__init__(scope, id, env=env)
        agent = lambda_.Function(
            self,
            "Agent",
            runtime=lambda_.Runtime.PYTHON_3_13,
            handler="agent.handler",
            code=lambda_.Code.from_asset(str(HERE / "agent")),
            timeout=Duration.minutes(10),
        )
        grant_job_runtime(self, agent)
        trainer = MultiTurnRLTrainer(
            self,
            "Trainer",
            model="huggingface-reasoning-qwen3-32b",
            agent_env=agent,
            training_dataset=Dataset.from_asset(str(HERE / "datasets" / "wordle.jsonl")),
            mlflow_app=MlflowApp(self, "Mlflow"),
            hyperparameters={"max_epochs": 2, "max_steps": 40, "learning_rate": 1e-5},
        )
        CfnOutput(self, "JobName", value=trainer.job_name)
        CfnOutput(self, "JobArn", value=trainer.job_arn)
        CfnOutput(self, "S3OutputPath", value=trainer.s3_output_path)
