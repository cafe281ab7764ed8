"""Who declares a job: one resource of one CloudFormation stack, and where it lives."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent_rft_handler.clients import Clients
from agent_rft_handler.facts import OWN_TAGS


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

    def arn(self, resource: str) -> str:
        """The ARN of a SageMaker resource beside the stack, as in ``job/AgentRFT/NAME``."""
        return f"arn:{self._part(1)}:sagemaker:{self.region}:{self.account}:{resource}"

    @property
    def identity(self) -> dict[str, str]:
        """The tags that say whose a thing is."""
        return {OWN_TAGS["stack"]: self.stack_id, OWN_TAGS["resource"]: self.logical_id}

    def tags(self, declaration_digest: str) -> dict[str, str]:
        """The tags by which the job is known to be this resource's."""
        return {**self.identity, OWN_TAGS["declaration"]: declaration_digest}

    def owns(self, tags: Mapping[str, str]) -> bool:
        """Whether these are the tags of a job or group of this resource, whichever declaration it came from."""
        return all(tags.get(key) == value for key, value in self.identity.items())

    def is_going_back(self, clients: Clients) -> bool:
        """Whether the stack is rolling back or being deleted, so that nothing may start."""
        stack = clients.cloudformation.describe_stacks(StackName=self.stack_id)["Stacks"][0]
        status = str(stack["StackStatus"])
        return status.endswith("_IN_PROGRESS") and ("ROLLBACK" in status or status.startswith("DELETE"))

    def _part(self, index: int) -> str:
        return self.stack_id.split(":")[index]
