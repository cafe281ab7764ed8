"""An argument with tokens in the place of texts that only stand for one: what takes a token, CDK too, takes it then."""

import re
from collections.abc import Mapping
from typing import Any

from aws_cdk import Token

from agent_rft.arguments.context_lookups import HINT, is_looked_up_later
from agent_rft.arguments.validation import NUMBER_TEXT


def with_tokens(value: Any) -> Any:
    """The value, with a token for each text that is still to be looked up, and for each number token put into a text.

    The CDK resolves the digits of such a number, but does not take them for a token [aws-cdk-lib: encoding.ts].
    """
    if isinstance(value, Mapping):
        return {name: with_tokens(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(with_tokens, value))
    if is_looked_up_later(value) and HINT not in value:
        return Token.as_string({"Fn::Join": ["", [value]]}, display_hint=HINT)
    is_text = type(value) is str and "e+289" in value
    return re.sub(NUMBER_TEXT, lambda found: Token.as_string(float(found[0])), value) if is_text else value
