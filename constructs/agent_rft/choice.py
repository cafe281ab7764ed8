"""What the choices of a trainer have in common: model, agent, datasets, output, groups, key, network, role."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from constructs import Construct

if TYPE_CHECKING:
    from agent_rft.execution_role import ExecutionRole


class Choice(Protocol):
    """Something that a user chose, or that was made as nothing was chosen."""

    @property
    def declared(self) -> Mapping[str, object]:
        """What it puts into the Declaration, by the Declaration's fields."""
        ...

    def bind(self, scope: Construct, role: "ExecutionRole") -> None:
        """Grants the job's role what the job does with it, and warns of what may catch the user out."""
        ...
