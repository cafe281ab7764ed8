"""The script ``agent-rft``: what reads an account needs boto3, which is an extra; ``init`` and ``--version`` do not."""

import argparse
import sys
from collections.abc import Sequence

from agent_rft_cli import init
from agent_rft_cli.version import version

NEEDS_BOTO3 = (
    "agent-rft: this needs boto3, which is not installed. Run: pip install 'cdk-agent-rft[{extra}]'. Without it there "
    "is `agent-rft init` alone."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; its exit code, as ``agent_rft_cli.__main__`` says.

    Args:
        arguments: Those of the process without it.
    """
    try:
        from agent_rft_cli.__main__ import main as every_command
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("boto3", "botocore"):
            raise
        return _without_boto3(sys.argv[1:] if arguments is None else list(arguments))
    return every_command(arguments)


def _without_boto3(arguments: list[str]) -> int:
    match arguments[:1]:
        case ["init"]:
            return _init(arguments[1:])
        case ["--version"]:
            print(f"agent-rft {version()}")
            return 0
    extra = "local" if arguments[:1] == ["local"] else "cli"
    print(NEEDS_BOTO3.format(extra=extra), file=sys.stderr)
    return 1


def _init(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="agent-rft init", description=f"It {init.SUMMARY}.")
    init.add_options(parser)
    try:
        init.run(parser.parse_args(arguments).folder)
    except OSError as error:
        print(f"agent-rft: {error}", file=sys.stderr)
        return 1
    return 0
