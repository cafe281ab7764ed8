"""An event of a job's custom resource, parsed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from agent_rft_handler import facts
from agent_rft_handler.contract import from_properties, hyperparameter_text
from agent_rft_handler.declaration import Declaration
from agent_rft_handler.event import Event, mapping
from agent_rft_handler.job.names import is_name_of, job_name, name_in
from agent_rft_handler.owner import Owner
from agent_rft_handler.response import Response


@dataclass(frozen=True)
class Request:
    """What CloudFormation asks for: who, what is declared now and before, and by which id it knows the resource."""

    request_id: str
    owner: Owner
    declaration: Declaration
    former: Declaration
    physical_id: str
    keeps_replaced: bool

    @classmethod
    def of(cls, event: Event) -> "Request":
        """The request in an event."""
        return cls(
            request_id=event.request_id,
            owner=Owner(event.stack_id, event.logical_id),
            declaration=from_properties(event.properties),
            former=from_properties(event.old_properties),
            physical_id=event.physical_id,
            keeps_replaced=event.properties.get("UpdateReplacePolicy") == "Retain",
        )

    @property
    def category(self) -> str:
        return facts.category_of(self.declaration.job_category).name

    @cached_property
    def first_name(self) -> str:
        """The name of the declaration's first attempt."""
        return job_name(self.declaration, self.owner)

    @cached_property
    def former_name(self) -> str:
        """The same for the declaration before this event; empty where there was none."""
        return job_name(self.former, self.owner) if self.former.role_arn else ""

    @cached_property
    def known_name(self) -> str:
        """The name of the job by which CloudFormation knows the resource; empty where it knows it by none."""
        return self.physical_id if is_name_of(self.physical_id, self.owner) else ""

    @cached_property
    def named_in_id(self) -> str:
        """The name in the physical id, whether that job was ever confirmed or not; empty where there is none."""
        name = name_in(self.physical_id)
        return name if is_name_of(name, self.owner) else ""

    def answer(self, name: str, base_model_arn: str = "", *, physical_id: str = "") -> Response:
        """The answer with a job that is gone, and stays gone, or that a dry run would have submitted."""
        arn = self.owner.arn(f"job/{self.category}/{name}")
        data = {"JobName": name, "JobArn": arn, "BaseModelArn": base_model_arn}
        return Response(physical_id or name, data=data)

    def role_of(self, name: str) -> str:
        """The role that a job of this name was declared with, as far as this event says."""
        for declaration, first in ((self.declaration, self.first_name), (self.former, self.former_name)):
            if declaration.role_arn and name.startswith(first):
                return declaration.role_arn
        return ""


def request_of(owner: Owner, declaration: Declaration, request_id: str = "") -> Request:
    """A request that no resource of a job makes: nothing came before it."""
    return Request(request_id, owner, declaration, from_properties({}), "", keeps_replaced=False)


def in_place(declared: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """The properties with what is given in their place; of a map, in place of its values."""
    return {**declared, **{key: _in_place(declared.get(key), value) for key, value in given.items()}}


def _in_place(declared: object, given: object) -> object:
    if isinstance(given, Mapping):
        return {**mapping(declared), **{name: hyperparameter_text(each) for name, each in mapping(given).items()}}
    return list(given) if isinstance(given, list) else hyperparameter_text(given)
