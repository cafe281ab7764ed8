"""The evaluator: what it declares, whom it lets do what, and what it shares with a trainer."""

from typing import Any

import pytest
from aws_cdk import CfnParameter, Duration, RemovalPolicy, Stack, Tags
from aws_cdk import aws_lambda as lambda_
from synth.app import ACCOUNT, JOB, LAMBDA_ARN, PACKAGE_ARN, REGION, RUNTIME_ARN, Synthesized, stack_of, trainer

from agent_rft import EvaluationHyperParameters, MultiTurnRLEvaluator
from agent_rft.hyperparameters.recipe_tables import SET_BY_EVALUATION
from agent_rft_handler.contract import from_properties
from agent_rft_handler.declaration import ARGUMENTS
from agent_rft_handler.facts import AGENT_RFT_EVALUATION


def evaluator(stack: Stack, id: str = "Evaluator", **changed: Any) -> MultiTurnRLEvaluator:
    """The plain evaluator, with some of it changed; None takes an argument away."""
    plain: dict[str, Any] = {
        "model": "openai-reasoning-gpt-oss-20b",
        "agent_config": RUNTIME_ARN,
        "dataset": "s3://data-bkt/prompts/held-out.parquet",
    }
    given = {name: value for name, value in {**plain, **changed}.items() if value is not None}
    return MultiTurnRLEvaluator(stack, id, **given)


def evaluated(**changed: Any) -> Synthesized:
    """A stack with the plain evaluator, with some of it changed."""
    stack = stack_of()
    evaluator(stack, **changed)
    return Synthesized(stack)


def test_it_declares_an_evaluation_and_nothing_that_only_a_training_has() -> None:
    job = evaluated().job()
    declared = from_properties(job)
    assert declared.job_category == "AgentRFTEvaluation"
    assert declared.dataset == "s3://data-bkt/prompts/held-out.parquet"
    assert declared.stopping_condition == "86400"
    assert declared.bedrock_agentcore_qualifier == ""
    trainings = {each.wire_name for each in ARGUMENTS if AGENT_RFT_EVALUATION not in each.categories}
    assert not trainings & set(job)


def test_it_makes_no_group_as_it_registers_no_model() -> None:
    assert evaluated().resources("AWS::SageMaker::ModelPackageGroup") == {}


def test_the_role_reads_the_dataset_and_the_package_and_registers_nothing() -> None:
    statements = evaluated(model=PACKAGE_ARN).statements()
    actions = {action for each in statements for action in _list(each["Action"])}
    assert {"s3:GetObject", "sagemaker:AccessModelPackage", "bedrock-agentcore:InvokeAgentRuntime"} <= actions
    assert "sagemaker:CreateModelPackage" not in actions
    (package,) = (each for each in statements if "sagemaker:AccessModelPackage" in _list(each["Action"]))
    assert package["Resource"] == PACKAGE_ARN


def test_the_handler_may_submit_find_and_stop_evaluations_as_it_may_trainings() -> None:
    for action in ("sagemaker:CreateJob", "sagemaker:DescribeJob", "sagemaker:StopJob"):
        (statement,) = (each for each in evaluated().statements("HandlerRole") if action in _list(each["Action"]))
        assert _text(statement["Resource"]).endswith(":job/AgentRFT*/*")


def test_a_trainer_and_an_evaluator_share_one_handler() -> None:
    stack = stack_of()
    trainer(stack)
    evaluator(stack)
    made = Synthesized(stack)
    assert len(made.resources(JOB)) == 2
    assert len(made.resources("AWS::Lambda::Function")) == 1


def test_both_models_are_two_jobs_of_one_role_that_follow_one_another() -> None:
    stack = stack_of()
    both = evaluator(stack, model=PACKAGE_ARN, evaluate_base_model=True)
    made = Synthesized(stack)
    jobs = made.resources(JOB)
    own, base = sorted(jobs, key=lambda id: "BaseModel" in id)
    assert jobs[base]["Properties"] == {**jobs[own]["Properties"], "EvaluateBaseModel": "true"}
    assert own in jobs[base]["DependsOn"]
    assert both.base_model_job is not None
    assert both.base_model_job.job_name != both.job_name


def test_a_base_model_is_evaluated_once_whatever_is_asked() -> None:
    stack = stack_of()
    assert evaluator(stack, evaluate_base_model=True).base_model_job is None
    assert len(Synthesized(stack).resources(JOB)) == 1


@pytest.mark.parametrize(
    ("given", "sent"), [(3600, "3600"), (Duration.hours(72), "259200"), (Duration.minutes(1), "60")]
)
def test_a_stopping_condition_is_seconds_or_a_duration(given: object, sent: str) -> None:
    assert evaluated(stopping_condition=given).job()["StoppingCondition"] == sent


