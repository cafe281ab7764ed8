"""Agents in every form: what is declared, what is granted, what is warned of."""

from typing import Any

import pytest
from aws_cdk import CfnParameter, Duration, Stack
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_lambda as lambda_
from synth.app import (
    ACCOUNT,
    LAMBDA_ARN,
    REGION,
    RUNTIME_ARN,
    Synthesized,
    agnostic_stack,
    function_in,
    readable,
    stack_of,
    synth,
    trainer,
)

from agent_rft import AgentEnvironment

SHORT = "The agent's function ends after"


@pytest.mark.parametrize(
    ("agent_env", "qualifier", "expected"),
    [
        (RUNTIME_ARN, None, (RUNTIME_ARN, "DEFAULT")),
        (RUNTIME_ARN, "PROD", (RUNTIME_ARN, "PROD")),
        (RUNTIME_ARN, "", (RUNTIME_ARN, None)),
        (f"{RUNTIME_ARN}/runtime-endpoint/PROD", None, (f"{RUNTIME_ARN}/runtime-endpoint/PROD", "PROD")),
        ("my-AbCdEfGhIj", None, ("my-AbCdEfGhIj", "DEFAULT")),
        (LAMBDA_ARN, None, (LAMBDA_ARN, None)),
        (f"{LAMBDA_ARN}:prod", None, (f"{LAMBDA_ARN}:prod", None)),
        ("arn:aws-us-gov:lambda:us-gov-west-1:111122223333:function:a", None, None),
    ],
)
def test_agents_given_as_text(agent_env: str, qualifier: str | None, expected: Any) -> None:
    stack = agnostic_stack()
    trainer(stack, agent_env=agent_env, bedrock_agentcore_qualifier=qualifier)
    job = Synthesized(stack).job()
    found = (job["AgentEnv"], job.get("BedrockAgentcoreQualifier"))
    assert found == (expected or (agent_env, None))


def test_a_runtime_is_invoked_by_its_arn_and_what_is_below_and_nothing_wider() -> None:
    allowed = synth().allowed("bedrock-agentcore:InvokeAgentRuntime")
    assert allowed == [RUNTIME_ARN, f"{RUNTIME_ARN}/*"]


def test_a_bare_id_is_granted_in_the_stacks_own_account_and_region() -> None:
    allowed = synth(agent_env="my-AbCdEfGhIj").allowed("bedrock-agentcore:InvokeAgentRuntime")
    arn = f"arn:${{AWS::Partition}}:bedrock-agentcore:{REGION}:{ACCOUNT}:runtime/my-AbCdEfGhIj"
    assert allowed == [arn, f"{arn}/*"]


def made_runtime(stack: Stack) -> agentcore.CfnRuntime:
    return agentcore.CfnRuntime(
        stack,
        "Runtime",
        agent_runtime_name="agent",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/agent",
        network_configuration=agentcore.CfnRuntime.NetworkConfigurationProperty(network_mode="PUBLIC"),
        agent_runtime_artifact=agentcore.CfnRuntime.AgentRuntimeArtifactProperty(
            container_configuration=agentcore.CfnRuntime.ContainerConfigurationProperty(container_uri="uri")
        ),
    )


def test_runtime_and_endpoint_constructs() -> None:
    stack = stack_of()
    runtime = made_runtime(stack)
    imported = agentcore.Runtime.from_agent_runtime_attributes(
        stack,
        "Imported",
        agent_runtime_arn=RUNTIME_ARN,
        agent_runtime_id="my-AbCdEfGhIj",
        agent_runtime_name="my",
        agent_runtime_version="1",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/agent",
    )
    endpoint = agentcore.RuntimeEndpoint(
        stack, "Endpoint", agent_runtime_id=runtime.attr_agent_runtime_id, endpoint_name="PROD"
    )
    trainer(stack, "A", agent_env=imported)
    trainer(stack, "B", agent_env=endpoint)
    trainer(stack, "C", agent_env=AgentEnvironment.from_agent_runtime_arn(runtime.attr_agent_runtime_arn, "PROD"))
    jobs = {name[:1]: job["Properties"] for name, job in Synthesized(stack).resources("Custom::AgentRFTJob").items()}
    assert (jobs["A"]["AgentEnv"], jobs["A"]["BedrockAgentcoreQualifier"]) == (RUNTIME_ARN, "DEFAULT")
    assert jobs["B"]["BedrockAgentcoreQualifier"] == "PROD"
    assert jobs["C"]["AgentEnv"] == {"Fn::GetAtt": ["Runtime", "AgentRuntimeArn"]}


