"""A function's error has its exception's name, by which a state machine tells errors apart; ministack has one for all.

[AWS docs: Lambda, python-exceptions]
"""

import functools
import threading
from collections.abc import Callable
from typing import Any

from agent_rft_local.ministack_names import lambda_runtime, lambda_svc
from agent_rft_local.store import Row

UNNAMED = "Runtime.HandlerError"

_last = threading.local()
"""The last answer of a worker, in the thread that asked it: its traceback gets lost on the way."""


def install() -> None:
    """Stands before the workers and before what makes an answer of theirs."""
    inner = lambda_runtime.Worker.invoke

    def invoke(self: Any, *arguments: Any, **more: Any) -> Any:
        _last.answer = inner(self, *arguments, **more)
        return _last.answer

    lambda_runtime.Worker.invoke = invoke
    lambda_svc._execute_function_warm = functools.partial(_named, lambda_svc._execute_function_warm)


def _named(inner: Callable[..., Row], *arguments: Any) -> Row:
    _last.answer = {}
    result = inner(*arguments)
    body = result.get("body")
    if result.get("error") and isinstance(body, dict) and body.get("errorType") == UNNAMED:
        body["errorType"] = exception_in(str(_last.answer.get("trace", "")), str(body.get("errorMessage"))) or UNNAMED
    return result


def exception_in(trace: str, message: str) -> str:
    """The name of the exception at the end of a traceback, without its module."""
    last = trace.rstrip().removesuffix(message).rstrip().removesuffix(":").splitlines()
    name = last[-1].rpartition(".")[2] if last else ""
    return name if name.isidentifier() else ""
