"""CloudFormation and Lambda around one custom resource, event by event.

Written after AWS's docs, not after the handler: the function is invoked asynchronously, Lambda calls one that ended
without an answer twice again, the first answer counts, and an event may be delivered more than once. A failed create is
undone by a Delete with the answered id (or a made-up one), a failed update by an Update back; a changed id leads to a
Delete of the old one, which is tried three times.
"""

from dataclasses import dataclass, field
from typing import Any

from handler.fakes import Killed
from handler.world import World

from agent_rft_handler.declaration import Declaration

CLEANUP_TRIES = 3
LAMBDA_RETRIES = (0, 60, 120)
SERVICE_TIMEOUT = 35 * 60
MADE_UP = "Wordle-Job-1ABCDEF"
LOGICAL_ID = "Job"


@dataclass(frozen=True)
class Deployment:
    """What goes wrong around an event, beside AWS itself, and how CloudFormation was told to take it."""

    later_fails: bool = False
    answer_lost: bool = False
    delivered_twice: bool = False
    no_rollback: bool = False
    skips_rollback: bool = False


@dataclass
class Stack:
    """One stack with one trainer: what CloudFormation believes, and what it still owes.

    With ``is_older`` the trainer joins and leaves a stack that stands, else stack and trainer come and go together.
    """

    world: World
    is_older: bool = False
    retains: bool = False
    declared: Declaration | None = None
    pid: str = ""
    leftover: tuple[str, Declaration] | None = None
    """A create that failed where nothing was to be rolled back: the next deployment replaces it."""
    owed: list[tuple[str, Declaration, dict[str, Any]]] = field(default_factory=list)
    """Events that failed where CloudFormation cannot go back: an operator has them sent again."""
    retained: list[str] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    is_in_doubt: bool = False
    """Whether an answer was lost and nothing was sent since: until then CloudFormation asks nobody."""
    refused: int = 0

    @property
    def healthy(self) -> bool:
        """Whether the stack could be deployed to."""
        return not self.owed

    @property
    def accounted_for(self) -> set[str]:
        """The jobs that may run: the stack's own, and what it was told to retain."""
        return {self.pid, *self.retained}

    def deploy(self, declaration: Declaration, how: Deployment | None = None) -> bool:
        """Creates or updates; whether the stack ends with the new declaration. One that owes something takes none."""
        self.settle()
        if not self.healthy:
            return False
        chosen = how or Deployment()
        properties = self.world.properties_of
        is_change = self.declared is None or properties(self.declared) != properties(declaration)
        if self.declared is None:
            done = self._create(declaration, chosen)
        else:
            done = self._update(declaration, self.declared, chosen) if is_change else True
        if not done and (chosen.no_rollback or chosen.skips_rollback):
            self.is_in_doubt = True
        elif is_change:
            self.is_in_doubt &= not self.healthy
        self._rest("UPDATE_COMPLETE" if done else "UPDATE_ROLLBACK_COMPLETE")
        return done

    def destroy(self) -> None:
        """Deletes the trainer, with or from its stack; what fails is owed."""
        self.settle()
        status = "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS" if self.is_older else "DELETE_IN_PROGRESS"
        if self.declared is not None:
            self._must(status, "Delete", self.declared, pid=self.pid)
            self.declared, self.pid = None, ""
        if self.leftover:
            pid, declaration = self.leftover
            self._must(status, "Delete", declaration, pid=pid)
            self.leftover = None
        self.is_in_doubt &= self.is_older
        self._rest("UPDATE_COMPLETE" if self.is_older else "DELETE_COMPLETE")

    def settle(self) -> None:
        """Sends what is owed again, as ContinueUpdateRollback or another delete-stack does."""
        owed, self.owed = self.owed, []
        for kind, declaration, more in owed:
            if kind == "Update":
                self._roll_back(more["old"], declaration, more["pid"])
            else:
                self._must(str(more.pop("status")), kind, declaration, **more)
        if owed:
            self._rest("UPDATE_ROLLBACK_COMPLETE")

    def deliver_late(self) -> None:
        """Delivers every event once more, now that nothing is going on; the answers reach nobody."""
        for raw in list(self.sent):
            self._invoked(raw)

    def _rest(self, status: str) -> None:
        """Nothing is going on."""
        self.world.cloudformation.status = status
        self.world.cloudformation.known = {LOGICAL_ID: self.pid} if self.pid else {}

    def _create(self, declaration: Declaration, how: Deployment) -> bool:
        self.world.cloudformation.known = {}
        forward = "UPDATE_IN_PROGRESS" if self.is_older else "CREATE_IN_PROGRESS"
        back = "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS" if self.is_older else "ROLLBACK_IN_PROGRESS"
        answer = self._send(forward, "Create", declaration, how)
        pid = str(answer.get("PhysicalResourceId", MADE_UP))
        done = answer.get("Status") == "SUCCESS"
        self.world.cloudformation.known = {LOGICAL_ID: pid}
        if done and (not how.later_fails or how.no_rollback):
            self.declared, self.pid = declaration, pid
            self._replace_leftover()
            return True
        if how.no_rollback:
            self._replace_leftover()
            self.leftover = (pid, declaration)
            return False
        self._must(back, "Delete", declaration, pid=pid)
        return False

    def _replace_leftover(self) -> None:
        if self.leftover:
            pid, declaration = self.leftover
            self.leftover = None
            self._clean_up(declaration, pid)

    def _update(self, new: Declaration, old: Declaration, how: Deployment) -> bool:
        before = self.pid
        answer = self._send("UPDATE_IN_PROGRESS", "Update", new, how, pid=before, old=old)
        done = answer.get("Status") == "SUCCESS"
        known = str(answer["PhysicalResourceId"]) if done else before
        if done and (not how.later_fails or how.no_rollback):
            self.declared, self.pid = new, known
            if known != before:
                self._replaced(old, before)
            return True
        self.pid = known
        if how.no_rollback or how.skips_rollback:
            return False
        self._roll_back(new, old, known)
        return False

    def _roll_back(self, new: Declaration, old: Declaration, known: str) -> None:
        back = self._must("UPDATE_ROLLBACK_IN_PROGRESS", "Update", old, pid=known, old=new)
        self.pid = back or known
        self.world.cloudformation.known = {LOGICAL_ID: self.pid}
        if back and known != back:
            self._must("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", "Delete", new, pid=known)

    def _replaced(self, old: Declaration, pid: str) -> None:
        self.world.cloudformation.known = {LOGICAL_ID: self.pid}
        if self.retains:
            self.retained.append(pid)
        else:
            self._clean_up(old, pid)

    def _clean_up(self, old: Declaration, pid: str) -> None:
        for _ in range(CLEANUP_TRIES):
            if self._answered("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "Delete", old, pid=pid):
                return

    def _must(self, status: str, kind: str, declaration: Declaration, **more: Any) -> str:
        answered = self._answered(status, kind, declaration, **more)
        if not answered:
            self.owed.append((kind, declaration, {"status": status, **more}))
        return answered

    def _answered(self, status: str, kind: str, declaration: Declaration, **more: Any) -> str:
        """Sends an event; the physical id of its answer, or nothing when it failed."""
        answer = self._send(status, kind, declaration, Deployment(), **more)
        return str(answer["PhysicalResourceId"]) if answer.get("Status") == "SUCCESS" else ""

    def _send(self, status: str, kind: str, declaration: Declaration, how: Deployment, **more: Any) -> dict[str, Any]:
        """What CloudFormation hears; nothing when no answer comes in time."""
        self.world.cloudformation.status = status
        if self.pid and kind == "Update":
            self.world.cloudformation.known = {LOGICAL_ID: self.pid}
        properties = {"UpdateReplacePolicy": "Retain"} if self.retains else {}
        raw = self.world.event(kind, declaration, **more)
        raw["ResourceProperties"] |= properties
        self.sent.append(raw)
        begun = self.world.clock.now
        answer = self._invoked(raw)
        if how.delivered_twice:
            self._invoked(raw)
        if how.answer_lost or not answer:
            answer = {}
            self.world.clock.now = max(self.world.clock.now, begun + SERVICE_TIMEOUT)
        self.refused += answer.get("Status") != "SUCCESS"
        return answer

    def _invoked(self, raw: dict[str, Any]) -> dict[str, Any]:
        """One delivery, with Lambda's retries; what was answered."""
        for delay in LAMBDA_RETRIES:
            self.world.clock.sleep(delay)
            self.world.clock.deadline = self.world.clock.now + 600
            try:
                return self.world.answer(raw)
            except Killed:
                continue
        return {}
