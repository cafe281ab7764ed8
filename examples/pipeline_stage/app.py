"""A training as a stage of CDK Pipelines: a rehearsal first, then the job, after someone said yes."""

from aws_cdk import App, Stack, Stage, pipelines
from aws_cdk import aws_codecommit as codecommit
from aws_cdk import aws_codepipeline as codepipeline
from constructs import Construct

from agent_rft import MlflowApp, MultiTurnRLTrainer


class Training(Stage):
    """One stack; with ``dry_run`` everything is checked and nothing submitted."""

    def __init__(self, scope: Construct, id: str, *, dry_run: bool) -> None:
        super().__init__(scope, id)
        stack = Stack(self, "Training")
        MultiTurnRLTrainer(
            stack,
            "Trainer",
            model="openai-reasoning-gpt-oss-20b",
            agent_env="wordle-AbCdEfGhIj",
            training_dataset="s3://my-bucket/prompts/train.jsonl",
            mlflow_app=MlflowApp(stack, "Mlflow"),
            dry_run=dry_run,
        )


def declare(app: App) -> None:
    """The pipeline, and its two stages."""
    stack = Stack(app, "Pipeline")
    source = pipelines.CodePipelineSource.code_commit(
        codecommit.Repository(stack, "Source", repository_name="wordle"), "main"
    )
    synth = pipelines.ShellStep(
        "Synth", input=source, commands=["pip install -r requirements.txt", "npx aws-cdk synth"]
    )
    pipeline = pipelines.CodePipeline(stack, "Pipeline", synth=synth, pipeline_type=codepipeline.PipelineType.V2)
    pipeline.add_stage(Training(app, "Rehearsal", dry_run=True))
    approval = pipelines.ManualApprovalStep("Train", comment="The next stage starts a job that costs money.")
    pipeline.add_stage(Training(app, "Production", dry_run=False), pre=[approval])


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
