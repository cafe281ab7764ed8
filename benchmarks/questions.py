"""How often CDK's own process, which is in JavaScript, is asked something: each question takes its time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jsii
from aws_cdk import App, Stack

from benchmarks.stacks import HERE


def questions(declare: Callable[[Stack, int], None], count: int) -> int:
    """From the app's stack to its files, what CDK calls back and is answered included."""
    app = App()
    stack = Stack(app, "S", env=HERE)
    with _counted() as asked:
        declare(stack, count)
        app.synth()
    return len(asked)


@contextmanager
def _counted() -> Iterator[list[object]]:
    process: Any = jsii.kernel.provider._process  # type: ignore[attr-defined] # not in jsii's own interface
    send, asked = process.send, list[object]()

    def counting(request: Any, response: Any) -> Any:
        asked.append(request)
        return send(request, response)

    process.send = counting
    try:
        yield asked
    finally:
        del process.send
