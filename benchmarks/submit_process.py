"""One side of a submission in a process of its own: ``python submit_process.py handler FOLDER``, or ``sdk``.

A line in submits a job; a line out says the seconds, the memory and the API calls that it took. The SDK's environment
has neither this project nor its tests, and the handler sees what Lambda would give it: its folder, and boto3.
"""

import json
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

Submit = Callable[[dict[str, Any]], None]


def handler() -> Submit:
    """Our function, which answers CloudFormation too."""
    sys.path.insert(0, sys.argv[2])
    from agent_rft_handler.index import handler

    context = types.SimpleNamespace(get_remaining_time_in_millis=lambda: 600_000)
    return lambda event: handler(event, context)


def sdk() -> Submit:
    """The SDK's trainer."""
    from sagemaker.train.multi_turn_rl_trainer import MultiTurnRLTrainer

    return lambda arguments: MultiTurnRLTrainer(**arguments).train(wait=False)


def main() -> None:
    """Answers line by line, until there are no more; what a side prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    submit = {"handler": handler, "sdk": sdk}[sys.argv[1]]()
    for line in sys.stdin:
        begun = time.perf_counter()
        submit(json.loads(line))
        seconds = time.perf_counter() - begun
        out.write(json.dumps({"seconds": seconds, "peak": peak(), "calls": calls}) + "\n")
        out.flush()
        if not calls:
            count()


def peak() -> int:
    """The most memory that this process has had, in KiB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


calls: list[str] = []


def count() -> None:
    """Writes down what is called from the second submission on."""
    from botocore.client import BaseClient

    call = BaseClient._make_api_call  # type: ignore[attr-defined]

    def counted(self: Any, operation: str, request: Any) -> Any:
        calls.append(f"{self.meta.service_model.service_name}:{operation}")
        return call(self, operation, request)

    BaseClient._make_api_call = counted  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
