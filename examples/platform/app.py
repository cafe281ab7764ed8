"""A platform team's app: what is shared in one stack, a team's training in another, watched and let into a VPC."""

from typing import cast

from aws_cdk import App, CfnOutput, Environment, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft import (
    IAgentRFTJob,
    IMlflowApp,
    IModelPackageGroup,
    JobProvider,
    MlflowApp,
    Model,
    ModelPackageGroup,
    MultiTurnRLTrainer,
    Replacement,
)

PEOPLE = cast("iam.IPrincipal", iam.AccountRootPrincipal())
"""Cast, as pyright finds a parameter of aws_cdk's own principals misnamed; nothing else here needs it."""


class Platform(Stack):
    """What outlives every training: groups, MLflow app, bucket, network, and who may look at results."""

    def __init__(self, scope: Construct, id: str, *, env: Environment) -> None:
        super().__init__(scope, id, env=env)
        inside = ec2.SubnetConfiguration(name="Jobs", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
        zones = ["us-east-1a", "us-east-1b"]
        self.vpc = ec2.Vpc(self, "Vpc", availability_zones=zones, subnet_configuration=[inside])
        self.output = s3.Bucket(self, "Output", enforce_ssl=True, removal_policy=RemovalPolicy.RETAIN)
        self.tuned: IModelPackageGroup = ModelPackageGroup(self, "Tuned", model_package_group_name="platform-tuned")
        self.checkpoints = ModelPackageGroup(self, "Checkpoints", removal_policy=RemovalPolicy.RETAIN)
        self.mlflow: IMlflowApp = MlflowApp(self, "Mlflow", mlflow_app_name="platform")
        scientist = iam.Role(self, "Scientist", assumed_by=PEOPLE)
        self.tuned.grant_read(scientist)
        self.mlflow.grant_track(scientist)
        self.mlflow.grant_open(scientist)


class Training(Stack):
    """One team's training; with the context ``round=2`` it continues from the newest tuned model."""

    def __init__(self, scope: Construct, id: str, *, platform: Platform, agent: str, env: Environment) -> None:
        super().__init__(scope, id, env=env)
        base = Model.from_hub("openai-reasoning-gpt-oss-20b")
        tuned = Model.from_model_package_group(platform.tuned)
        trainer = MultiTurnRLTrainer(
            self,
            "Trainer",
            model=tuned if self.node.try_get_context("round") == "2" else base,
            agent_env=agent,
            training_dataset="s3://my-bucket/prompts/train.jsonl",
            output_bucket=platform.output,
            output_prefix="team-a",
            output_model_package_group=platform.tuned,
            intermediate_checkpoint_model_package_group=platform.checkpoints,
            mlflow_app=platform.mlflow,
            hyperparameters={"max_epochs": 2, "max_steps": 40},
            vpc=platform.vpc,
            vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
            replacement=Replacement.STOP_FIRST,
        )
        trainer.apply_removal_policy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
        trainer.add_to_role_policy(iam.PolicyStatement(actions=["dynamodb:GetItem"], resources=["*"]))
        s3.Bucket(self, "Rewards", enforce_ssl=True).grant_read(trainer)
        inside = ec2.Peer.ipv4(ec2.Vpc.DEFAULT_CIDR_RANGE)
        trainer.connections.allow_to(inside, ec2.Port.tcp(5432), "rollouts look their tasks up")
        operator = iam.Role(self, "Operator", assumed_by=PEOPLE)
        watched: list[IAgentRFTJob] = [trainer, MultiTurnRLTrainer.from_job_name(self, "Earlier", "wordle-mtrl-1")]
        for job in watched:
            job.grant_describe(operator)
            job.grant_stop(operator)
        trainer.grant_read_output(operator)
        handler = JobProvider.of(self).function
        handler.metric_errors().create_alarm(self, "NotSubmitted", threshold=1, evaluation_periods=1)
        CfnOutput(self, "JobName", value=trainer.job_name)
        CfnOutput(self, "TunedGroup", value=trainer.model_package_group.model_package_group_name)


def declare(app: App) -> None:
    """The platform, and one team's training on it."""
    env = Environment(account="000000000000", region="us-east-1")
    agent = cast("str | None", app.node.try_get_context("agent")) or "wordle-AbCdEfGhIj"
    Training(app, "TeamA", platform=Platform(app, "Platform", env=env), agent=agent, env=env)


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