def test_function_alias_and_version_keep_their_qualifier_and_are_granted() -> None:
    stack = stack_of()
    function = function_in(stack)
    alias = lambda_.Alias(stack, "Live", alias_name="live", version=function.current_version)
    trainer(stack, "A", agent_env=function)
    trainer(stack, "B", agent_env=alias)
    trainer(stack, "C", agent_env=function.current_version)
    made = Synthesized(stack)
    jobs = {name[:1]: job["Properties"] for name, job in made.resources("Custom::AgentRFTJob").items()}
    assert jobs["A"]["AgentEnv"] == stack.resolve(function.function_arn)
    assert jobs["B"]["AgentEnv"] == {"Ref": next(iter(made.resources("AWS::Lambda::Alias")))}
    assert jobs["C"]["AgentEnv"] == {"Ref": next(iter(made.resources("AWS::Lambda::Version")))}
    function_arn = readable(jobs["A"]["AgentEnv"])
    granted = {id: made.allowed("lambda:InvokeFunction", f"{id}ExecutionRole") for id in jobs}
    assert granted["A"] == [function_arn, f"{function_arn}:*"]
    assert granted["B"] == [readable(jobs["B"]["AgentEnv"])]
    assert granted["C"] == [readable(jobs["C"]["AgentEnv"])]


def test_a_qualified_arn_is_granted_as_it_is() -> None:
    assert synth(agent_env=f"{LAMBDA_ARN}:prod").allowed("lambda:InvokeFunction") == [f"{LAMBDA_ARN}:prod"]


def test_an_imported_function_of_another_account_is_granted_and_warned_of() -> None:
    arn = f"arn:aws:lambda:{REGION}:222233334444:function:agent"
    stack = stack_of()
    trainer(stack, agent_env=lambda_.Function.from_function_arn(stack, "Theirs", arn))
    made = Synthesized(stack)
    assert made.allowed("lambda:InvokeFunction") == [arn, f"{arn}:*"]
    assert any("its own resource policy" in text for text in made.warnings())


def test_an_imported_function_in_an_env_agnostic_stack_synthesizes() -> None:
    stack = agnostic_stack()
    trainer(stack, agent_env=lambda_.Function.from_function_arn(stack, "Theirs", LAMBDA_ARN))
    assert Synthesized(stack).allowed("lambda:InvokeFunction") == [LAMBDA_ARN, f"{LAMBDA_ARN}:*"]


def plain_function(stack: Stack, timeout: Duration | None) -> lambda_.Function:
    return lambda_.Function(
        stack,
        "Agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        handler="index.handler",
        code=lambda_.Code.from_inline("def handler(event, context): return {}"),
        timeout=timeout,
    )


@pytest.mark.parametrize("form", ["function", "version", "alias", "environment"])
@pytest.mark.parametrize(("seconds", "warned"), [(None, "3"), (599, "599"), (600, "")])
def test_a_function_of_the_app_that_ends_before_a_rollout_is_warned_of(
    form: str, seconds: int | None, warned: str
) -> None:
    stack = stack_of()
    function = plain_function(stack, Duration.seconds(seconds) if seconds else None)
    version = function.current_version
    forms: dict[str, Any] = {
        "function": function,
        "version": version,
        "alias": lambda_.Alias(stack, "Live", alias_name="live", version=version),
        "environment": AgentEnvironment.from_function(function),
    }
    trainer(stack, agent_env=forms[form])
    found = [text for text in Synthesized(stack).warnings() if SHORT in text]
    assert [text.startswith(f"{SHORT} {warned} seconds") for text in found] == ([True] if warned else [])


def test_a_timeout_known_only_at_deploy_is_not_warned_of() -> None:
    stack = stack_of()
    seconds = CfnParameter(stack, "Seconds", type="Number").value_as_number
    trainer(stack, agent_env=plain_function(stack, Duration.seconds(seconds)))
    assert Synthesized(stack).warnings() == []


@pytest.mark.parametrize("form", ["arn", "function", "version", "alias"])
def test_functions_that_are_not_of_the_app_are_not_warned_of(form: str) -> None:
    stack = stack_of()
    version = lambda_.Version.from_version_arn(stack, "Version", f"{LAMBDA_ARN}:3")
    forms: dict[str, Any] = {
        "arn": LAMBDA_ARN,
        "function": lambda_.Function.from_function_arn(stack, "Function", LAMBDA_ARN),
        "version": version,
        "alias": lambda_.Alias.from_alias_attributes(stack, "Alias", alias_name="a", alias_version=version),
    }
    trainer(stack, agent_env=forms[form])
    assert not any(SHORT in text for text in Synthesized(stack).warnings())


def test_an_l1_runtime_and_its_endpoint() -> None:
    stack = stack_of()
    artifact = agentcore.CfnRuntime.AgentRuntimeArtifactProperty()
    network = agentcore.CfnRuntime.NetworkConfigurationProperty(network_mode="PUBLIC")
    runtime = agentcore.CfnRuntime(
        stack,
        "Runtime",
        agent_runtime_artifact=artifact,
        agent_runtime_name="agent",
        network_configuration=network,
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/agent",
    )
    endpoint = agentcore.CfnRuntimeEndpoint(
        stack, "Endpoint", agent_runtime_id=runtime.attr_agent_runtime_id, name="PROD"
    )
    for given, qualifier in ((runtime, "DEFAULT"), (endpoint, "PROD")):
        made = AgentEnvironment.of(given, None)
        assert stack.resolve(made.agent_env)["Fn::GetAtt"][1] == "AgentRuntimeArn"
        assert made.qualifier == qualifier
        trainer(stack, f"Of{qualifier}", agent_env=given)
    Synthesized(stack)
