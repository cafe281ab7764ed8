"""One clear error at synth, with the construct's path; tokens are never looked into."""

import re
import struct
from collections.abc import Iterable
from functools import cache

from aws_cdk import IResolvable, Token
from constructs import Construct

from agent_rft.arguments.context_lookups import is_looked_up_later
from agent_rft.arguments.literal_parts import can_match
from agent_rft.place import Place
from agent_rft_handler.facts import Fact
from agent_rft_handler.validation import form_problem

TEXT_TOKEN = r"\$\{Token\[[^\]]*\]\}"  # noqa: S105 - no password
"""How CDK writes what is only known at deploy into a text [aws-cdk-lib: encoding.ts]."""

Flag = bool | IResolvable
"""True or False, or what is only known at deploy: CDK's object for it, or its text."""


def refuse(scope: Construct, problems: Iterable[str], id: str = "") -> None:
    """Raises every problem in one message that starts with the construct's path.

    Args:
        scope: The construct, or with ``id`` the scope of one that is not made yet.
        problems: Sentences; empty ones are none.
        id: The construct's id in the scope.

    Raises:
        ValueError: when there is a problem.
    """
    found = [problem for problem in problems if problem]
    if found:
        path = "/".join(part for part in (scope.node.path, id) if part)
        raise ValueError("\n".join(f"[{path}] {problem}" for problem in found))


_VALID = r"Token\[[a-zA-Z0-9:._-]+\]\}"
NUMBER_TEXT = r"-1\.\d{10,16}e\+289"
_TEXT_TOKEN = re.compile(rf"\$\{{{_VALID}|{NUMBER_TEXT}")
_LIST_TOKEN = re.compile(rf"#\{{{_VALID}")
_NUMBER_TOKEN = b"\xfb\xff"
"""How a token stands in a text or a list, and how one as a number begins [aws-cdk-lib: core/lib/private/encoding.ts].

The CDK itself would have to ask its process, sixty times a trainer.
"""


def unresolved(value: object) -> bool:
    """Whether the value is only known at deploy: a token, or text with one in it."""
    if isinstance(value, str):
        return ("Token[" in value or "e+289" in value) and bool(_TEXT_TOKEN.search(value))
    if isinstance(value, int | float):
        return isinstance(value, float) and struct.pack(">d", value).startswith(_NUMBER_TOKEN)
    if isinstance(value, list | tuple):
        return len(value) == 1 and isinstance(value[0], str) and bool(_LIST_TOKEN.search(value[0]))
    return hasattr(value, "resolve") and bool(Token.is_unresolved(value))


def unknown(value: object) -> bool:
    """Whether no check can look at the value yet: it is unresolved, or still to be looked up."""
    return is_looked_up_later(value) or unresolved(value)


def literal_parts(text: str) -> list[str]:
    """What is written before, between and after the tokens of a text."""
    return re.split(rf"{TEXT_TOKEN}|{NUMBER_TEXT}", text)


@cache  # a stack's trainers hold the same tokens: a tenth of what Python does for a further one
def may_be(form: Fact, text: str) -> bool:
    """Whether the text has the form; of one with tokens in it, whether what is written beside them lets it."""
    if not unknown(text):
        return form.accepts(text)
    parts = literal_parts(text)
    too_long = form.max_length and sum(map(len, parts)) > form.max_length
    return is_looked_up_later(text) or (not too_long and can_match(form.pattern, parts))


def text_problem(argument: str, value: str, forms: tuple[Fact, ...]) -> str:
    """What is wrong with a text that must have one of the forms."""
    return form_problem(argument, value, forms, may_be)


def is_text_token(value: object) -> bool:
    """Whether the whole text is one token."""
    return isinstance(value, str) and bool(re.fullmatch(TEXT_TOKEN, value))


def known_region(scope: Construct) -> str:
    """The stack's region, or nothing where it is only known at deploy."""
    region = Place.of(scope).region
    return "" if unresolved(region) else region


def known_account(scope: Construct) -> str:
    """The stack's account, or nothing where it is only known at deploy."""
    account = Place.of(scope).account
    return "" if unresolved(account) else account
