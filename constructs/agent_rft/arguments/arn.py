"""Whether a text that may hold tokens is an ARN, and an ARN that CDK can take apart whatever tokens it holds."""

from aws_cdk import Fn

from agent_rft.arguments.validation import is_text_token, literal_parts, unresolved

COMPONENTS = 6
"""Of an ARN, between colons: the last is the resource [AWS docs: reference-arns]."""


def is_arn(text: str) -> bool:
    """Whether what is written of it begins or goes on as an ARN does; a name has no colon."""
    return text.startswith("arn:") or any(":" in part for part in literal_parts(text))


def splittable(arn: str) -> str:
    """The ARN; as one token where a token in it stands for several components, which CDK lets the deploy take apart."""
    _, *after = "{}".join(literal_parts(arn)).split(":", COMPONENTS - 1)
    has_its_kind = len(after) == COMPONENTS - 1 and "/" in after[-1].partition("{}")[0]
    return arn if has_its_kind or not unresolved(arn) or is_text_token(arn) else Fn.join("", [arn])
