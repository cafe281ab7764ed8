"""A queue of declared jobs: what crosses the wire, who may do what, and what is refused."""

import json
from typing import Any

import pytest
from aws_cdk import RemovalPolicy, Stack, Token
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from synth.app import Synthesized, readable, stack_of, trainer
from synth.test_job_task import evaluator

from agent_rft import AgentRFTTrainTask, JobQueue, MultiTurnRLEvaluator
from agent_rft.job_queue.queued_jobs import MAX_SIZE, states
from agent_rft_handler.declaration import ARGUMENTS
from agent_rft_handler.event import Event
from agent_rft_handler.job_queue.queue import Queue

QUEUE, MACHINE = "Custom::AgentRFTJobQueue", "AWS::StepFunctions::StateMachine"


def properties(stack: Stack) -> dict[str, Any]:
    """The one queue's properties."""
    (resource,) = Synthesized(stack).resources(QUEUE).values()
    return dict(resource["Properties"])


def queue_of(*ids: str, **given: Any) -> Stack:
    """A stack with a queue of these trainers."""
    stack = stack_of()
    JobQueue(stack, "Queue", jobs=[trainer(stack, id, dry_run=True) for id in ids], **given)
    return stack


def test_the_jobs_cross_in_their_order_as_they_are_declared() -> None:
    stack = stack_of()
    queue = JobQueue(stack, "Queue", jobs=[trainer(stack, "Second", dry_run=True)])
    queue.add(trainer(stack, "First", dry_run=True, tags={"Owner": "me"}))
    declared = properties(stack)["Declared"]
    assert [(row["Name"], row["Job"]) for row in declared["Rows"]] == [("Second", "Second"), ("First", "First")]
    resources = Synthesized(stack).resources("Custom::AgentRFTJob")
    (of_trainer,) = (each["Properties"] for name, each in resources.items() if name.startswith("First"))
    crossing = {argument.wire_name for argument in ARGUMENTS}
    assert declared["Jobs"]["First"] == {key: value for key, value in of_trainer.items() if key in crossing}
    assert declared["Jobs"]["First"]["Tags"] == {"Owner": "me"}


def test_what_crosses_is_what_the_handler_reads() -> None:
    given = json.loads(json.dumps(properties(queue_of("A", "B", concurrency=3, stop_on_failure=True))))
    whose = {"StackId": "arn:aws:cloudformation:r:a:stack/S/1", "LogicalResourceId": "Queue"}
    event = Event.of({**whose, "ResourceProperties": given})
    queue = Queue.of(event)
    assert (queue.concurrency, queue.stops_on_failure, queue.every) == (3, True, 60)
    assert [(row.name, row.declaration.dry_run, row.declaration.run_id) for row in queue.rows] == [
        ("A", False, "A"),
        ("B", False, "B"),
    ]
    assert len({row.key for row in queue.rows}) == 2  # equal declarations are two jobs


def test_an_evaluator_that_compares_adds_two() -> None:
    stack = stack_of()
    package = f"arn:aws:sagemaker:{stack.region}:{stack.account}:model-package/tuned/3"
    compared: MultiTurnRLEvaluator = evaluator(stack, model=package, evaluate_base_model=True)
    JobQueue(stack, "Queue", jobs=[compared])
    assert [row["Name"] for row in properties(stack)["Declared"]["Rows"]] == ["Evaluator", "Evaluator/BaseModel"]


def test_the_state_machine_takes_turns_until_all_have_ended() -> None:
    (made,) = Synthesized(queue_of("A")).resources(MACHINE).values()
    definition = json.loads(readable(made["Properties"]["DefinitionString"]))
    assert definition == states("${AgentRFTJobTurnsTurnD7B60F8A.Arn}", "${AWS::Partition}")


def test_each_role_may_do_what_the_queue_needs_of_it() -> None:
    made = Synthesized(queue_of("A"))
    assert made.allowed("lambda:InvokeFunction", "QueueRole") == ["${AgentRFTJobTurnsTurnD7B60F8A.Arn}"]
    (folder,) = made.allowed("s3:PutObject", "QueueAccess")
    assert folder.startswith("${QueueResults")
    assert "/queues/S-Queue-" in folder
    assert folder.endswith("/*")
    assert made.allowed("s3:ListBucket", "QueueAccess")[0].startswith("${QueueResults")
    assert made.allowed("states:StartExecution", "QueueAccess")[0].startswith("${QueueMachine")


