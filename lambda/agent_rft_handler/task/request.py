"""A task of a Step Functions execution as a request: the execution owns the job, each entry of the state is one."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent_rft_handler import facts
from agent_rft_handler.contract import from_properties
from agent_rft_handler.event import mapping, text
from agent_rft_handler.job.request import Request, in_place, request_of
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
        declaration = from_properties(in_place(self.declared, self.inputs))
        run_id = ":".join(each for each in (declaration.run_id, self.state, self.entered) if each)
        return request_of(
            owner_of(self.stack_id, self.execution_arn),
            replace(declaration, dry_run=False, run_id=run_id),
            hashlib.sha256(entry.encode()).hexdigest()[:32],
        )


def owner_of(stack_id: str, execution_arn: str) -> Owner:
    """Whose the execution's jobs are: ``machine:execution``, which no resource of a stack can be called."""
    name = ":".join(execution_arn.split(":")[6:])
    if not LOGICAL_ID.fullmatch(name):  # it becomes a tag
        name = f"{name.split(':')[0]}:{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return Owner(stack_id, name)
