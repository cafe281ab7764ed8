"""What a text that is only known at deploy is of: an attribute of a resource that the app declares, where it is one."""

import re
from dataclasses import dataclass
from typing import TypeVar

from aws_cdk import CfnResource, Reference, Tokenization
from constructs import IConstruct

from agent_rft.arguments.validation import TEXT_TOKEN, is_text_token

Owner = TypeVar("Owner")


@dataclass(frozen=True)
class Attribute:
    """An attribute of a resource of the app, as a text begins with it.

    Args:
        resource: The resource.
        name: The attribute's name in CloudFormation, or ``Ref``.
        rest: What follows it in the text.
    """

    resource: CfnResource
    name: str
    rest: str

    @property
    def kind(self) -> str:
        """Such as ``AWS::Lambda::Function``."""
        return self.resource.cfn_resource_type

    @property
    def of(self) -> str:
        """Such as ``AWS::Lambda::Function.Arn``."""
        return f"{self.kind}.{self.name}"


def attribute_at_start(text: str) -> Attribute | None:
    """The attribute with which the text begins; none where the text begins otherwise, or with what is not the app's."""
    token = re.match(TEXT_TOKEN, text)
    found = Tokenization.reverse_string(token[0]).first_token if token else None
    if token is None or not isinstance(found, Reference) or not isinstance(found.target, CfnResource):
        return None
    return Attribute(found.target, found.display_name, text[token.end() :])


def owner_of(text: str, kind: type[Owner]) -> Owner | None:
    """The construct of this kind that made the resource whose attribute the text is; none where it is of nobody's."""
    attribute = attribute_at_start(text) if is_text_token(text) else None
    owner: IConstruct | None = attribute.resource.node.scope if attribute else None
    return owner if isinstance(owner, kind) else None
