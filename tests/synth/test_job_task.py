"""Jobs as states: what the state machine hands over, who may call what, and what is refused."""

import json
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct
from synth.app import LAMBDA_ARN, Synthesized, readable, stack_of, trainer

from agent_rft import AgentRFTEvaluateTask, AgentRFTTrainTask, MultiTurnRLEvaluator
from agent_rft_handler.declaration import ARGUMENTS

MACHINE, RULE = "AWS::StepFunctions::StateMachine", "AWS::Events::Rule"


def evaluator(stack: Construct, **changed: Any) -> MultiTurnRLEvaluator:
    plain: dict[str, Any] = {"model": "openai-reasoning-gpt-oss-20b", "dataset": "s3://data-bkt/held-out.jsonl"}
    return MultiTurnRLEvaluator(stack, "Evaluator", agent_config=LAMBDA_ARN, **{**plain, "dry_run": True, **changed})


def machine(stack: Stack, *states: Any) -> dict[str, Any]:
    """The states of a state machine made of these, by their names; a branch's too."""
    chain = sfn.Chain.start(states[0])
    for each in states[1:]:
        chain = chain.next(each)
    sfn.StateMachine(stack, "Machine", definition_body=sfn.DefinitionBody.from_chainable(chain))
    ((_, made),) = Synthesized(stack).resources(MACHINE).items()
    return dict(json.loads(readable(made["Properties"]["DefinitionString"]))["States"])


def payload(states: dict[str, Any], name: str) -> dict[str, Any]:
    submitted = states[name]["Branches"][0]["States"][f"{name}: submit"]
    return dict(submitted["Parameters"]["Payload"])


def test_the_state_hands_over_just_what_the_trainer_declares() -> None:
    stack = stack_of()
    train = AgentRFTTrainTask(stack, "Train", trainer=trainer(stack, dry_run=True, tags={"Owner": "me"}))
    given = payload(machine(stack, train), "Train")
    declared = Synthesized(stack).job()
    crossing = {argument.wire_name for argument in ARGUMENTS} | {"Tags"}
    assert {
        key: readable(value) if isinstance(value, dict) and key != "Hyperparameters" and key != "Tags" else value
        for key, value in declared.items()
        if key in crossing
    } == given["Declared"]
    assert (given["Execution.$"], given["EnteredTime.$"]) == ("$$.Execution.Id", "$$.State.EnteredTime")


def test_the_input_may_take_the_place_of_hyperparameters() -> None:
    stack = stack_of()
    epochs = sfn.JsonPath.string_at("$.epochs")
    train = AgentRFTTrainTask(
        stack, "Train", trainer=trainer(stack, dry_run=True), hyperparameters={"max_epochs": epochs, "seed": 1}
    )
    given = payload(machine(stack, train), "Train")["Inputs"]
    assert given == {"Hyperparameters": {"max_epochs.$": "$.epochs", "seed": "1"}}


def test_a_trainer_that_the_deployment_submits_is_refused() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match=r"\[S/Train\] The job .* must be declared with dry_run=True"):
        AgentRFTTrainTask(stack, "Train", trainer=trainer(stack))


def test_a_package_without_its_group_is_refused() -> None:
    stack = stack_of()
    package = sfn.JsonPath.string_at("$.package")
    with pytest.raises(ValueError, match="Give model_package_group"):
        AgentRFTEvaluateTask(stack, "Evaluate", evaluator=evaluator(stack), model_package=package)


def test_what_was_tuned_is_evaluated_with_rights_to_its_groups_packages() -> None:
    stack = stack_of()
    tuned = trainer(stack, dry_run=True)
    train = AgentRFTTrainTask(stack, "Train", trainer=tuned, result_path="$.Train")
    evaluate = AgentRFTEvaluateTask(
        stack,
        "Evaluate",
        evaluator=evaluator(stack),
        model_package=sfn.JsonPath.string_at("$.Train.OutputModelPackageArn"),
        model_package_group=tuned.output_model_package_group,
    )
    states = machine(stack, train, evaluate)
    assert payload(states, "Evaluate")["Inputs"] == {"Model.$": "$.Train.OutputModelPackageArn"}
    made = Synthesized(stack)
    for role, action in (("EvaluatorExecutionRole", "AccessModelPackage"), ("HandlerRole", "DescribeModelPackage")):
        assert any("model-package/" in each for each in made.allowed(f"sagemaker:{action}", role)), role


def test_the_rule_sees_the_stacks_state_machines_and_no_watcher() -> None:
    stack = stack_of()
    trainer(stack, "Told").on_failed("Failed")
    machine_of = sfn.DefinitionBody.from_chainable(
        AgentRFTTrainTask(stack, "Train", trainer=trainer(stack, dry_run=True))
    )
    made = sfn.StateMachine(stack, "Machine", definition_body=machine_of)
    patterns = [rule["Properties"]["EventPattern"] for rule in Synthesized(stack).resources(RULE).values()]
    (pattern,) = [each for each in patterns if each["source"] == ["aws.states"]]
    assert pattern["detail"]["stateMachineArn"] == [stack.resolve(made.state_machine_arn)]
    assert set(pattern["detail"]["status"]) == {"ABORTED", "FAILED", "SUCCEEDED", "TIMED_OUT"}


def test_tasks_share_their_functions() -> None:
    stack = stack_of()
    first = AgentRFTTrainTask(stack, "First", trainer=trainer(stack, "One", dry_run=True))
    second = AgentRFTTrainTask(stack, "Second", trainer=trainer(stack, "Two", dry_run=True))
    machine(stack, first, second)
    functions = Synthesized(stack).resources("AWS::Lambda::Function")
    assert len(functions) == 4  # the handler's, to look, to submit, to stop


def test_a_state_takes_jobs_of_its_own_category_only() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match="of the category AgentRFTEvaluation, but this state runs AgentRFT jobs"):
        AgentRFTTrainTask(stack, "Train", trainer=evaluator(stack))


def test_a_trainers_watcher_starts_the_evaluation_by_the_jobs_name() -> None:
    stack = stack_of()
    evaluation = trainer(stack).evaluate_on_completion(evaluator(stack))
    made = Synthesized(stack)
    machines = {
        name: readable(each["Properties"]["DefinitionString"]) for name, each in made.resources(MACHINE).items()
    }
    (watcher,) = [text for name, text in machines.items() if "Watcher" in name]
    follow = json.loads(watcher)["States"]["Follow"]
    assert follow["Parameters"]["StateMachineArn"] == readable(stack.resolve(evaluation.state_machine_arn))
    assert (follow["Parameters"]["Name.$"], follow["Parameters"]["Input.$"]) == ("$.JobName", "$.Detail")
    assert made.allowed("states:StartExecution", "WatchRole") == [follow["Parameters"]["StateMachineArn"]]
