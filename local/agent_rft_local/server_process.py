"""Starts the server in a process of its own, and ends it with everything that it started."""

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, cast

from agent_rft_local import environment
from agent_rft_local.session_file import FOLDER_PREFIX
from agent_rft_local.start_key import StartKey


@dataclass(frozen=True)
class ServerProcess:
    """A server that listens.

    Args:
        endpoint: Its address.
        directory: The folder of every file that the run makes; it goes when the server ends.
        process_group: The process group of the server, and of all that shall end with it.
    """

    endpoint: str
    directory: Path
    process_group: int

    @property
    def log(self) -> str:
        """What the server has written so far."""
        return _log(self.directory).read_text(errors="replace")


@contextlib.contextmanager
def started(key: StartKey, *, port: int = 0, settings: Mapping[str, str]) -> Iterator[ServerProcess]:
    """A server until the block ends, or this process does, in whatever way.

    Args:
        key: The key with which requests to it are signed.
        port: The port on the loopback interface; without it, a free one.
        settings: Environment variables of the server beside the usual.

    Raises:
        OSError: when the port is taken.
        RuntimeError: when the server ends at once.
    """
    with _own_folder() as directory, socket.create_server(("127.0.0.1", port)) as listening:
        endpoint = "http://{}:{}".format(*listening.getsockname())
        with _leashed(directory, listening, settings) as leash:
            listening.close()  # so that a request fails, and does not wait, when the server is gone
            yield ServerProcess(endpoint, directory, _hand_over(key, leash, directory))


@contextlib.contextmanager
def _own_folder() -> Iterator[Path]:
    """One that only this user can read; the leash removes it, too, when we cannot."""
    with tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, ignore_cleanup_errors=True) as name:
        for each in ("home", "tmp", "s3"):
            (Path(name) / each).mkdir()
        yield Path(name).resolve()


def _leashed(directory: Path, listening: socket.socket, settings: Mapping[str, str]) -> "subprocess.Popen[str]":
    descriptor = listening.fileno()
    with _log(directory).open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "agent_rft_local.leash", str(directory), str(descriptor)],
            cwd=directory,
            env={**environment.for_server(directory), **settings},
            stdin=subprocess.PIPE,  # its end tells that we are gone
            stdout=subprocess.PIPE,
            stderr=log,
            pass_fds=[descriptor],
            process_group=0,  # Ctrl-C is for us
            text=True,
        )


def _hand_over(key: StartKey, leash: "subprocess.Popen[str]", directory: Path) -> int:
    """Gives the key by the pipe, which no other user can read; the server's process group."""
    to_leash, from_leash = cast(IO[str], leash.stdin), cast(IO[str], leash.stdout)
    with contextlib.suppress(BrokenPipeError):
        to_leash.write(json.dumps(asdict(key)) + "\n")
        to_leash.flush()
    group = from_leash.readline()
    if not group:
        raise RuntimeError(f"the local AWS ended at once:\n{_log(directory).read_text()}")
    return int(group)


def _log(directory: Path) -> Path:
    return directory / "server.log"
