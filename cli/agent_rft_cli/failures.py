"""What goes wrong, in one line that says what to do about it."""

from botocore import exceptions

from agent_rft_handler.errors import code_of, is_throttled, is_unanswered, shorten


class Failure(Exception):
    """A failure whose text is the sentence that a person reads."""

    exit_code = 1


SIGN_IN = "Sign in again, for example with `aws sso login`, or give another --profile."
LATER = "AWS has had too many requests of this account: try again in a minute."
DENIED = "Ask whoever manages your permissions to allow it, or give another --profile."

ADVICE: tuple[tuple[type[Exception], str], ...] = (
    (
        exceptions.NoCredentialsError,
        "Give --profile, set AWS_PROFILE, or set credentials up with `aws configure` or `aws sso login`.",
    ),
    (exceptions.PartialCredentialsError, "Set both the access key and its secret."),
    (exceptions.NoRegionError, "Give --region, set AWS_REGION, or set the profile's with `aws configure`."),
    (exceptions.ProfileNotFound, "`aws configure list-profiles` lists those there are."),
    (exceptions.EndpointConnectionError, "Is the network up, and is the service in this region?"),
    (exceptions.ConnectTimeoutError, "Is the network up, and is the service in this region?"),
)
"""For each of botocore's errors, what to do."""

ADVICE_BY_CODE = {
    "AccessDeniedException": DENIED,
    "AccessDenied": DENIED,
    "ExpiredToken": SIGN_IN,
    "ExpiredTokenException": SIGN_IN,
    "InvalidClientTokenId": SIGN_IN,
    "InvalidSignatureException": SIGN_IN,
    "UnrecognizedClientException": SIGN_IN,
}
"""For each of the services' error codes, what to do."""


def sentence(error: Exception) -> str:
    """The error's own words on one line, and the advice where there is some."""
    said = _words(error).strip().rstrip(".")
    return shorten(f"{said}. {_advice(error)}" if _advice(error) else said)


def passes(error: Exception) -> bool:
    """Whether it is worth asking again: AWS asks to come back later, or no answer arrived."""
    return is_throttled(error) or is_unanswered(error)


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:  # else it begins with [Errno 2]
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _advice(error: Exception) -> str:
    if is_throttled(error):
        return LATER
    of_kind = (advice for kind, advice in ADVICE if isinstance(error, kind))
    return next(of_kind, "") or ADVICE_BY_CODE.get(code_of(error), "")
