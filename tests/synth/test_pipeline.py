"""Jobs in a chain with what Step Functions has of its own."""

from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from synth.app import stack_of, trainer
from synth.test_job_task import evaluator, machine

from agent_rft import AgentRFTEvaluateTask, AgentRFTTrainTask


def test_train_evaluate_approve_and_deploy_are_one_chain_with_step_functions_own_tasks() -> None:
    stack = stack_of()
    made = trainer(stack, dry_run=True)
    package = sfn.JsonPath.string_at("$.Train.OutputModelPackageArn")
    train = AgentRFTTrainTask(stack, "Train", trainer=made, result_path="$.Train")
    evaluate = AgentRFTEvaluateTask(
        stack,
        "Evaluate",
        evaluator=evaluator(stack),
        model_package=package,
        model_package_group=made.output_model_package_group,
        result_path="$.Evaluate",
    )
    asked = tasks.SqsSendMessage(
        stack,
        "Approve",
        queue=sqs.Queue(stack, "Approvals"),
        message_body=sfn.TaskInput.from_object({"Package": package, "Token": sfn.JsonPath.task_token}),
        integration_pattern=sfn.IntegrationPattern.WAIT_FOR_TASK_TOKEN,
        result_path=sfn.JsonPath.DISCARD,
    )
    deploy = tasks.CallAwsService(
        stack,
        "Deploy",
        service="sagemaker",
        action="updateModelPackage",
        parameters={"ModelPackageArn": package, "ModelApprovalStatus": "Approved"},
        iam_resources=[made.output_model_package_group.model_package_group_arn],
    )
    states = machine(stack, train, evaluate, asked, deploy)
    following = {name: state.get("Next", "") for name, state in states.items()}
    assert following == {"Train": "Evaluate", "Evaluate": "Approve", "Approve": "Deploy", "Deploy": ""}
    assert states["Deploy"]["Parameters"]["ModelPackageArn.$"] == "$.Train.OutputModelPackageArn"
