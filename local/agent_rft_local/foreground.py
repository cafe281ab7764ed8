"""``agent-rft local serve``: a local AWS until Ctrl-C, and what another shell sets to use it."""

import json
import os
import shlex
import signal
import threading

from agent_rft_local import environment
from agent_rft_local.local_aws import LocalAws
from agent_rft_local.session_file import SessionFile

_USE = "`agent-rft COMMAND --local` finds it by itself. For other tools, in another shell"


def serve(port: int, *, as_json: bool) -> None:
    """Starts one and stays; ``as_json`` prints the variables as a JSON object."""
    with LocalAws.start(port=port) as aws:
        publish(aws)
        stay(aws, as_json=as_json)


def stay(aws: LocalAws, *, as_json: bool) -> None:
    """Prints how to use it, and returns at SIGINT or SIGTERM."""
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    if as_json:
        print(json.dumps(environment.shell_settings(aws.endpoint, aws.key), indent=2), flush=True)
    else:
        print(f"\nThe local AWS is up until Ctrl-C, and its key as long. {_USE}:\n{_commands(aws)}", flush=True)
    stopped.wait()


def publish(aws: LocalAws) -> None:
    """Lets ``agent-rft --local`` find it."""
    SessionFile(aws.endpoint, environment.REGION, aws.key.access_key_id, aws.key.secret_access_key).write(aws.directory)


def _commands(aws: LocalAws) -> str:
    settings = environment.shell_settings(aws.endpoint, aws.key)
    others = [name for name in environment.leading_elsewhere(os.environ) if name not in settings]
    lines = [f"  export {name}={shlex.quote(value)}" for name, value in settings.items()]
    return "\n".join([f"  unset {' '.join(others)}", *lines] if others else lines)
