"""The agent as an AgentCore runtime in the same app, with an endpoint of its own for the training.

A runtime that is updated under a running job fails that job; an endpoint stays at its version.
"""

from aws_cdk import App, Stack
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_ecr as ecr

from agent_rft import MlflowApp, MultiTurnRLTrainer, grant_job_runtime


def declare(app: App) -> None:
    """Image, runtime, endpoint, trainer."""
    stack = Stack(app, "Training")
    image = ecr.Repository.from_repository_name(stack, "Image", "wordle-agent")
    runtime = agentcore.Runtime(
        stack,
        "Agent",
        runtime_name="wordle",
        agent_runtime_artifact=agentcore.AgentRuntimeArtifact.from_ecr_repository(image, "1.0"),
    )
    grant_job_runtime(stack, runtime)
    MultiTurnRLTrainer(
        stack,
        "Trainer",
        model="openai-reasoning-gpt-oss-20b",
        agent_env=runtime.add_endpoint("training"),
        training_dataset="s3://my-bucket/prompts/train.jsonl",
        mlflow_app=MlflowApp(stack, "Mlflow"),
    )


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
