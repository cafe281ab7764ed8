"""What the choices of a trainer have in common: model, agent, datasets, output, groups, key, network, role."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from aws_cdk import IResolvable, Token
from constructs import Construct

from agent_rft.arguments.types import implements
from agent_rft.arguments.validation import known_account, known_region, may_be, refuse, unknown
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.validation import given_problems, problems

if TYPE_CHECKING:
    from agent_rft.iam.execution_role import ExecutionRole


class Choice(Protocol):
    """Something that a user chose, or that was made as nothing was chosen.

    The extension point: who needs another right for an agent or a model subclasses ``AgentEnvironment`` or ``Model``.
    """

    @property
    def declared(self) -> Mapping[str, object]:
        """What it puts into the Declaration, by the Declaration's fields."""
        ...

    def bind(self, scope: Construct, role: "ExecutionRole") -> None:
        """Grants the job's role what the job does with it, and warns of what may catch the user out."""
        ...


def refuse_texts(scope: Construct, **given: object) -> None:
    """Refuses wrong texts from which CDK would make a construct, before it does so with words of its own.

    Raises:
        ValueError: for every one of them, in one message.
    """
    refuse(scope, given_problems(given, may_be))


def declaration_of(scope: Construct, choices: Iterable[Choice], **rest: object) -> Declaration:
    """The declaration that the choices and the rest make, checked as a whole.

    Raises:
        ValueError: for whatever the service would refuse, every problem in one message.
    """
    declared: dict[str, Any] = {name: _as_text(value) for name, value in rest.items()}
    for choice in choices:
        declared.update(choice.declared)
    declaration = Declaration(**declared)
    place = {"region": known_region(scope), "account": known_account(scope)}
    refuse(scope, problems(declaration, unresolved=unknown, accepts=may_be, **place))
    return declaration


def _as_text(value: object) -> object:
    """CDK's own object for what is only known at deploy, as text with the token in it."""
    return Token.as_string(value) if implements(value, IResolvable) else value
