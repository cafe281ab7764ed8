"""Who declares a job: one resource of one CloudFormation stack, and where it lives."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from agent_rft_handler.facts import OWN_TAGS

DIGEST_LENGTH = 10


@dataclass(frozen=True)
class Owner:
    """A stack's resource; the stack's ARN also says partition, region and account."""

    stack_id: str
    logical_id: str

    @property
    def region(self) -> str:
        return self._part(3)

    @property
    def account(self) -> str:
        return self._part(4)

    @cached_property
    def digest(self) -> str:
        """Ten hex digits that stand in the name of every job of this resource, whatever it declared."""
        text = json.dumps([self.stack_id, self.logical_id], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]

    def arn(self, resource: str) -> str:
        """The ARN of a SageMaker resource beside the stack, as in ``job/AgentRFT/NAME``."""
        return f"arn:{self._part(1)}:sagemaker:{self.region}:{self.account}:{resource}"

    @property
    def identity(self) -> dict[str, str]:
        """The tags that say whose a thing is."""
        return {OWN_TAGS["stack"]: self.stack_id, OWN_TAGS["resource"]: self.logical_id}

    def owns(self, tags: Mapping[str, str]) -> bool:
        """Whether these are the tags of a job or group of this resource, whichever declaration it came from."""
        return all(tags.get(key) == value for key, value in self.identity.items())

    def _part(self, index: int) -> str:
        return self.stack_id.split(":")[index]
