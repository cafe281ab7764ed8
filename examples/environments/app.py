"""One training in several environments: a short one where it is tried, the real one in production."""

from dataclasses import dataclass

from aws_cdk import App, Environment, Stack, Tags

from agent_rft import MlflowApp, MultiTurnRLTrainer


@dataclass(frozen=True)
class Size:
    """What differs from one environment to another."""

    env: Environment
    max_epochs: int
    max_steps: int


SIZES = {
    "Development": Size(Environment(account="111122223333", region="us-east-1"), 1, 5),
    "Production": Size(Environment(account="444455556666", region="us-west-2"), 3, 200),
}


def declare(app: App) -> None:
    """A stack for each; `cdk deploy Development` deploys one."""
    for name, size in SIZES.items():
        stack = Stack(app, name, env=size.env)
        Tags.of(stack).add("environment", name.lower())
        MultiTurnRLTrainer(
            stack,
            "Trainer",
            model="openai-reasoning-gpt-oss-20b",
            agent_env="wordle-AbCdEfGhIj",
            training_dataset=f"s3://my-bucket-{name.lower()}/prompts/train.jsonl",
            mlflow_app=MlflowApp(stack, "Mlflow"),
            hyperparameters={"max_epochs": size.max_epochs, "max_steps": size.max_steps},
        )


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
