"""Notifications: rules that match the resource's jobs, and nothing made before one is asked for."""

import json
from typing import Any

import pytest
from aws_cdk import App, Environment, Stack
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_sns as sns
from synth.app import ACCOUNT, REGION, Synthesized, function_in, stack_of, trainer

from agent_rft import MultiTurnRLTrainer
from agent_rft.watch.job_watch import states
from agent_rft_handler.contract import WATCH_RESOURCE_TYPE
from agent_rft_handler.job_event import DETAIL_TYPE, SOURCE

RULE, MACHINE = "AWS::Events::Rule", "AWS::StepFunctions::StateMachine"


def patterns(made: Synthesized) -> dict[str, Any]:
    return {name: rule["Properties"]["EventPattern"] for name, rule in made.resources(RULE).items()}


def test_a_trainer_that_tells_nobody_has_no_watcher() -> None:
    stack = stack_of()
    trainer(stack)
    assert Synthesized(stack).resources(MACHINE) == {}


@pytest.mark.parametrize(
    ("method", "statuses"),
    [
        ("on_state_change", None),
        ("on_completed", ["Completed"]),
        ("on_failed", ["Failed"]),
        ("on_stopped", ["Stopped"]),
    ],
)
def test_a_rule_matches_this_resources_jobs_whichever_replaces_which(method: str, statuses: list[str] | None) -> None:
    stack = stack_of()
    rule = getattr(trainer(stack), method)("Told", target=targets.LambdaFunction(function_in(stack)))
    assert isinstance(rule, events.Rule)
    ((_, pattern),) = patterns(Synthesized(stack)).items()
    assert (pattern["source"], pattern["detail-type"]) == ([SOURCE], [DETAIL_TYPE])
    assert pattern["detail"]["StackId"] == [{"Ref": "AWS::StackId"}]
    assert pattern["detail"]["LogicalResourceId"] == ["TrainerJob5D55E165"]
    assert pattern["detail"].get("JobStatus") == statuses


def test_an_own_pattern_narrows_the_rule() -> None:
    stack = stack_of()
    own = events.EventPattern(detail={"SecondaryStatus": ["MaxRuntimeExceeded"]})
    trainer(stack).on_stopped("Told", event_pattern=own, rule_name="late", description="Too slow")
    ((_, rule),) = Synthesized(stack).resources(RULE).items()
    assert rule["Properties"]["EventPattern"]["detail"]["SecondaryStatus"] == ["MaxRuntimeExceeded"]
    assert rule["Properties"]["EventPattern"]["detail"]["JobStatus"] == ["Stopped"]
    assert (rule["Properties"]["Name"], rule["Properties"]["Description"]) == ("late", "Too slow")


def test_a_job_from_elsewhere_is_told_by_its_name() -> None:
    stack = stack_of()
    job = MultiTurnRLTrainer.from_job_name(stack, "Job", "earlier")
    job.on_failed("Told")
    made = Synthesized(stack)
    ((_, pattern),) = patterns(made).items()
    assert pattern["detail"] == {"JobName": ["earlier"], "JobStatus": ["Failed"]}
    ((_, watch),) = made.resources(WATCH_RESOURCE_TYPE).items()
    assert watch["Properties"]["JobName"] == "earlier"


def test_a_job_of_another_region_cannot_be_watched_from_here() -> None:
    arn = f"arn:aws:sagemaker:eu-west-1:{ACCOUNT}:job/AgentRFT/earlier"
    with pytest.raises(ValueError, match="a watcher sees jobs of its own account and region only"):
        MultiTurnRLTrainer.from_job_arn(stack_of(), "Job", arn).on_failed("Told")


def test_the_watcher_starts_after_the_rules_and_the_topics_that_it_tells() -> None:
    stack = stack_of()
    topic = sns.Topic(stack, "Topic")
    told = trainer(stack)
    told.notify(topic)
    told.on_failed("Failed", target=targets.LambdaFunction(function_in(stack)))
    made = Synthesized(stack)
    ((_, watch),) = made.resources(WATCH_RESOURCE_TYPE).items()
    needed = set(watch["DependsOn"])
    assert set(made.resources(RULE)) | set(made.resources("AWS::SNS::TopicPolicy")) <= needed
    assert set(made.resources("AWS::Lambda::Permission")) <= needed


def test_two_trainers_share_the_function_and_have_a_state_machine_each() -> None:
    stack = stack_of()
    for id in ("One", "Two"):
        told = trainer(stack, id)
        told.on_failed("Failed")
        told.on_completed("Completed")
        told.metric_failed()
    made = Synthesized(stack)
    assert len(made.resources(MACHINE)) == len(made.resources(WATCH_RESOURCE_TYPE)) == 2
    assert len([name for name in made.resources("AWS::Lambda::Function") if "Watcher" in name]) == 1


def test_a_message_reads_as_a_sentence() -> None:
    stack = stack_of()
    trainer(stack).notify(sns.Topic(stack, "Topic"), statuses=("Failed",))
    ((_, rule),) = Synthesized(stack).resources(RULE).items()
    (target,) = rule["Properties"]["Targets"]
    template = '"The job <detail-JobName> is <detail-JobStatus>. <detail-FailureReason>"'
    assert target["InputTransformer"]["InputTemplate"] == template
    assert rule["Properties"]["EventPattern"]["detail"]["JobStatus"] == ["Failed"]


def test_the_metrics_are_those_of_the_jobs_own_state_machine() -> None:
    stack = stack_of()
    told = trainer(stack)
    told.metric_failed().create_alarm(stack, "Alarm", threshold=1, evaluation_periods=1)
    ((_, alarm),) = Synthesized(stack).resources("AWS::CloudWatch::Alarm").items()
    assert (alarm["Properties"]["Namespace"], alarm["Properties"]["MetricName"]) == ("AWS/States", "ExecutionsFailed")
    ((machine, _),) = Synthesized(stack).resources(MACHINE).items()
    assert alarm["Properties"]["Dimensions"] == [{"Name": "StateMachineArn", "Value": {"Ref": machine}}]
    assert told.metric_duration().metric_name == told.metric("ExecutionTime").metric_name


def test_a_target_in_another_stack_has_its_rule_there() -> None:
    app = App()
    stack = stack_of(app)
    other = Stack(app, "Other", env=Environment(account=ACCOUNT, region=REGION))
    trainer(stack).on_failed("Told", cross_stack_scope=other)
    assert len(Synthesized(other).resources(RULE)) == 1


def test_the_states_that_a_watcher_names_are_there() -> None:
    stack = stack_of()
    trainer(stack).on_failed("Told")
    ((_, machine),) = Synthesized(stack).resources(MACHINE).items()
    text = "".join(
        each if isinstance(each, str) else "X" for each in machine["Properties"]["DefinitionString"]["Fn::Join"][1]
    )
    watcher = json.loads(text)["States"]
    named = {each for state in watcher.values() for each in _next(state)}
    assert named | {"Look"} == set(watcher)


def _next(state: dict[str, Any]) -> set[str]:
    choices = {choice["Next"] for choice in state.get("Choices", [])}
    return choices | {state[key] for key in ("Next", "Default") if key in state}


def test_a_watcher_that_nothing_follows_has_no_such_state() -> None:
    assert "Follow" not in states("arn", "aws")["States"]
    assert {"Follow", "Ended"} <= {
        each for state in states("arn", "aws", "next")["States"].values() for each in _next(state)
    }
