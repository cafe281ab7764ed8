"""Texts that only the deploy knows: by the app's own resource whose attribute they are, else guessed with a warning."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, Stack
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sagemaker as sagemaker
from aws_cdk import aws_ssm as ssm
from synth.app import JOB, Synthesized, function_in, readable, stack_of, trainer
from synth.test_agent_environment import made_runtime

from agent_rft import AgentEnvironment, Model, ModelPackageGroup

GUESSED = "is only known at deploy, so it is taken for"
INVOKE = ("bedrock-agentcore:InvokeAgentRuntime", "lambda:InvokeFunction")


def parameter(stack: Stack) -> str:
    return ssm.StringParameter.value_for_string_parameter(stack, "/theirs")


def guesses(made: Synthesized) -> list[str]:
    return [text for text in made.warnings() if GUESSED in text]


def one_job(agent_env: Any, stack: Stack) -> Synthesized:
    trainer(stack, agent_env=agent_env)
    return Synthesized(stack)


def test_an_agent_of_a_parameter_may_be_either_is_granted_both_and_warned_of() -> None:
    stack = stack_of()
    made = one_job(parameter(stack), stack)
    (name,) = [each for each in made.json["Parameters"] if "theirs" in each]
    assert {action: made.allowed(action) for action in INVOKE} == {
        INVOKE[0]: [f"${{{name}}}", f"${{{name}}}/*"],
        INVOKE[1]: [f"${{{name}}}", f"${{{name}}}:*"],
    }
    (text,) = guesses(made)
    assert "from_function_arn" in text
    assert "from_agent_runtime_arn" in text


AGENTS: dict[str, Callable[[Stack], str]] = {
    "function": lambda stack: function_in(stack).function_arn,
    "version": lambda stack: function_in(stack).current_version.function_arn,
    "alias": lambda stack: (
        lambda_.Alias(stack, "Live", alias_name="live", version=function_in(stack).current_version).function_arn
    ),
    "alias by name": lambda stack: f"{function_in(stack).function_arn}:live",
}


@pytest.mark.parametrize("kind", AGENTS)
@pytest.mark.parametrize("is_foreign", [False, True])
def test_an_agent_by_the_arn_of_the_apps_own_function_is_known_for_one(kind: str, is_foreign: bool) -> None:
    app = App()
    theirs, ours = stack_of(app, "Agents"), stack_of(app)
    made = one_job(AGENTS[kind](theirs if is_foreign else ours), ours)
    granted = made.allowed(INVOKE[1])
    assert len(granted) == (2 if kind == "function" else 1)
    assert made.allowed(INVOKE[0]) == []
    assert guesses(made) == []


@pytest.mark.parametrize("kind", ["arn", "id", "endpoint"])
def test_an_agent_by_an_attribute_of_the_apps_own_runtime_is_known_for_one(kind: str) -> None:
    stack = stack_of()
    runtime = made_runtime(stack)
    endpoint = agentcore.CfnRuntimeEndpoint(stack, "E", agent_runtime_id=runtime.attr_agent_runtime_id, name="E")
    forms = {
        "arn": runtime.attr_agent_runtime_arn,
        "id": runtime.attr_agent_runtime_id,
        "endpoint": endpoint.attr_agent_runtime_endpoint_arn,
    }
    made = one_job(forms[kind], stack)
    assert len(made.allowed(INVOKE[0])) == 2
    assert all(":" in each or "Arn" in each for each in made.allowed(INVOKE[0]))
    assert made.allowed(INVOKE[1]) == []
    assert guesses(made) == []


@pytest.mark.parametrize(
    "argument",
    ["model", "role", "output_model_package_group", "intermediate_checkpoint_model_package_group"],
)
def test_every_other_guess_is_warned_of_by_its_argument_and_with_the_ways_to_say_it(argument: str) -> None:
    stack = stack_of()
    trainer(stack, **{argument: parameter(stack)})
    (text,) = guesses(Synthesized(stack))
    assert text.startswith(f"{argument} is only known")
    assert "from_" in text


def test_what_is_said_is_not_warned_of() -> None:
    stack = stack_of()
    token = parameter(stack)
    said: list[dict[str, Any]] = [
        {"agent_env": AgentEnvironment.from_function_arn(token)},
        {"agent_env": AgentEnvironment.from_agent_runtime_arn(token)},
        {"agent_env": AgentEnvironment.from_agent_runtime_id(token)},
        {"agent_env": f"arn:aws:lambda:us-west-2:111122223333:function:{token}"},
        {"model": Model.from_hub(token)},
        {"model": Model.from_model_package(token)},
        {"model": Model.from_model_package_group(token)},
        {"role": iam.Role.from_role_arn(stack, "Role", token)},
        {"role": f"rft-{token}"},
        {"output_model_package_group": f"rft-{token}"},
        {"output_model_package_group": ModelPackageGroup.from_model_package_group_arn(stack, "Group", token)},
    ]
    for number, each in enumerate(said):
        trainer(stack, f"T{number}", **each)
    assert guesses(Synthesized(stack)) == []


@pytest.mark.parametrize("kind", ["name", "arn"])
def test_a_role_of_the_app_is_known_by_its_name_and_by_its_arn(kind: str) -> None:
    stack = stack_of()
    role = iam.Role(stack, "Own", assumed_by=iam.ServicePrincipal("job.sagemaker.amazonaws.com"))
    trainer(stack, role=role.role_name if kind == "name" else role.role_arn)
    made = Synthesized(stack)
    assert guesses(made) == []
    assert readable(made.job()["RoleArn"]).endswith((".Arn}", ":role/${" + str(stack.get_logical_id(_cfn(role))) + "}"))


def _cfn(role: iam.Role) -> iam.CfnRole:
    resource = role.node.default_child
    assert isinstance(resource, iam.CfnRole)
    return resource


@pytest.mark.parametrize("kind", ["plain ref", "plain arn", "restricted arn", "restricted name"])
def test_a_group_of_the_app_is_known_by_its_arn_and_by_its_name(kind: str) -> None:
    stack = stack_of()
    plain = sagemaker.CfnModelPackageGroup(stack, "Plain", model_package_group_name="plain")
    restricted = ModelPackageGroup(stack, "Nova", managed_storage_type="Restricted")
    forms = {
        "plain ref": plain.ref,
        "plain arn": plain.attr_model_package_group_arn,
        "restricted arn": restricted.model_package_group_arn,
        "restricted name": restricted.model_package_group_name,
    }
    trainer(stack, output_model_package_group=forms[kind])
    made = Synthesized(stack)
    (job,) = made.resources(JOB).values()
    assert guesses(made) == []
    said = stack.resolve(forms[kind])
    is_name = kind == "restricted name"
    assert (said != job["Properties"]["OutputModelPackageGroup"]) == is_name


def test_a_package_of_the_app_is_known_for_one() -> None:
    stack = stack_of()
    package = sagemaker.CfnModelPackage(stack, "Package")
    trainer(stack, model=package.ref)
    made = Synthesized(stack)
    assert guesses(made) == []
    assert made.allowed("sagemaker:AccessModelPackage")


@pytest.mark.parametrize("kind", ["id", "arn"])
def test_a_key_of_the_app_is_known_by_its_id_and_by_its_arn(kind: str) -> None:
    stack = stack_of()
    key = kms.Key(stack, "Key")
    trainer(stack, kms_key=key.key_id if kind == "id" else key.key_arn)
    made = Synthesized(stack)
    assert made.job()["KmsKeyArn"] == stack.resolve(key.key_arn)
    assert not any("own policy cannot be seen" in text for text in made.warnings())


def test_a_parameter_of_the_stack_is_a_guess_too() -> None:
    stack = stack_of()
    made = one_job(CfnParameter(stack, "Agent").value_as_string, stack)
    assert len(guesses(made)) == 1
