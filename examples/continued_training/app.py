"""Training that continues from a model package that an earlier job made; its group takes the next version."""

from aws_cdk import App, Environment, Stack

from agent_rft import MlflowApp, Model, MultiTurnRLTrainer

PACKAGE = "arn:aws:sagemaker:us-east-1:111122223333:model-package/wordle/1"


def declare(app: App) -> None:
    """Only the new data differs from the first training."""
    stack = Stack(app, "Training", env=Environment(account="111122223333", region="us-east-1"))
    MultiTurnRLTrainer(
        stack,
        "Continued",
        model=Model.from_model_package(PACKAGE),
        agent_env="wordle-AbCdEfGhIj",
        training_dataset="s3://my-bucket/prompts/second-round.jsonl",
        mlflow_app=MlflowApp(stack, "Mlflow"),
        hyperparameters={"learning_rate": 5e-6},
    )


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
