"""Where a function's answers to CloudFormation arrive, as they do at its presigned URL."""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Inbox:
    """A ResponseURL on this machine, and what was put there, by the request's id."""

    url: str
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    @contextlib.contextmanager
    def opened(cls) -> Iterator["Inbox"]:
        """Listens until the block ends."""

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                answer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                inbox.answers[answer["RequestId"]] = answer
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Prints nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            inbox = cls(f"http://127.0.0.1:{server.server_port}/")
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield inbox
            server.shutdown()
