"""The agent's function: the SDK's defaults, each form of code, what is refused, and the warning of a short timeout."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, CfnParameter, Duration, Stack, Validations
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from cdk_nag import AwsSolutionsChecks
from synth.app import Synthesized, agnostic_stack, readable, stack_of, trainer

from agent_rft import CustomAgentLambda, grant_job_runtime

PROJECT = Path("cli/agent_rft_cli/project")
CODE = "def handler(event, context):\n    return {}\n"


def function_of(stack: Stack) -> dict[str, Any]:
    """The one agent's function in the template."""
    functions = Synthesized(stack).resources("AWS::Lambda::Function")
    (name,) = [each for each in functions if each.startswith("Agent") and "AgentRFTJobProvider" not in each]
    return dict(functions[name]["Properties"])


def packed(directory: Path, code: Any, **more: Any) -> dict[str, str]:
    """The files of the function's asset, with their text."""
    stack = stack_of(App(outdir=str(directory / "cdk.out")))
    CustomAgentLambda(stack, "Agent", code=code, **more)
    stack.node.root.synth()  # type: ignore[attr-defined]
    assets = json.loads((directory / "cdk.out" / "S.assets.json").read_text())["files"].values()
    (source,) = [each["source"]["path"] for each in assets if each["source"]["path"].startswith("asset.")]
    folder = directory / "cdk.out" / source
    if folder.is_file():
        with zipfile.ZipFile(folder) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def refused(**arguments: Any) -> str:
    """The sentence with which the function is refused."""
    with pytest.raises(ValueError, match=r"^\[S/Agent\] ") as error:
        CustomAgentLambda(stack_of(), "Agent", **arguments)
    return str(error.value)


def test_the_defaults_are_the_sdks() -> None:
    stack = stack_of()
    CustomAgentLambda(stack, "Agent", code=CODE)
    function = function_of(stack)
    defaults = {name: function[name] for name in ("Runtime", "Handler", "Timeout", "MemorySize")}
    assert defaults == {
        "Runtime": "python3.12",
        "Handler": "lambda_function.handler",
        "Timeout": 900,
        "MemorySize": 256,
    }


def test_what_is_given_arrives() -> None:
    stack = stack_of()
    bucket = s3.Bucket(stack, "Data")
    CustomAgentLambda(
        stack,
        "Agent",
        code=CODE,
        function_name="SageMaker-agent",
        runtime=lambda_.Runtime.PYTHON_3_13,
        timeout=Duration.minutes(11),
        memory_size=512,
        environment={"BUCKET": bucket.bucket_name},
        description="A bridge",
    )
    function = function_of(stack)
    assert (function["FunctionName"], function["Runtime"]) == ("SageMaker-agent", "python3.13")
    assert (function["Timeout"], function["MemorySize"], function["Description"]) == (660, 512, "A bridge")
    assert list(function["Environment"]["Variables"]["BUCKET"]) == ["Ref"]


def test_its_role_writes_logs_and_nothing_else() -> None:
    stack = stack_of()
    CustomAgentLambda(stack, "Agent", code=CODE)
    made = Synthesized(stack)
    (role,) = made.resources("AWS::IAM::Role").values()
    (policy,) = role["Properties"]["ManagedPolicyArns"]
    assert readable(policy).endswith(":iam::aws:policy/service-role/AWSLambdaBasicExecutionRole")
    assert made.resources("AWS::IAM::Policy") == {}


def test_code_itself_becomes_the_handlers_module(tmp_path: Path) -> None:
    assert packed(tmp_path / "a", CODE) == {"lambda_function.py": CODE}
    assert packed(tmp_path / "b", CODE, handler="bridge.main.handler") == {"bridge/main.py": CODE}
    long = CODE + "# a comment longer than any name of a file\n" * 200
    assert packed(tmp_path / "c", long) == {"lambda_function.py": long}
    assert packed(tmp_path / "e", CODE, handler="my-bridge.handler") == {"my-bridge.py": CODE}
    line = "handler = lambda event, context: {}"
    assert packed(tmp_path / "d", line) == {"lambda_function.py": line}


def test_one_file_becomes_the_handlers_module_as_with_the_sdk(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(CODE)
    assert packed(tmp_path, str(path)) == {"lambda_function.py": CODE}


def test_a_folder_is_packed_without_pythons_caches(tmp_path: Path) -> None:
    folder = tmp_path / "agent"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "agent.cpython-311.pyc").write_text("x")
    (folder / "agent.py").write_text(CODE)
    (folder / "words.txt").write_text("crane")
    assert packed(tmp_path, folder, handler="agent.handler") == {"agent.py": CODE, "words.txt": "crane"}


