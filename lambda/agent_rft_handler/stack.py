"""What CloudFormation says of the stack: where it is going, and which id it knows a resource by."""

from dataclasses import dataclass

from botocore.exceptions import ClientError

from agent_rft_handler.clients import Clients
from agent_rft_handler.errors import Refused, explained, message_of


@dataclass(frozen=True)
class Status:
    """A stack's status."""

    name: str

    @property
    def is_rolling_back_or_deleting(self) -> bool:
        """Whether nothing may start: what the stack does next takes away what it did."""
        return self.name.startswith("DELETE") or ("ROLLBACK" in self.name and self.name.endswith("_IN_PROGRESS"))

    @property
    def is_deploying(self) -> bool:
        """Whether the stack is being created or updated, and going forward."""
        return self.name.endswith("_IN_PROGRESS") and not self.is_rolling_back_or_deleting

    @property
    def is_resting(self) -> bool:
        """Whether nothing is going on, so that an event can only be an old one that was delivered again."""
        return not self.name.endswith("_IN_PROGRESS")

    @property
    def is_ending(self) -> bool:
        """Whether all of the stack goes: it is deleted, or its creation is rolled back."""
        return self.name.startswith(("DELETE", "ROLLBACK"))


def status(stack_id: str, clients: Clients) -> Status:
    """The stack's status; a stack that is not there any more is deleted."""
    try:
        (stack,) = clients.cloudformation.describe_stacks(StackName=stack_id)["Stacks"]
    except ClientError as error:
        if _is_gone(error):
            return Status("DELETE_COMPLETE")
        raise explained(error, "Asking for the stack's status") from error
    return Status(str(stack["StackStatus"]))


def require_deploying(stack_id: str, clients: Clients) -> None:
    """Refuses to start anything unless the stack is going forward.

    Raises:
        Refused: when it is going back or ending, or when nothing is being deployed: then this event is an old one
            that was delivered again.
    """
    now = status(stack_id, clients)
    if now.is_rolling_back_or_deleting:
        raise Refused("The stack is rolling back or being deleted, so nothing was submitted.")
    if not now.is_deploying:
        raise Refused(f"The stack is {now.name}, not being deployed: this event is out of date, so nothing was done.")


def known_id(stack_id: str, logical_id: str, clients: Clients) -> str:
    """The physical id by which the stack knows the resource now; empty when it knows none."""
    try:
        detail = clients.cloudformation.describe_stack_resource(StackName=stack_id, LogicalResourceId=logical_id)
    except ClientError as error:
        if _is_gone(error):
            return ""
        raise explained(error, f"Asking for the id of {logical_id}") from error
    return str(detail["StackResourceDetail"].get("PhysicalResourceId") or "")


def _is_gone(error: ClientError) -> bool:
    return "does not exist" in message_of(error)
