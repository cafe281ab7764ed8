"""A job inside a VPC without a way to the internet, and a key of yours for what it writes."""

from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms

from agent_rft import MlflowApp, MultiTurnRLTrainer


def declare(app: App) -> None:
    """The VPC has the endpoints that the trainer says it needs."""
    stack = Stack(app, "Training")
    isolated = ec2.SubnetConfiguration(name="Isolated", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
    vpc = ec2.Vpc(stack, "Vpc", max_azs=2, nat_gateways=0, subnet_configuration=[isolated])
    vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
    trainer = MultiTurnRLTrainer(
        stack,
        "Trainer",
        model="openai-reasoning-gpt-oss-20b",
        agent_env="wordle-AbCdEfGhIj",
        training_dataset="s3://my-bucket/prompts/train.jsonl",
        mlflow_app=MlflowApp(stack, "Mlflow"),
        vpc=vpc,
        vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
        kms_key=kms.Key(stack, "Key", enable_key_rotation=True),
    )
    for name in trainer.required_vpc_endpoints:
        if not name.endswith(".s3"):
            service = ec2.InterfaceVpcEndpointService(name)
            vpc.add_interface_endpoint(name.rpartition(".")[2].title(), service=service)


if __name__ == "__main__":
    app = App()
    declare(app)
    app.synth()
