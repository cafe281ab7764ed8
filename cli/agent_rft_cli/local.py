"""The local AWS as the command line sees it: one to run, or one that is up."""

import os
from collections.abc import Sequence

from botocore.credentials import Credentials

from agent_rft_cli.aws import Aws
from agent_rft_cli.failures import Failure
from agent_rft_local import session_file


def run(arguments: Sequence[str]) -> None:
    """``agent-rft local``: its own command line.

    Raises:
        Failure: where a part is not installed, or the system has no processes that fork.
    """
    if not hasattr(os, "fork"):
        raise Failure("The local AWS runs on Linux and macOS. On Windows, run it in WSL.")
    try:
        from agent_rft_local.__main__ import main

        main(arguments, prog="agent-rft local")
    except ModuleNotFoundError as error:
        raise Failure(
            f"The local AWS needs {error.name}, which is not installed. Run: pip install 'cdk-agent-rft[local]'"
        ) from error


def clients(region: str | None) -> Aws:
    """Clients of the one that is up.

    Raises:
        Failure: where none is, or several are.
    """
    found = session_file.found()
    if not found:
        raise Failure("No local AWS is up. Start one in another shell: agent-rft local serve")
    if len(found) > 1:
        up = ", ".join(each.endpoint for each in found)
        raise Failure(f"Several are up: {up}. Set the variables that the one you mean printed, and leave --local out.")
    (one,) = found
    return Aws(None, region or one.region, one.endpoint, Credentials(one.access_key_id, one.secret_access_key))
