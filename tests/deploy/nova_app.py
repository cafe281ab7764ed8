"""A Nova trainer on the local AWS, and a Restricted group that ends with its stack; the context changes them."""

from aws_cdk import App, CfnOutput, Environment, RemovalPolicy, Stack, Tags

from agent_rft import MlflowApp, ModelPackageGroup, MultiTurnRLTrainer

ACCOUNT, REGION = "000000000000", "us-east-1"

app = App()
get = app.node.try_get_context
stack = Stack(app, get("stack") or "Nova", env=Environment(account=ACCOUNT, region=REGION))
trainer = MultiTurnRLTrainer(
    stack,
    "Trainer",
    model="amazon.nova-2-lite-v1",
    agent_env=f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent:live",
    training_dataset="s3://data-bucket/prompts/train.parquet",
    mlflow_app=MlflowApp(stack, "Mlflow"),
    accept_eula=True,
)
if get("extra"):
    ModelPackageGroup(
        stack,
        "Extra",
        model_package_group_name=get("extra"),
        managed_storage_type="Restricted",
        removal_policy=RemovalPolicy.DESTROY,
    )
Tags.of(stack).add("Owner", get("owner") or "me")
CfnOutput(stack, "JobName", value=trainer.job_name)
CfnOutput(stack, "OutputGroup", value=trainer.output_model_package_group.model_package_group_name)
CfnOutput(stack, "CheckpointGroup", value=trainer.checkpoint_model_package_group.model_package_group_arn)
app.synth()
