"""A watch's properties: which job, and by which state machine it is watched."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from agent_rft_handler import facts
from agent_rft_handler.event import text
from agent_rft_handler.job_event import LOGICAL_ID, STACK_ID, first_state


@dataclass(frozen=True)
class Watched:
    """What a watch is about; what is malformed in its properties reads as absent."""

    state_machine_arn: str
    job_name: str
    job_category: str
    every: str
    stack_id: str
    logical_id: str

    @classmethod
    def of(cls, properties: Mapping[str, object]) -> "Watched":
        """The watch in a custom resource's properties."""
        return cls(
            state_machine_arn=text(properties.get("StateMachineArn")),
            job_name=text(properties.get("JobName")),
            job_category=text(properties.get("JobCategory")),
            every=text(properties.get("EverySeconds")),
            stack_id=text(properties.get(STACK_ID)),
            logical_id=text(properties.get(LOGICAL_ID)),
        )

    @property
    def is_whole(self) -> bool:
        """Whether it says enough to watch a job."""
        named = self.state_machine_arn.count(":") == 6 and facts.JOB_NAME.accepts(self.job_name)
        return named and self.job_category in facts.CATEGORIES

    @property
    def execution_arn(self) -> str:
        """The watcher's own: an execution of the state machine, called like the job."""
        return f"{self.state_machine_arn.replace(':stateMachine:', ':execution:')}:{self.job_name}"

    @property
    def execution_input(self) -> str:
        """What the watcher starts from: whose job it watches, and that nothing of it was told yet."""
        return json.dumps(first_state(self.job_name, self.job_category, self.every, self.stack_id, self.logical_id))
