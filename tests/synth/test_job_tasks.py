"""Jobs in a chain with what Step Functions has of its own."""

from aws_cdk import Stack
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from synth.app import stack_of, trainer
from synth.test_job_task import evaluator, machine

from agent_rft import AgentRFTEvaluateTask, AgentRFTTrainTask, ModelPackageGroup

PACKAGE = "$.Train.OutputModelPackageArn"


def approve(stack: Stack) -> tasks.SqsSendMessage:
    """Waits for a person."""
    message = {"Package": sfn.JsonPath.string_at(PACKAGE), "Token": sfn.JsonPath.task_token}
    return tasks.SqsSendMessage(
        stack,
        "Approve",
        queue=sqs.Queue(stack, "Approvals"),
        message_body=sfn.TaskInput.from_object(message),
        integration_pattern=sfn.IntegrationPattern.WAIT_FOR_TASK_TOKEN,
        result_path=sfn.JsonPath.DISCARD,
    )


def deploy(stack: Stack, group: ModelPackageGroup) -> tasks.CallAwsService:
    """Approves the package in its group."""
    return tasks.CallAwsService(
        stack,
        "Deploy",
        service="sagemaker",
        action="updateModelPackage",
        parameters={"ModelPackageArn": sfn.JsonPath.string_at(PACKAGE), "ModelApprovalStatus": "Approved"},
        iam_resources=[group.model_package_group_arn],
    )


def test_train_evaluate_approve_and_deploy_are_one_chain() -> None:
    stack = stack_of()
    group = ModelPackageGroup(stack, "Tuned")
    declared = trainer(stack, output_model_package_group=group, dry_run=True)
    train = AgentRFTTrainTask(stack, "Train", trainer=declared, result_path="$.Train")
    evaluate = AgentRFTEvaluateTask(
        stack,
        "Evaluate",
        evaluator=evaluator(stack),
        model_package=sfn.JsonPath.string_at(PACKAGE),
        model_package_group=group,
        result_path="$.Evaluate",
    )
    states = machine(stack, train, evaluate, approve(stack), deploy(stack, group))
    following = {name: state.get("Next", "") for name, state in states.items()}
    assert following == {"Train": "Evaluate", "Evaluate": "Approve", "Approve": "Deploy", "Deploy": ""}
    assert states["Deploy"]["Parameters"]["ModelPackageArn.$"] == PACKAGE
