"""A task of a Step Functions execution as a request: the execution owns the job, each entry of the state is one."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent_rft_handler import facts
from agent_rft_handler.contract import Declaration, from_properties, hyperparameter_text
from agent_rft_handler.event import mapping, text
from agent_rft_handler.job.request import Request
from agent_rft_handler.owner import Owner

LOGICAL_ID = re.compile(facts.TAG_TEXT)


@dataclass(frozen=True)
class Task:
    """What a state machine hands over; what is malformed in it reads as absent."""

    stack_id: str
    execution_arn: str
    state: str
    entered: str
    declared: Mapping[str, object]
    inputs: Mapping[str, object]

    @classmethod
    def of(cls, raw: object) -> "Task":
        """The task in a function's input."""
        given = mapping(raw)
        return cls(
            stack_id=text(given.get("StackId")),
            execution_arn=text(given.get("Execution")),
            state=text(given.get("State")),
            entered=text(given.get("EnteredTime")),
            declared=mapping(given.get("Declared")),
            inputs=mapping(given.get("Inputs")),
        )

    @property
    def request(self) -> Request:
        """One request for each time that the state was entered: a retry of the function finds the first one's job."""
        entry = json.dumps([self.execution_arn, self.state, self.entered])
        declaration = from_properties({**self.declared, **self._given()})
        run_id = ":".join(each for each in (declaration.run_id, self.state, self.entered) if each)
        return request_of(
            owner_of(self.stack_id, self.execution_arn),
            replace(declaration, dry_run=False, run_id=run_id),
            hashlib.sha256(entry.encode()).hexdigest()[:32],
        )

    def _given(self) -> dict[str, object]:
        """What the execution's input says in place of the declaration; of a map, in place of its values."""
        return {
            key: {**mapping(self.declared.get(key)), **{name: _text(each) for name, each in mapping(value).items()}}
            if isinstance(value, Mapping)
            else _text(value)
            for key, value in self.inputs.items()
        }


def owner_of(stack_id: str, execution_arn: str) -> Owner:
    """Whose the execution's jobs are: ``machine:execution``, which no resource of a stack can be called."""
    name = ":".join(execution_arn.split(":")[6:])
    if not LOGICAL_ID.fullmatch(name):  # it becomes a tag
        name = f"{name.split(':')[0]}:{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return Owner(stack_id, name)


def request_of(owner: Owner, declaration: Declaration, request_id: str = "") -> Request:
    """A request that no resource of CloudFormation's makes: nothing came before it."""
    return Request(request_id, owner, declaration, from_properties({}), "", keeps_replaced=False)


def _text(value: object) -> str:
    return value if isinstance(value, str) else hyperparameter_text(value)
