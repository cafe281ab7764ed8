"""A training in a nested stack, which has a function of its own: each stack submits its own jobs."""

from aws_cdk import App, CfnOutput, NestedStack, Stack

from agent_rft import MlflowApp, MultiTurnRLTrainer


def declare(app: App) -> None:
    """The app is shared by what is nested."""
    parent = Stack(app, "Parent")
    mlflow = MlflowApp(parent, "Mlflow")
    trainer = MultiTurnRLTrainer(
        NestedStack(parent, "Training"),
        "Trainer",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=app.node.try_get_context("agent") or "wordle-AbCdEfGhIj",
        training_dataset="s3://my-bucket/prompts/train.jsonl",
        mlflow_app=mlflow,
    )
    CfnOutput(parent, "JobName", value=trainer.job_name)


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
