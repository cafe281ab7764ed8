"""The apps that are deployed again and again; what the context says changes them."""

from typing import Any

from aws_cdk import App, CfnOutput, Environment, RemovalPolicy, Stack, Tags
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_ssm as ssm
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from agent_rft import (
    AgentRFTEvaluateTask,
    AgentRFTTrainTask,
    MlflowApp,
    ModelPackageGroup,
    MultiTurnRLEvaluator,
    MultiTurnRLTrainer,
)
from agent_rft_local.local_aws import ACCOUNT, REGION

AGENT_ENV = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:agent:live"
DATASET = "s3://data-bucket/prompts/train.parquet"


def trainer_in(stack: Stack, id: str = "Trainer", *, epochs: str = "", **changed: Any) -> MultiTurnRLTrainer:
    """A small trainer; the trainers of a stack log to one app."""
    known = stack.node.try_find_child("Mlflow")
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "agent_env": AGENT_ENV,
        "training_dataset": DATASET,
        "mlflow_app": known if isinstance(known, MlflowApp) else MlflowApp(stack, "Mlflow"),
        "hyperparameters": {"max_epochs": int(epochs or 1), "max_steps": 10},
    }
    return MultiTurnRLTrainer(stack, id, **{**plain, **changed})


def changing(app: App) -> None:
    """One trainer whose declaration changes."""
    get = app.node.try_get_context
    stack = stack_in(app)
    trainer = trainer_in(
        stack,
        epochs=get("epochs"),
        model=get("model") or "openai-reasoning-gpt-oss-20b",
        replacement=get("replacement") or "refuse",
        dry_run=bool(get("dry_run")),
        tags={"Owner": get("owner") or "me"},
    )
    if get("retain"):
        trainer.apply_removal_policy(RemovalPolicy.RETAIN)
    if get("broken"):
        _break_after(trainer)
    CfnOutput(stack, "JobName", value=trainer.job_name)
    CfnOutput(stack, "BaseModelArn", value=trainer.base_model_arn)


def nova(app: App) -> None:
    """A Nova trainer, and a Restricted group that ends with its stack."""
    get = app.node.try_get_context
    stack = stack_in(app)
    trainer = trainer_in(stack, model="amazon.nova-2-lite-v1", hyperparameters=None, accept_eula=True)
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


def told(app: App) -> None:
    """A trainer whose changes go to a topic's queue, and to a function that writes them to another queue."""
    get = app.node.try_get_context
    stack = stack_in(app)
    trainer = trainer_in(stack, epochs=get("epochs"), replacement="stop_first")
    if get("silent"):
        return
    messages, changes = sqs.Queue(stack, "Messages"), sqs.Queue(stack, "Changes")
    topic = sns.Topic(stack, "Topic")
    topic.add_subscription(subscriptions.SqsSubscription(messages, raw_message_delivery=True))
    trainer.notify(topic)
    trainer.on_state_change("Changed", target=targets.LambdaFunction(_teller(stack, changes)))
    if get("broken"):
        _break_after(trainer)
    CfnOutput(stack, "JobName", value=trainer.job_name)
    CfnOutput(stack, "MessagesUrl", value=messages.queue_url)
    CfnOutput(stack, "ChangesUrl", value=changes.queue_url)


def _teller(stack: Stack, queue: sqs.Queue) -> lambda_.Function:
    function = lambda_.Function(
        stack,
        "Teller",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline(TELLER),
        environment={"QUEUE": queue.queue_url},
    )
    queue.grant_send_messages(function)
    return function


TELLER = """
import json, os, boto3
def handler(event, context):
    boto3.client("sqs").send_message(QueueUrl=os.environ["QUEUE"], MessageBody=json.dumps(event))
"""


def tasks(app: App) -> None:
    """A state machine that trains and evaluates what was tuned; the execution's input says for how many epochs."""
    stack = stack_in(app)
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "mlflow_app": MlflowApp(stack, "Mlflow"),
        "dry_run": True,
    }
    trainer = MultiTurnRLTrainer(
        stack,
        "Trainer",
        **plain,
        agent_env=AGENT_ENV,
        training_dataset=DATASET,
        hyperparameters={"max_epochs": 1, "max_steps": 10},
    )
    evaluator = MultiTurnRLEvaluator(stack, "Evaluator", **plain, agent_config=AGENT_ENV, dataset=DATASET)
    chain = _trained_and_evaluated(stack, trainer, evaluator)
    sfn.StateMachine(stack, "Machine", definition_body=sfn.DefinitionBody.from_chainable(chain))


def _trained_and_evaluated(stack: Stack, trainer: MultiTurnRLTrainer, evaluator: MultiTurnRLEvaluator) -> sfn.Chain:
    epochs = {"max_epochs": sfn.JsonPath.string_at("$.epochs")}
    train = AgentRFTTrainTask(stack, "Train", trainer=trainer, hyperparameters=epochs, result_path="$.Train")
    train.add_catch(sfn.Fail(stack, "Sorry", error_path="$.Error", cause_path="$.Cause"), errors=["JobFailed"])
    evaluate = AgentRFTEvaluateTask(
        stack,
        "Evaluate",
        evaluator=evaluator,
        model_package=sfn.JsonPath.string_at("$.Train.OutputModelPackageArn"),
        model_package_group=trainer.output_model_package_group,
        result_path="$.Evaluate",
    )
    return train.next(evaluate).next(sfn.Succeed(stack, "Done"))


def evaluated(app: App) -> None:
    """A trainer whose tuned package is evaluated by itself."""
    stack = stack_in(app)
    plain: dict[str, Any] = {"model": "openai-reasoning-gpt-oss-20b", "mlflow_app": MlflowApp(stack, "Mlflow")}
    trainer = MultiTurnRLTrainer(
        stack, "Trainer", **plain, agent_env=AGENT_ENV, training_dataset=DATASET, hyperparameters={"max_epochs": 1}
    )
    trainer.evaluate_on_completion(
        MultiTurnRLEvaluator(stack, "Evaluator", **plain, agent_config=AGENT_ENV, dataset=DATASET, dry_run=True)
    )


def stack_in(app: App) -> Stack:
    """The stack that the context names."""
    return Stack(app, app.node.try_get_context("stack"), env=Environment(account=ACCOUNT, region=REGION))


def _break_after(trainer: MultiTurnRLTrainer) -> None:
    break_after(trainer.stack, trainer)


def break_after(stack: Stack, needed: Construct) -> None:
    """A parameter without a known type, which CloudFormation refuses when it gets there: after what is needed."""
    broken = ssm.CfnParameter(stack, "Broken", type="NoSuchType", value="x")
    broken.node.add_dependency(needed)