def test_a_bucket_with_a_key_lets_the_function_use_it_through_s3() -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    bucket = s3.Bucket(stack, "Bucket", encryption_key=key)
    JobQueue(stack, "Queue", jobs=[trainer(stack, dry_run=True)], output_bucket=bucket)
    made = Synthesized(stack)
    assert made.allowed("kms:GenerateDataKey", "QueueAccess")[0].startswith("${Key")
    assert [name for name in made.resources("AWS::S3::Bucket") if "Results" in name] == []


def test_the_bucket_that_is_made_stays_unless_told_otherwise() -> None:
    kept, gone = (
        Synthesized(queue_of("A", **given)).resources("AWS::S3::Bucket")
        for given in ({}, {"removal_policy": RemovalPolicy.DESTROY})
    )
    policies = [each["DeletionPolicy"] for found in (kept, gone) for name, each in found.items() if "Results" in name]
    assert policies == ["Retain", "Delete"]


def test_the_queue_waits_for_its_jobs_and_their_roles() -> None:
    (resource,) = Synthesized(queue_of("A", "B")).resources(QUEUE).values()
    needed = " ".join(resource["DependsOn"])
    assert all(part in needed for part in ("AJob", "BJob", "QueueAccess", "QueueRoleDefaultPolicy", "QueueResults"))


def test_one_function_serves_every_queue_of_a_stack() -> None:
    one = Synthesized(queue_of("A")).json["Resources"]
    stack = stack_of()
    JobQueue(stack, "One", jobs=[trainer(stack, "A", dry_run=True)])
    JobQueue(stack, "Two", jobs=[trainer(stack, "B", dry_run=True)])
    two = Synthesized(stack).json["Resources"]
    kinds = sorted(each["Type"] for name, each in two.items() if name.startswith("Two"))
    assert kinds == sorted([QUEUE, MACHINE, "AWS::IAM::Policy", "AWS::S3::Bucket", "AWS::S3::BucketPolicy"])
    assert sum(each["Type"] == "AWS::Lambda::Function" for each in two.values()) == sum(
        each["Type"] == "AWS::Lambda::Function" for each in one.values()
    )


def test_a_queues_executions_are_none_of_the_tasks() -> None:
    stack = stack_of()
    tuned = trainer(stack, dry_run=True)
    train = AgentRFTTrainTask(stack, "Train", trainer=tuned)
    sfn.StateMachine(stack, "Pipeline", definition_body=sfn.DefinitionBody.from_chainable(train))
    JobQueue(stack, "Queue", jobs=[trainer(stack, "Other", dry_run=True)])
    (rule,) = Synthesized(stack).resources("AWS::Events::Rule").values()
    (machine,) = rule["Properties"]["EventPattern"]["detail"]["stateMachineArn"]
    assert readable(machine).startswith("${Pipeline")


def test_a_job_that_the_deployment_submits_is_refused() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"\[S/Queue\] The job S/.* must be declared with dry_run=True"):
        JobQueue(stack, "Queue", jobs=[trainer(stack)])


def test_a_job_that_is_there_already_is_refused() -> None:
    stack = stack_of()
    tuned = trainer(stack, dry_run=True)
    with pytest.raises(ValueError, match=r"\[S/Queue\] Trainer is in the queue already"):
        JobQueue(stack, "Queue", jobs=[tuned, tuned])


@pytest.mark.parametrize("concurrency", [0, -1])
def test_a_concurrency_that_is_no_number_of_jobs_is_refused(concurrency: int) -> None:
    with pytest.raises(ValueError, match="must be a positive integer"):
        queue_of("A", concurrency=concurrency)


def test_a_concurrency_that_the_deploy_knows_passes() -> None:
    stack = queue_of("A", concurrency=Token.as_number({"Ref": "Jobs"}))
    assert properties(stack)["Concurrency"] == {"Ref": "Jobs"}


def test_more_than_one_at_a_time_warns_of_the_quota() -> None:
    assert "cdk-agent-rft:queue-concurrency" in str(Synthesized(queue_of("A", concurrency=2)).warnings())
    assert "cdk-agent-rft:queue-concurrency" not in str(Synthesized(queue_of("A")).warnings())


def test_a_queue_that_no_event_holds_is_refused_with_its_size() -> None:
    stack = stack_of()
    long = {f"name{i}": "x" * 2400 for i in range(49)}
    queue = JobQueue(stack, "Queue", jobs=[trainer(stack, "A", dry_run=True, hyperparameters=long)])
    assert queue.node.validate() == []
    queue.add(trainer(stack, "B", dry_run=True, hyperparameters=long))
    (problem,) = queue.node.validate()
    assert f"has room for {MAX_SIZE}. Split it into two" in problem
