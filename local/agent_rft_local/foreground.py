"""``agent-rft local serve``: a local AWS until Ctrl-C, and what another shell sets to use it."""

import os
import shlex
import signal
import threading

from agent_rft_local import environment
from agent_rft_local.local_aws import LocalAws


def serve(port: int) -> None:
    """Starts one and stays."""
    with LocalAws.start(port=port) as aws:
        stay(aws)


def stay(aws: LocalAws) -> None:
    """Prints how to use it, and returns at SIGINT or SIGTERM."""
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    print(f"\nThe local AWS is up until Ctrl-C, and its key as long. In another shell:\n{_commands(aws)}", flush=True)
    stopped.wait()


def _commands(aws: LocalAws) -> str:
    settings = environment.shell_settings(aws.endpoint, aws.key)
    others = [name for name in environment.leading_elsewhere(os.environ) if name not in settings]
    lines = [f"  export {name}={shlex.quote(value)}" for name, value in settings.items()]
    return "\n".join([f"  unset {' '.join(others)}", *lines] if others else lines)
