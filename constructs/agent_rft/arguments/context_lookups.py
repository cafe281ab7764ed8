"""Texts that CDK gives in the place of what a context look-up will find: the first synth's, which is thrown away."""

import re

HINT = "LOOKED-UP-LATER"
"""In the tokens that stand for such texts within these constructs: argument_tokens.py."""

PLACEHOLDERS = re.compile(rf"dummy-value-for-|^[ps]-(12345|67890)$|:role/DUMMY_ARN$|:iam::[^:]*:role$|Token\[{HINT}\.")
"""Of a parameter, subnets and a role [aws-cdk-lib: dummyValue in ssm/parameter.ts, ec2/vpc.ts, iam/role.ts], of a role
that the report on precreated roles still asks for, and those tokens. What stands for keys and security groups
has the form of a real one."""


def is_looked_up_later(value: object) -> bool:
    """Whether it is such a text."""
    return isinstance(value, str) and bool(PLACEHOLDERS.search(value))
