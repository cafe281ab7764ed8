"""A sweep: one training with several learning rates, one job after another, as the quota of one job wants it.

`agent-rft sweep --stack Sweep` shows the jobs; a rate that is added later runs alone.
"""

from aws_cdk import App, Stack

from agent_rft import MlflowApp, MultiTurnRLTrainer, Sweep

RATES = ("1e-5", "3e-5", "1e-4")


def declare(app: App) -> None:
    """What all jobs have in common, which is no job itself, and the rates."""
    stack = Stack(app, "Sweep")
    base = MultiTurnRLTrainer(
        stack,
        "Base",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=app.node.try_get_context("agent") or "wordle-AbCdEfGhIj",
        training_dataset="s3://my-bucket/prompts/train.jsonl",
        mlflow_app=MlflowApp(stack, "Mlflow"),
        mlflow_experiment_name="learning-rates",
        hyperparameters={"max_epochs": 2, "max_steps": 500},
        dry_run=True,
    )
    Sweep(stack, "Rates", base=base, variants={f"rate-{rate}": {"learning_rate": float(rate)} for rate in RATES})


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
