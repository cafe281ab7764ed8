"""The SDK's ``CustomAgentLambda``: an agent, or a bridge to one, as a Lambda function with the SDK's defaults."""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from aws_cdk import Duration, Stack, Stage
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_s3 as s3
from constructs import Construct

from agent_rft.arguments.checked import checked
from agent_rft.arguments.validation import refuse, text_problem, unresolved
from agent_rft.iam.nag_suppressions import AGENT, acknowledge
from agent_rft_handler.facts import FUNCTION_NAME, LAMBDA_TIMEOUT_MAX
from agent_rft_handler.validation import shown

RUNTIME, HANDLER = "python3.12", "lambda_function.handler"
"""[sagemaker-train 1.27.0: CustomAgentLambda.create]"""

CODE_ID = "AgentRFTCode"
"""Its id in the stack, with the buckets in which the code of functions lies; nothing of it is in the template."""

FORMS = "a folder, a .zip file, one .py file, s3://BUCKET/KEY.zip, the code itself, or a lambda_.Code"
MODULE_AND_FUNCTION = r"([\w-]+[./])*[\w-]+\.[A-Za-z_]\w*"
PATH = r"([A-Za-z]:)?[^\n()=:;]+"
"""One line without what every function's definition has: no code, so it names a file."""

Source = lambda_.Code | str | Path


class CustomAgentLambda(lambda_.Function):
    """A Lambda function to which a job sends its rollouts; its role may write its own logs and nothing else.

    Example::

        agent = CustomAgentLambda(self, "Agent", code="agent", handler="agent.handler")
        grant_job_runtime(self, agent)  # where the function itself samples the model and reports rewards
        MultiTurnRLTrainer(self, "Trainer", agent_env=agent, ...)
    """

    @checked
    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        code: Source,
        function_name: str | None = None,
        role: iam.IRole | None = None,
        runtime: lambda_.Runtime | str = RUNTIME,
        handler: str = HANDLER,
        timeout: Duration | int = LAMBDA_TIMEOUT_MAX,
        memory_size: int = 256,
        environment: Mapping[str, str] | None = None,
        description: str | None = None,
    ) -> None:
        """Declares the function.

        Args:
            scope: Where it is declared.
            id: Its id there.
            code: As the SDK chooses: an S3 URI of a zip; else a path that is there (a folder, a .zip or one .py file);
                else the code itself. One file, or code, becomes the handler's module.
            function_name: Its name; CloudFormation's choice without it.
            role: Its role; one is made without it, for its logs only.
            runtime: The runtime, or its name.
            handler: MODULE.FUNCTION.
            timeout: Or seconds, at most 900; a rollout has 600 by default.
            memory_size: In MB.
            environment: Environment variables.
            description: A description of it.

        Raises:
            ValueError: for code that cannot be found or packed, and for a handler or timeout that Lambda would refuse.
        """
        name = runtime if isinstance(runtime, str) else runtime.name
        refuse(
            scope,
            [
                _name_problem(function_name),
                _handler_problem(code, handler),
                _code_problem(code, handler, name),
                _timeout_problem(timeout),
            ],
            id,
        )
        super().__init__(
            scope,
            id,
            code=_code(scope, id, code, handler),
            function_name=function_name,
            role=role,
            runtime=lambda_.Runtime(name, _family(name)) if isinstance(runtime, str) else runtime,
            handler=handler,
            timeout=timeout if isinstance(timeout, Duration) else Duration.seconds(timeout),
            memory_size=memory_size,
            environment=environment,
            description=description,
        )
        acknowledge(self, AGENT)


def _name_problem(name: str | None) -> str:
    return "" if name is None else text_problem("function_name", name, (FUNCTION_NAME,))


def _handler_problem(code: Source, handler: str) -> str:
    """A file is written by the handler's name; where none is, the runtime has forms of its own."""
    if unresolved(handler) or not _is_text(code) or re.fullmatch(MODULE_AND_FUNCTION, handler):
        return ""
    return f"handler is {handler!r}, but must be MODULE.FUNCTION. Write it like {HANDLER!r}."


def _timeout_problem(timeout: Duration | int) -> str:
    seconds = timeout.to_seconds(integral=False) if isinstance(timeout, Duration) else timeout
    if unresolved(seconds) or 1 <= seconds <= LAMBDA_TIMEOUT_MAX:
        return ""
    return f"timeout is {seconds:g} seconds, but a function has 1 to {LAMBDA_TIMEOUT_MAX}. Change it."


