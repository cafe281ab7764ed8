"""Texts that CDK gives in the place of what a context look-up will find: the first synth's, which is thrown away."""

import re
from collections.abc import Mapping
from typing import Any

from aws_cdk import Token

HINT = "LOOKED-UP-LATER"

PLACEHOLDERS = re.compile(rf"dummy-value-for-|^[ps]-(12345|67890)$|:role/DUMMY_ARN$|:iam::[^:]*:role$|Token\[{HINT}\.")
"""Of a parameter, subnets and a role [aws-cdk-lib: dummyValue in ssm/parameter.ts, ec2/vpc.ts, iam/role.ts], of a role
that the report on precreated roles still asks for, and the tokens made here. What stands for keys and security groups
has the form of a real one."""


def is_looked_up_later(value: object) -> bool:
    """Whether it is such a text."""
    return isinstance(value, str) and bool(PLACEHOLDERS.search(value))


def with_tokens(value: Any) -> Any:
    """The value, with a token in the place of every such text in it: what takes a token, CDK too, takes it then."""
    if isinstance(value, Mapping):
        return {name: with_tokens(each) for name, each in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(with_tokens, value))
    is_new = is_looked_up_later(value) and HINT not in value
    return Token.as_string({"Fn::Join": ["", [value]]}, display_hint=HINT) if is_new else value