def test_a_stopping_condition_may_be_known_at_deploy_only() -> None:
    stack = stack_of()
    seconds = CfnParameter(stack, "Seconds", type="Number", default=3600)
    evaluator(stack, stopping_condition=seconds.value_as_number)
    assert Synthesized(stack).job()["StoppingCondition"] == {"Ref": "Seconds"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"stopping_condition": 259_201}, "stopping_condition is '259201', but must be a number of seconds from 1"),
        ({"stopping_condition": 0}, "stopping_condition is '0', but must be"),
        ({"dataset": "prompts.jsonl"}, "dataset is 'prompts.jsonl', but must be an S3 URI"),
        ({"agent_config": "arn:aws:s3:::agent"}, "agent_config is 'arn:aws:s3:::agent', but must be"),
        ({"agent_qualifier": "no name"}, "agent_qualifier is 'no name', but must be"),
        ({"base_eval_name": "no name"}, "base_eval_name is 'no name', but must be"),
        (
            {"agent_config": f"{RUNTIME_ARN}/runtime-endpoint/BETA", "agent_qualifier": "PROD"},
            "agent_qualifier is 'PROD', but agent_config names the endpoint 'BETA'",
        ),
    ],
)
def test_what_is_wrong_is_said_in_the_evaluators_words(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match="S/Evaluator") as caught:
        evaluated(**changed)
    assert said in str(caught.value)


def test_hyperparameters_are_typed_and_sent_as_the_sdk_writes_them() -> None:
    given = EvaluationHyperParameters(eval_group_size=8, pass_k_values=[1, 4], temperature=0.5, unchecked={"new": True})
    job = evaluated(hyperparameters=given).job()
    sent = {"eval_group_size": "8", "pass_k_values": "[1, 4]", "temperature": "0.5", "new": "True"}
    assert job["Hyperparameters"] == sent
    assert job["UncheckedHyperparameters"] == ["new"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"eval_groups": 4}, "close to it is eval_group_size"),
        ({"max_epochs": 4}, "not one of the parameters that an evaluation had"),
        ({"eval_group_size": 129}, "must be from 1 to 128"),
        ({"pass_k_values": "1"}, "must be a list"),
    ],
)
def test_the_published_table_of_evaluations_warns(values: dict[str, object], said: str) -> None:
    assert any(said in text for text in evaluated(hyperparameters=values).warnings())


@pytest.mark.parametrize(("name", "argument"), SET_BY_EVALUATION.items())
def test_what_the_service_sets_itself_warns_unless_it_is_unchecked(name: str, argument: str) -> None:
    (said, *_) = evaluated(hyperparameters={name: "x"}).warnings()
    assert f"hyperparameters[{name!r}]: the service sets it from {argument}." in said
    assert evaluated(hyperparameters=EvaluationHyperParameters(unchecked={name: "x"})).warnings() == []


def test_an_absent_unchecked_name_does_not_cross_the_wire() -> None:
    given = EvaluationHyperParameters(unchecked={"new": None, "odd": ""})
    assert "UncheckedHyperparameters" not in evaluated(hyperparameters=given).job()


def test_tags_reach_both_jobs() -> None:
    stack = stack_of()
    evaluator(stack, model=PACKAGE_ARN, evaluate_base_model=True, tags={"Owner": "me"})
    Tags.of(stack).add("CostCenter", "42")
    jobs = Synthesized(stack).resources(JOB).values()
    assert [each["Properties"]["Tags"] for each in jobs] == [{"CostCenter": "42", "Owner": "me"}] * 2


def test_a_retained_evaluation_outlives_its_stack() -> None:
    stack = stack_of()
    evaluator(stack).apply_removal_policy(RemovalPolicy.RETAIN)
    (job,) = Synthesized(stack).resources(JOB).values()
    assert (job["DeletionPolicy"], job["Properties"]["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_an_evaluation_is_found_by_name_in_its_own_category() -> None:
    job = MultiTurnRLEvaluator.from_job_name(stack_of(), "Earlier", "earlier")
    assert job.job_arn.endswith(f":sagemaker:{REGION}:{ACCOUNT}:job/AgentRFTEvaluation/earlier")
    assert job.log_group_name == "/aws/sagemaker/Job/AgentRFTEvaluation"


def test_an_agents_function_is_taken_with_its_version() -> None:
    stack = stack_of()
    function = lambda_.Function.from_function_arn(stack, "Agent", f"{LAMBDA_ARN}:3")
    evaluator(stack, agent_config=function)
    assert Synthesized(stack).job()["AgentEnv"] == f"{LAMBDA_ARN}:3"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(arn: Any) -> str:
    return arn if isinstance(arn, str) else "".join(part for part in arn["Fn::Join"][1] if isinstance(part, str))