def test_a_zip_file_is_taken_as_it_is(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "agent.zip", "w") as archive:
        archive.writestr("lambda_function.py", CODE)
    assert packed(tmp_path, str(tmp_path / "agent.zip")) == {"lambda_function.py": CODE}


def test_a_runtime_has_its_own_form_of_handler(tmp_path: Path) -> None:
    handler = "example.Handler::handleRequest"
    assert packed(tmp_path, PROJECT / "datasets", runtime="java21", handler=handler).keys() == {"wordle.jsonl"}


def test_equal_code_is_the_same_asset_and_other_code_of_equal_length_another() -> None:
    keys = []
    for code in (CODE, CODE, CODE.replace("event", "other")):
        stack = stack_of()
        CustomAgentLambda(stack, "Agent", code=code)
        keys.append(function_of(stack)["Code"]["S3Key"])
    assert keys[0] == keys[1] != keys[2]


def test_a_zip_in_s3_is_read_from_there() -> None:
    stack = stack_of()
    CustomAgentLambda(stack, "Agent", code="s3://my-code/agents/wordle.zip")
    assert function_of(stack)["Code"] == {"S3Bucket": "my-code", "S3Key": "agents/wordle.zip"}
    other = stack_of()
    CustomAgentLambda(other, "Agent", code=f"s3://{CfnParameter(other, 'Given').value_as_string}/wordle.zip")
    assert function_of(other)["Code"] == {"S3Bucket": {"Ref": "Given"}, "S3Key": "wordle.zip"}
    third = stack_of()
    CustomAgentLambda(third, "Agent", code=lambda_.Code.from_bucket(s3.Bucket(third, "B"), "x.zip"))
    assert function_of(third)["Code"]["S3Key"] == "x.zip"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"code": ""}, "code is empty"),
        ({"code": " \n"}, "code is empty"),
        ({"code": "nobody"}, "'nobody', but there is no such file, and it does not look like code"),
        ({"code": "./my agent/agent.py"}, "but there is no such file"),
        ({"code": Path("nobody=1.py")}, "but there is no such file"),
        ({"code": "s3://my-code/agent.py"}, "which is not a .zip file; synth downloads nothing"),
        ({"code": "s3://my-code"}, "which is not a .zip file"),
        ({"code": "README.md"}, "'README.md', but must be one of: a folder, a .zip file"),
        ({"code": str(PROJECT / "agent")}, "has no lambda_function.py, but handler is 'lambda_function.handler'"),
        ({"code": CODE, "handler": "handler"}, "'handler', but must be MODULE.FUNCTION"),
        ({"code": CODE, "handler": "../x.handler"}, "must be MODULE.FUNCTION"),
        ({"code": CODE, "timeout": 901}, "timeout is 901 seconds, but a function has 1 to 900"),
        ({"code": CODE, "timeout": -1}, "timeout is -1 seconds"),
        ({"code": CODE, "timeout": Duration.millis(1)}, "timeout is 0.001 seconds"),
    ],
)
def test_wrong_arguments_are_refused_with_the_functions_path(arguments: dict[str, Any], said: str) -> None:
    message = refused(**arguments)
    assert said in message
    assert "\n" not in message


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("\n")
    assert "which is empty" in refused(code=str(tmp_path / "agent.py"))


def test_code_with_a_token_is_refused_with_the_way_out() -> None:
    stack = stack_of()
    with pytest.raises(ValueError, match="as an environment variable"):
        CustomAgentLambda(stack, "Agent", code=CODE + CfnParameter(stack, "Given").value_as_string)


@pytest.mark.parametrize("env", ["known", "agnostic"])
def test_tokens_elsewhere_pass(env: str) -> None:
    stack = stack_of() if env == "known" else agnostic_stack()
    text = CfnParameter(stack, "Given").value_as_string
    number = CfnParameter(stack, "Number", type="Number").value_as_number
    CustomAgentLambda(stack, "Agent", code=CODE, handler=text, runtime=text, timeout=Duration.seconds(number))
    function = function_of(stack)
    assert (function["Handler"], function["Timeout"]) == ({"Ref": "Given"}, {"Ref": "Number"})


def test_it_is_the_agent_of_a_trainer_and_can_be_granted_the_job_runtime() -> None:
    stack = stack_of()
    agent = CustomAgentLambda(stack, "Agent", code=str(PROJECT / "agent"), handler="agent.handler")
    grant_job_runtime(stack, agent)
    trainer(stack, agent_env=agent)
    made = Synthesized(stack)
    assert made.job()["AgentEnv"] == stack.resolve(agent.function_arn)
    assert made.allowed("sagemaker:Sample", "AgentServiceRole")
    assert made.warnings() == []


def test_cdk_nag_finds_nothing_unexplained_in_it(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    CustomAgentLambda(stack_of(app), "Agent", code=CODE)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    app.synth()
