"""The server: ministack with our service, types and strictness, behind a guarded door and what looks like TLS."""

import asyncio
import os
import socket
from typing import Any

from agent_rft_local.start_key import StartKey


def serve(listening: int, key: StartKey) -> None:
    """Serves until the process is ended.

    Args:
        listening: The descriptor of a socket that listens on the loopback interface.
        key: Root's key.
    """
    with socket.socket(fileno=os.dup(listening)) as ours:
        host, port = ours.getsockname()
    os.environ.update(  # read by ministack, most of it when it is imported
        key.environment,
        GATEWAY_PORT=str(port),
        MINISTACK_HOST=host,
        IOT_MTLS_ENABLED="0",
        SFTP_ENABLED="0",
        AUTH="true",
    )
    from hypercorn.asyncio import serve as serve_asgi
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"fd://{listening}"]
    config.keep_alive_timeout = 75
    config.accesslog = None
    never = asyncio.Future
    asyncio.run(serve_asgi(application(f"{host}:{port}", key), config, shutdown_trigger=lambda: never()))


def application(host: str, key: StartKey) -> Any:
    """The ASGI application.

    Args:
        host: The address and port on which it is served.
        key: Root's key.
    """
    from agent_rft_local import control, extensions, gate, ministack_names, own_clients

    extensions.install()
    ministack_names.randomize_function_keys()
    ministack_names.presign_answers(own_clients.presigned)
    return gate.guarded(control.added(_breaking(_behind_tls(ministack_names.asgi_app()))), host, key.access_key_id)


def _behind_tls(inner: Any) -> Any:
    """Says that a TLS proxy stands in front, so that aws:SecureTransport is true without a certificate."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = [(name, value) for name, value in scope["headers"] if name != b"x-forwarded-proto"]
            scope = {**scope, "headers": [*headers, (b"x-forwarded-proto", b"https")]}
        await inner(scope, receive, send)

    return app


def _breaking(inner: Any) -> Any:
    """Breaks the connection where an answer asks for it: in the middle of a body that comes in chunks."""
    from agent_rft_local.sagemaker import BROKEN

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                names = [name.lower() for name, _ in message["headers"]]
                if BROKEN.encode() in names:
                    await send({**message, "headers": []})
                    await send({"type": "http.response.body", "body": b"{", "more_body": True})
                    raise ConnectionResetError("as asked")
            await send(message)

        await inner(scope, receive, sending)

    return app
