"""An app whose one trainer changes with the context: what the deployment tests deploy again and again."""

from aws_cdk import App, CfnOutput, Environment, Stack
from aws_cdk import aws_ssm as ssm

from agent_rft import MlflowApp, MultiTurnRLTrainer

ACCOUNT, REGION = "000000000000", "us-east-1"

app = App()
get = app.node.try_get_context
stack = Stack(app, get("stack") or "Changing", env=Environment(account=ACCOUNT, region=REGION))
trainer = MultiTurnRLTrainer(
    stack,
    "Trainer",
    model=get("model") or "openai-reasoning-gpt-oss-20b",
    agent_env=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent:live",
    training_dataset="s3://data-bucket/prompts/train.parquet",
    mlflow_app=MlflowApp(stack, "Mlflow"),
    hyperparameters={"max_epochs": int(get("epochs") or 1), "max_steps": 10},
    replacement=get("replacement") or "refuse",
    dry_run=bool(get("dry_run")),
    tags={"Owner": get("owner") or "me"},
)
if get("broken"):
    # a parameter without a value is refused by CloudFormation when it gets there: after the job
    broken = ssm.CfnParameter(stack, "Broken", type="NoSuchType", value="x")
    broken.node.add_dependency(trainer)
CfnOutput(stack, "JobName", value=trainer.job_name)
CfnOutput(stack, "BaseModelArn", value=trainer.base_model_arn)
app.synth()
