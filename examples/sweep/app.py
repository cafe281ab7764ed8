"""A sweep by hand: the same training with several learning rates, which share bucket, role, groups and MLflow app.

One job runs at a time in an account and region, unless its quota is raised; with the usual quota, deploy the points one
after another: `cdk deploy -c rate=1e-5`, then `-c rate=3e-5` when that job has ended.
"""

from aws_cdk import App, Stack

from agent_rft import MlflowApp, MultiTurnRLTrainer

RATES = ("1e-5", "3e-5", "1e-4")


def declare(app: App) -> None:
    """One trainer for each rate up to the one that the context names; for the first without it."""
    last = app.node.try_get_context("rate") or RATES[0]
    stack = Stack(app, "Sweep")
    mlflow = MlflowApp(stack, "Mlflow")
    first: MultiTurnRLTrainer | None = None
    for rate in RATES[: RATES.index(last) + 1]:
        trainer = MultiTurnRLTrainer(
            stack,
            f"Rate{rate}",
            model="openai-reasoning-gpt-oss-20b",
            agent_env=app.node.try_get_context("agent") or "wordle-AbCdEfGhIj",
            training_dataset="s3://my-bucket/prompts/train.jsonl",
            mlflow_app=mlflow,
            mlflow_experiment_name="learning-rates",
            mlflow_run_name=f"rate-{rate}",
            hyperparameters={"learning_rate": float(rate)},
            role=first.role if first else None,
            output_bucket=first.output_bucket if first else None,
            output_model_package_group=first.output_model_package_group if first else None,
            intermediate_checkpoint_model_package_group=first.checkpoint_model_package_group if first else None,
        )
        first = first or trainer


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
