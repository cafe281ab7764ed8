"""The command line ``agent-rft``."""

import argparse
import importlib.metadata
import io
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_cli import init, jobs, models, runtimes
from agent_rft_cli.aws import Aws, Clients
from agent_rft_cli.failures import Failure, sentence

COMMANDS: dict[str, ModuleType] = {"models": models, "runtimes": runtimes, "jobs": jobs}
"""Each has SUMMARY, add_options and run."""

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None, connect: Callable[[str | None, str | None], Clients] = Aws) -> int:
    """Runs a command; 0, or 1 with one line on stderr, or argparse's 2.

    Args:
        arguments: Those of the process without it.
        connect: Makes the clients of a profile and a region.
    """
    try:
        try:
            _run(parse(arguments), connect)
        finally:
            sys.stdout.flush()  # a closed pipe shows here, after argparse's help too
    except BrokenPipeError:
        _discard_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Failure, BotoCoreError, ClientError, OSError) as error:
        print(f"agent-rft: {sentence(error)}", file=sys.stderr)
        return 1
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; those of ``local`` are left to the local AWS's own command line."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if options.command == "local":
        options.rest = rest
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="agent-rft", description="What this account and region have for AgentRFT.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=module.SUMMARY, description=f"Lists {module.SUMMARY}.")
        module.add_options(command)
        command.add_argument("--region", help="the region (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's)")
        command.add_argument("--profile", help="the profile of the AWS configuration (default: AWS_PROFILE)")
        command.add_argument("--json", action="store_true", help="JSON instead of a table")
    init.add_options(commands.add_parser("init", help=init.SUMMARY, description=f"It {init.SUMMARY}."))
    commands.add_parser("local", add_help=False, help="runs a local AWS: serve, deploy")
    return parser


def _run(options: argparse.Namespace, connect: Callable[[str | None, str | None], Clients]) -> None:
    if options.command == "local":
        _run_local(options.rest)
        return
    if options.command == "init":
        init.run(options.folder)
        return
    # boto3 reads AWS_DEFAULT_REGION only; the AWS CLI and the SDKs of other languages read AWS_REGION first
    region = options.region or os.environ.get("AWS_REGION") or None
    found = COMMANDS[options.command].run(options, connect(options.profile, region))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a display name may have what the terminal's encoding lacks
    print(found.json() if options.json else found.table())


def _run_local(arguments: Sequence[str]) -> None:
    from agent_rft_local.__main__ import main as local

    try:
        local(arguments, prog="agent-rft local")
    except ModuleNotFoundError as error:
        raise Failure(
            f"The local AWS needs {error.name}, which is not installed. Run: pip install 'cdk-agent-rft[local]'"
        ) from error


def _discard_output() -> None:
    """Whoever reads has read enough; what Python still flushes at its end must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version() -> str:
    try:
        return importlib.metadata.version("cdk-agent-rft")
    except importlib.metadata.PackageNotFoundError:  # run from files that were never installed
        return "of unknown version"


if __name__ == "__main__":
    sys.exit(main())
