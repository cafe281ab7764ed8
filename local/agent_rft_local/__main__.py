"""``python -m agent_rft_local serve`` and ``deploy``."""

import argparse
from collections.abc import Sequence

from agent_rft_local import deployment, foreground


def main(arguments: Sequence[str] | None = None, prog: str = "agent_rft_local") -> None:
    """The command line; ``agent-rft local`` is it too, under that name."""
    parser = argparse.ArgumentParser(prog=prog, description="A local AWS that runs AgentRFT jobs.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="run the local AWS until it is interrupted, and print its key")
    serve.add_argument("--port", type=int, default=4566, help="on 127.0.0.1; 4566 without it")
    serve.add_argument("--json", action="store_true", help="print the variables as a JSON object")
    deploy = commands.add_parser("deploy", help="cdk deploy an app to a local AWS, and show the job it submitted")
    deploy.add_argument("--app", default="", help="the app's command; cdk.json's without it")
    deploy.add_argument("--keep", action="store_true", help="keep the local AWS up until it is interrupted")
    deploy.add_argument(
        "--watch",
        nargs="?",
        type=float,
        const=deployment.WATCHED,
        metavar="SECONDS",
        help="watch each job to its end, after so many seconds (%(const)g without a number)",
    )
    deploy.add_argument("--json", action="store_true", help="print stacks, jobs and documents as a JSON object")
    chosen = parser.parse_args(arguments)
    if chosen.command == "serve":
        foreground.serve(chosen.port, as_json=chosen.json)
    else:
        deployment.deploy(chosen.app, keep=chosen.keep, watch=chosen.watch, as_json=chosen.json)


if __name__ == "__main__":
    main()
