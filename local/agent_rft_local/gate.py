"""The server's door: no web page, no other user, only who holds the key made at the start or one that it led to.

A page in the user's browser can send requests to the loopback interface, under any name that its DNS resolves to it,
and any user of the machine can. Neither can sign.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote

from agent_rft_local import ministack_names
from agent_rft_local.ministack_names import sigv4

INTERNAL = re.compile(r"/_(agent_rft|ministack|localstack)/")
"""Our own paths and ministack's, which no policy binds: for root's key alone."""

Failure = tuple[str, str] | None
"""An error code and why, or nothing."""

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Refused(Exception):
    """A request that does not come in: an error code of AWS's, and why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Request:
    """A request as it was signed; a header sent twice has its values joined by a comma."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes = b""

    @classmethod
    def from_scope(cls, scope: Any, body: bytes = b"") -> "Request":
        headers: dict[str, str] = {}
        for raw_name, value in scope["headers"]:
            name, text = raw_name.decode("latin-1").lower(), sigv4.decode_header_value(value)
            headers[name] = f"{headers[name]},{text}" if name in headers else text
        path = (scope.get("raw_path") or quote(scope["path"]).encode()).decode("latin-1")
        query = parse_qs(scope["query_string"].decode(), keep_blank_values=True)
        return cls(scope["method"], path, query, headers, body)

    @property
    def is_presigned(self) -> bool:
        """Whether the signature is in the query."""
        return "authorization" not in self.headers

    @property
    def is_sigv2(self) -> bool:
        """Whether it is signed as S3 was in its first years, and as boto3 still presigns in us-east-1."""
        return "AWSAccessKeyId" in self.query or self.headers.get("authorization", "").startswith("AWS ")

    @property
    def session_token(self) -> str:
        """The token of temporary keys."""
        in_query = self.query.get("X-Amz-Security-Token", [""])[0]
        return in_query if self.is_presigned else self.headers.get("x-amz-security-token", "")


def guarded(inner: Any, host: str, root: str) -> Any:
    """Lets requests through to the application.

    Args:
        inner: The ASGI application.
        host: The address and port on which it listens, as clients write them.
        root: The id of the key made at the start.
    """

    async def app(scope: Any, receive: Receive, send: Any) -> None:
        if scope["type"] == "lifespan":
            await inner(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _http(scope, receive, send)

    async def _http(scope: Any, receive: Receive, send: Any) -> None:
        request = Request.from_scope(scope)
        try:
            require_local_program(request, host)
            body = await read(receive)
            signer = require_signature(Request.from_scope(scope, body))
            if INTERNAL.match(scope["path"]) and signer != root:
                raise Refused("AccessDeniedException", "This path is for the key made at the start")
        except Refused as refused:
            await _answer(refused, request, send)
        else:
            await inner(scope, _replaying(body, receive), send)

    return app


def require_local_program(request: Request, host: str) -> None:
    """Raises for what a web page sends: another Host, by a name that resolves to this address, or an Origin."""
    if request.headers.get("host") != host:
        raise Refused("AccessDeniedException", f"Host must be {host}")
    if "origin" in request.headers:
        raise Refused("AccessDeniedException", "The local AWS answers no web page: the request has an Origin")


def require_signature(request: Request) -> str:
    """The id of the key that signed the request, in its headers or its query; raises where none rightly did."""
    key_id: str = ministack_names.extract_access_key_id(request.headers, request.query)
    if not key_id:
        raise Refused(
            "MissingAuthenticationTokenException",
            "The local AWS answers only what is signed with the key that it made when it started",
        )
    if request.is_sigv2:
        failure = ministack_names.sigv2_failure(key_id, request.method, request.path, request.query, request.headers)
    else:
        failure = _sigv4_failure(key_id, request)
    if failure:
        raise Refused(*failure)
    return key_id


def _sigv4_failure(key_id: str, request: Request) -> Failure:
    presigned = request.is_presigned
    signature = (
        sigv4.parse_query_signature(request.query) if presigned else sigv4.parse_header_signature(request.headers)
    )
    if isinstance(signature, tuple):
        return signature
    if signature.access_key_id != key_id:
        return "SignatureDoesNotMatch", "The request names two keys"
    if late := _presign_failure(request) if presigned else sigv4.request_time_failure(signature):
        return late
    credential = ministack_names.credential(key_id, request.session_token)
    if not isinstance(credential, ministack_names.ResolvedCredential):
        return credential.code, credential.message
    signed = (request.method, request.path, request.query, request.headers, request.body)
    failure: Failure = sigv4.header_signature_failure(
        signature, credential.secret_access_key, *signed, presigned=presigned
    )
    return failure


def _presign_failure(request: Request) -> Failure:
    try:
        late = sigv4.presigned_request_is_expired(request.query["X-Amz-Date"][0], request.query["X-Amz-Expires"][0])
    except (KeyError, ValueError):
        late = True
    return ("AccessDenied", "Request has expired") if late else None


async def read(receive: Receive) -> bytes:
    """The request's whole body."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Hands the body over once more, then what still comes, such as the client's leaving."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replayed() -> dict[str, Any]:
        return next(messages, None) or await receive()

    return replayed


async def _answer(refused: Refused, request: Request, send: Any) -> None:
    """Says so in the protocol of the service that was meant, so that its client can read it."""
    status, headers, body = ministack_names.refusal(
        refused.code, str(refused), request.method, request.path, request.headers, request.query
    )
    lines = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
