"""The model that a job evaluates: a base model, or a model package."""

from collections.abc import Mapping
from dataclasses import dataclass

from constructs import Construct

from agent_rft import permissions
from agent_rft.iam.execution_role import ExecutionRole
from agent_rft.model.model import Model
from agent_rft.permissions import statement


@dataclass(frozen=True)
class EvaluatedModel:
    """A model as an evaluation reads it, which writes none."""

    model: Model

    @property
    def declared(self) -> Mapping[str, object]:
        """What it is called."""
        return self.model.declared

    def bind(self, scope: Construct, role: ExecutionRole) -> None:
        """Grants the role to read the base model in the hub, and the package if it is one."""
        self.model.bind(scope, role)
        if package := self.model.model_package_arn:
            role.allow(statement(permissions.USE_INPUT_PACKAGE, package))
