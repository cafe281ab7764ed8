"""The command line ``agent-rft``."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from botocore.exceptions import BotoCoreError, ClientError

from agent_rft_cli import init, local
from agent_rft_cli.aws import Aws, Clients
from agent_rft_cli.commands import document, jobs, logs, metrics, models, open, runtimes, status, stop, sweep, watch
from agent_rft_cli.failures import Failure, sentence
from agent_rft_cli.version import version
from agent_rft_handler import facts
from agent_rft_handler.errors import Refused

COMMANDS: dict[str, ModuleType] = {
    "models": models,
    "runtimes": runtimes,
    "jobs": jobs,
    "status": status,
    "watch": watch,
    "logs": logs,
    "metrics": metrics,
    "document": document,
    "open": open,
    "stop": stop,
    "sweep": sweep,
}
"""Each has SUMMARY, add_options and run, which hands back an answer to print, or where it has printed
itself an exit code or nothing."""

INTERRUPTED = 130

Connect = Callable[[str | None, str | None], Clients]
"""Makes the clients of a profile and a region."""


def main(arguments: Sequence[str] | None = None, connect: Connect = Aws) -> int:
    """Runs a command; 0 or the command's own code, or 1 with one line on stderr, or argparse's 2.

    Args:
        arguments: Those of the process without it.
        connect: Makes the clients of a profile and a region.
    """
    try:
        try:
            return _run(parse(arguments), connect)
        finally:
            sys.stdout.flush()  # a closed pipe shows here, after argparse's help too
    except BrokenPipeError:
        _discard_output()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (Failure, Refused, BotoCoreError, ClientError, OSError) as error:
        print(f"agent-rft: {sentence(error)}", file=sys.stderr)
        return error.exit_code if isinstance(error, Failure) else Failure.exit_code
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
    parser = argparse.ArgumentParser(prog="agent-rft", description="AgentRFT jobs, and what they are made of.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        summary = f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}."
        command = commands.add_parser(name, help=module.SUMMARY, description=summary)
        module.add_options(command)
        command.add_argument("--region", help="the region (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's)")
        where = command.add_mutually_exclusive_group()
        where.add_argument("--profile", help="the profile of the AWS configuration (default: AWS_PROFILE)")
        where.add_argument("--local", action="store_true", help="the local AWS that is up on this machine")
        command.add_argument("--json", action="store_true", help="JSON, for programs")
    init.add_options(commands.add_parser("init", help=init.SUMMARY, description=f"It {init.SUMMARY}."))
    commands.add_parser("local", add_help=False, help="runs a local AWS: serve, deploy")
    return parser


def _run(options: argparse.Namespace, connect: Connect) -> int:
    if options.command == "local":
        local.run(options.rest)
        return 0
    if options.command == "init":
        init.run(options.folder)
        return 0
    region = _region(options)
    clients = local.clients(region) if options.local else connect(options.profile, region)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a display name may have what the terminal's encoding lacks
    answer = COMMANDS[options.command].run(options, clients)
    if answer is None or isinstance(answer, int):
        return answer or 0
    print(answer.json() if options.json else answer.text())
    return 0


def _region(options: argparse.Namespace) -> str | None:
    """The one asked for, or a job's own; boto3 reads AWS_DEFAULT_REGION only, other SDKs AWS_REGION first."""
    of_job = facts.region_of(getattr(options, "job", None) or "")
    if of_job and options.region and options.region != of_job:
        raise Failure(f"--region {options.region} is not that of {options.job}.")
    return options.region or of_job or (None if options.local else os.environ.get("AWS_REGION")) or None


def _discard_output() -> None:
    """Whoever reads has read enough; what Python still flushes at its end must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
