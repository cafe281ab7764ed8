"""The smallest realistic app: a dataset beside it, an agent in Lambda, one training job."""

import os

from aws_cdk import App, CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from agent_rft import Dataset, MlflowApp, MultiTurnRLTrainer, grant_job_runtime


class WordleTraining(Stack):
    """Trains a model to play Wordle over several turns."""

    def __init__(self, scope: Construct, id: str, *, env: Environment) -> None:
        super().__init__(scope, id, env=env)
        agent = lambda_.Function(
            self,
            "Agent",
            runtime=lambda_.Runtime.PYTHON_3_13,
            handler="agent.handler",
            code=lambda_.Code.from_asset("agent"),
            timeout=Duration.minutes(10),
        )
        grant_job_runtime(self, agent)
        trainer = MultiTurnRLTrainer(
            self,
            "Trainer",
            model="huggingface-reasoning-qwen3-32b",
            agent_env=agent,
            training_dataset=Dataset.from_asset("datasets/wordle.jsonl"),
            mlflow_app=MlflowApp(self, "Mlflow"),
            hyperparameters={"max_epochs": 2, "max_steps": 40, "learning_rate": 1e-5},
        )
        CfnOutput(self, "JobName", value=trainer.job_name)
        CfnOutput(self, "JobArn", value=trainer.job_arn)
        CfnOutput(self, "S3OutputPath", value=trainer.s3_output_path)


app = App()
WordleTraining(
    app,
    "WordleTraining",
    env=Environment(account=os.environ.get("CDK_DEFAULT_ACCOUNT"), region=os.environ.get("CDK_DEFAULT_REGION")),
)
app.synth()
