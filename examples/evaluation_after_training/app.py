"""An evaluation that starts by itself once the training is Completed, and an alarm if it fails."""

from typing import Any

from aws_cdk import App, Stack

from agent_rft import EvaluationHyperParameters, MlflowApp, MultiTurnRLEvaluator, MultiTurnRLTrainer


def declare(app: App) -> None:
    """Trainer and evaluator name the same base model; what is evaluated is the package that the job tunes."""
    stack = Stack(app, "Training")
    agent = app.node.try_get_context("agent") or "wordle-AbCdEfGhIj"
    common: dict[str, Any] = {"model": "openai-reasoning-gpt-oss-20b", "mlflow_app": MlflowApp(stack, "Mlflow")}
    trainer = MultiTurnRLTrainer(
        stack,
        "Trainer",
        **common,
        agent_env=agent,
        training_dataset="s3://my-bucket/prompts/train.jsonl",
    )
    evaluator = MultiTurnRLEvaluator(
        stack,
        "Evaluator",
        **common,
        agent_config=agent,
        dataset="s3://my-bucket/prompts/held-out.jsonl",
        hyperparameters=EvaluationHyperParameters(eval_group_size=8, pass_k_values=[1, 8]),
        dry_run=True,
    )
    evaluation = trainer.evaluate_on_completion(evaluator)
    evaluation.metric_failed().create_alarm(stack, "NotEvaluated", threshold=1, evaluation_periods=1)


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
