"""What outlives a training in one stack, the training in another.

The groups and the app stay when the training's stack is deleted and deployed anew.
"""

from aws_cdk import App, Stack

from agent_rft import MlflowApp, ModelPackageGroup, MultiTurnRLTrainer


def declare(app: App) -> None:
    """Two stacks; the second names what the first has."""
    kept = Stack(app, "Models")
    tuned, checkpoints = ModelPackageGroup(kept, "Tuned"), ModelPackageGroup(kept, "Checkpoints")
    mlflow = MlflowApp(kept, "Mlflow")
    MultiTurnRLTrainer(
        Stack(app, "Training"),
        "Trainer",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=app.node.try_get_context("agent") or "wordle-AbCdEfGhIj",
        training_dataset="s3://my-bucket/prompts/train.jsonl",
        output_model_package_group=tuned,
        intermediate_checkpoint_model_package_group=checkpoints,
        mlflow_app=mlflow,
    )


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
