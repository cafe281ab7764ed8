"""Holds the server, and ends it when the process that started it is gone, killed ones included.

    the one who starts --pipe--> this process --fork--> the server, head of a process group: its functions, the CDK

The pipe's other end is closed by the system when that process ends, however it ends: the same on Linux and macOS.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import sys


def main(directory: str, listening: int) -> None:
    """Forks the server, prints its process group, and waits until either end of the rope is let go."""
    key = json.loads(sys.stdin.readline())
    alive, held_by_server = os.pipe()
    server = os.fork()
    if server == 0:
        _serve(listening, key)
    os.setpgid(server, server)
    for each in (listening, held_by_server):
        os.close(each)
    print(server, flush=True)
    select.select([sys.stdin, alive], [], [])
    with contextlib.suppress(OSError):
        os.killpg(server, signal.SIGKILL)
    os.waitpid(server, 0)
    shutil.rmtree(directory, ignore_errors=True)


def _serve(listening: int, key: dict[str, str]) -> None:
    """Becomes the server: in its own process group, with no input, and output only into the log."""
    from agent_rft_local import server
    from agent_rft_local.start_key import StartKey

    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.serve(listening, StartKey(**key))
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