def _code_problem(code: Source, handler: str, runtime: str) -> str:
    text = str(code)
    if isinstance(code, lambda_.Code):
        return ""
    if text.startswith("s3://"):
        is_zip = unresolved(text) or re.fullmatch(r"s3://[^/]+/.+\.zip", text)
        what = "which is not a .zip file; synth downloads nothing. Download it and give its path"
        return "" if is_zip else f"code is {shown(text)}, {what}, or write it like 's3://my-code/agent.zip'."
    if unresolved(text):
        return "code has a token in it, but it is packed at synth. Pass the token's value as an environment variable."
    if _is_there(text):
        return _path_problem(Path(text), handler, runtime)
    if isinstance(code, Path) or (text.strip() and re.fullmatch(PATH, text.strip())):
        return (
            f"code is {shown(text)}, but there is no such file, and it does not look like code. Give one of: {FORMS}."
        )
    return "" if text.strip() else f"code is empty. Give one of: {FORMS}."


def _path_problem(path: Path, handler: str, runtime: str) -> str:
    if path.is_dir():
        module = path / _module(handler)
        found = module.exists() or (module.with_suffix("") / "__init__.py").exists()
        if found or unresolved(handler) or not runtime.startswith("python"):
            return ""
        return (
            f"code is {str(path)!r}, which has no {_module(handler)}, but handler is {handler!r}. Change one of them."
        )
    if path.suffix == ".py" and not path.read_text(encoding="utf-8").strip():
        return f"code is {str(path)!r}, which is empty. Give one of: {FORMS}."
    return "" if path.suffix in (".zip", ".py") else f"code is {str(path)!r}, but must be one of: {FORMS}."


def _code(scope: Construct, id: str, code: Source, handler: str) -> lambda_.Code:
    if isinstance(code, lambda_.Code):
        return code
    text = str(code)
    if text.startswith("s3://"):
        bucket, _, key = text.removeprefix("s3://").partition("/")
        return lambda_.Code.from_bucket(_bucket(scope, id, bucket), key)
    if _is_text(code):
        return _packed(scope, Path(text).read_text(encoding="utf-8") if _is_there(text) else text, handler)
    return lambda_.Code.from_asset(text, exclude=["__pycache__", "*.pyc"])


def _bucket(scope: Construct, id: str, name: str) -> s3.IBucket:
    """Below an id of the library's own in the stack: the function is not there yet, and its siblings are the user's."""
    stack = Stack.of(scope)
    known = stack.node.try_find_child(CODE_ID)
    place = known if isinstance(known, Construct) else Construct(stack, CODE_ID)
    return s3.Bucket.from_bucket_name(place, f"{scope.node.path}/{id}", name)


def _packed(scope: Construct, text: str, handler: str) -> lambda_.Code:
    """The text as the handler's module, written beside the assets: CDK's own inline code is always ``index``.

    The hash is given, as CDK's fingerprints are kept by a file's inode, time and size.
    """
    stage = Stage.of(scope)
    module = _module(HANDLER if unresolved(handler) else handler)
    digest = sha256(f"{module}\n{text}".encode()).hexdigest()
    folder = Path(stage.asset_outdir if stage else "cdk.out") / f"agent-code.{digest}"
    (folder / module).parent.mkdir(parents=True, exist_ok=True)
    (folder / module).write_text(text, encoding="utf-8", newline="\n")
    return lambda_.Code.from_asset(str(folder), asset_hash=digest)


def _module(handler: str) -> str:
    """``lambda_function.handler`` -> ``lambda_function.py``."""
    return handler.rpartition(".")[0].replace(".", "/") + ".py"


def _is_text(code: Source) -> bool:
    """Whether it is code, or one file of code, and no package of several."""
    text = str(code)
    if isinstance(code, lambda_.Code) or text.startswith("s3://"):
        return False
    return not _is_there(text) or (text.endswith(".py") and Path(text).is_file())


def _is_there(text: str) -> bool:
    try:
        return bool(text.strip()) and Path(text).exists()
    except (OSError, ValueError):  # code is longer than a name may be, or has signs that none has
        return False


def _family(runtime: str) -> lambda_.RuntimeFamily | None:
    return lambda_.RuntimeFamily.PYTHON if runtime.startswith("python") else None
