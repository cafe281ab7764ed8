"""CloudFormation and CDK's provider framework around one custom resource, event by event.

What each does on failure is written after docs: a failed create is undone by a Delete that the framework swallows, a
lost answer by a Delete with an invented id, a failed update by an Update back; clean-up is tried three times.
"""

from dataclasses import dataclass, field
from typing import Any

from handler.world import World

from agent_rft_handler import contract
from agent_rft_handler.contract import Declaration
from agent_rft_handler.errors import JobRefused

CLEANUP_TRIES = 3


@dataclass
class Deployment:
    """What goes wrong around an event, beside AWS itself."""

    later_fails: bool = False
    answer_lost: bool = False
    delivered_twice: bool = False


@dataclass
class Stack:
    """One stack with one trainer: what CloudFormation believes, and what it still owes."""

    world: World
    declared: Declaration | None = None
    pid: str = ""
    owed: list[tuple[str, Declaration, dict[str, Any]]] = field(default_factory=list)
    """Events that failed where CloudFormation cannot go back: an operator has them sent again."""

    @property
    def healthy(self) -> bool:
        """Whether the stack could be deployed to."""
        return not self.owed

    def deploy(self, declaration: Declaration, how: Deployment | None = None) -> bool:
        """Creates or updates; whether the stack ends with the new declaration."""
        self.settle()
        chosen = how or Deployment()
        if self.declared is None:
            return self._create(declaration, chosen)
        if contract.to_properties(self.declared) == contract.to_properties(declaration):
            return True
        return self._update(declaration, self.declared, chosen)

    def destroy(self) -> None:
        """Deletes the stack; what fails is owed."""
        self.settle()
        if self.declared is not None:
            self._must("DELETE_IN_PROGRESS", "Delete", self.declared, pid=self.pid)
            self.declared, self.pid = None, ""

    def settle(self) -> None:
        """Sends what is owed again, as ContinueUpdateRollback or another delete-stack does."""
        owed, self.owed = self.owed, []
        for kind, declaration, more in owed:
            self._must(str(more.pop("status")), kind, declaration, **more)

    def _create(self, declaration: Declaration, how: Deployment) -> bool:
        pid = self._try("CREATE_IN_PROGRESS", "Create", declaration)
        if how.delivered_twice and pid:  # the first answer counts; another must agree
            assert self._try("CREATE_IN_PROGRESS", "Create", declaration) in ("", pid)
        if not pid:
            return False  # the framework answers the Delete of a failed create by itself
        if how.answer_lost or how.later_fails:
            known = "Wordle-Job-1ABCDEF" if how.answer_lost else pid
            self._must("ROLLBACK_IN_PROGRESS", "Delete", declaration, pid=known)
            return False
        self.declared, self.pid = declaration, pid
        return True

    def _update(self, new: Declaration, old: Declaration, how: Deployment) -> bool:
        before = self.pid
        pid = self._try("UPDATE_IN_PROGRESS", "Update", new, pid=before, old=old)
        if how.delivered_twice and pid:
            assert self._try("UPDATE_IN_PROGRESS", "Update", new, pid=before, old=old) in ("", pid)
        if not pid or how.answer_lost or how.later_fails:
            known = pid if pid and not how.answer_lost else before
            self._roll_back(new, old, known, before)
            return False
        self.declared, self.pid = new, pid
        if pid != before:
            self._clean_up(old, before)
        return True

    def _roll_back(self, new: Declaration, old: Declaration, known: str, before: str) -> None:
        status = "UPDATE_ROLLBACK_IN_PROGRESS"
        back = self._must(status, "Update", old, pid=known, old=new) or before
        self.pid = back
        if known != back:
            self._must(status, "Delete", new, pid=known)

    def _clean_up(self, old: Declaration, pid: str) -> None:
        for _ in range(CLEANUP_TRIES):
            if self._try("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "Delete", old, pid=pid):
                return

    def _must(self, status: str, kind: str, declaration: Declaration, **more: Any) -> str:
        answered = self._try(status, kind, declaration, **more)
        if not answered:
            self.owed.append((kind, declaration, {"status": status, **more}))
        return answered

    def _try(self, status: str, kind: str, declaration: Declaration, **more: Any) -> str:
        """Sends an event; the physical id of its answer, or nothing when the handler refused."""
        self.world.cloudformation.status = status
        self.world.clock.deadline = self.world.clock.now + 600
        try:
            return str(self.world.deliver(kind, declaration, **more)["PhysicalResourceId"])
        except JobRefused:
            return ""
