"""Random sequences of what people and AWS do to a stack, against what the lifecycle promises."""

from typing import Any

import pytest
from handler.world import WHOSE, World
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lifecycle.faults import AFTER, BEFORE, StruckClients
from lifecycle.promises import LONG, require
from lifecycle.stack import Deployment, Stack

from agent_rft_handler.declaration import Replacement
from agent_rft_handler.facts import AGENT_RFT
from agent_rft_handler.job.names import DRY_RUN, attempt_in, job_name
from agent_rft_local import store

PLANS = st.dictionaries(st.integers(1, 16), st.sampled_from([*BEFORE, *AFTER]), max_size=3)
"""Up to three faults at any of the calls that a deployment makes."""


class Lifecycle(RuleBasedStateMachine):
    """One stack with one trainer."""

    @initialize(quota=st.sampled_from([1, 2, 3]), is_older=st.booleans())
    def begin(self, quota: int, is_older: bool) -> None:
        self.world = World()
        store.clock = lambda: self.world.clock.now
        self.stack = Stack(self.world, is_older)
        store.behaviour.running_jobs, store.behaviour.job_seconds = quota, LONG
        self.must_run = False
        """Whether the stack's job is one that nothing since its submission gave a reason to end."""

    @rule(
        run_id=st.sampled_from("abc"),
        replacement=st.sampled_from(list(Replacement)),
        owner=st.sampled_from(["me", "you"]),
        dry_run=st.sampled_from([False, False, True]),
        how=st.builds(Deployment, *[st.booleans()] * 5),
        plan=PLANS,
    )
    def deploy(self, run_id: str, replacement: str, owner: str, dry_run: bool, how: Deployment, plan: Any) -> None:
        declaration = self.world.declaration(
            run_id=run_id, replacement=replacement, tags={"Owner": owner}, dry_run=dry_run
        )
        before, made, sent = self.stack.pid, len(self.world.effects()), len(self.stack.sent)
        self.strike(plan)
        done = self.stack.deploy(declaration, how) and len(self.stack.sent) > sent
        self.recover()
        submitted = len(self.world.effects()) - made
        if replacement == Replacement.STOP_FIRST or self.stack.pid != before:
            self.must_run = False  # it may have been stopped for a job that was not submitted after all
        if dry_run:
            assert submitted == 0
        if done and dry_run:
            assert self.stack.pid == DRY_RUN + job_name(declaration, WHOSE)
        elif done:
            assert attempt_in(self.stack.pid, job_name(declaration, WHOSE))
            assert self.stack.pid in self.world.effects()
            self.must_run |= self.stack.pid != before
        if done and self.stack.pid == before and not how.no_rollback:
            assert submitted == 0

    @precondition(lambda self: self.stack.declared and self.stack.healthy)
    @rule(plan=PLANS)
    def deploy_unchanged(self, plan: Any) -> None:
        before, made = self.stack.pid, len(self.world.effects())
        self.strike(plan)
        assert self.stack.declared
        assert self.stack.deploy(self.stack.declared)
        self.recover()
        assert (self.stack.pid, len(self.world.effects())) == (before, made)

    @rule(plan=PLANS)
    def destroy(self, plan: Any) -> None:
        self.strike(plan)
        self.stack.destroy()
        self.recover()
        self.must_run = False
        if not self.stack.is_older:
            self.world.clock.sleep(10)
            assert self.world.running() == []

    @rule(plan=PLANS)
    def everything_is_delivered_again(self, plan: Any) -> None:
        self.strike(plan)
        self.stack.deliver_late()
        self.recover()

    @rule()
    def time_passes(self) -> None:
        self.world.finish_jobs()
        self.must_run = False

    @precondition(lambda self: self.stack.pid in self.world.running())
    @rule()
    def someone_stops_the_job(self) -> None:
        self.world.sagemaker.stop_job(JobName=self.stack.pid, JobCategory=AGENT_RFT.name)
        self.world.clock.sleep(10)
        self.must_run = False

    @precondition(lambda self: self.world.jobs() and not self.world.running())
    @rule(data=st.data())
    def someone_deletes_a_record(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.world.jobs())))
        self.world.sagemaker.delete_job(JobName=name, JobCategory=AGENT_RFT.name)

    @invariant()
    def what_runs_is_known_and_what_should_run_does(self) -> None:
        self.world.clock.sleep(10)
        require(self.world, self.stack, runs=True if self.must_run else None)

    def strike(self, plan: dict[int, str]) -> None:
        self.world.clients = StruckClients(self.world, plan)

    def recover(self) -> None:
        """AWS is well again, and the operator has what failed sent again."""
        self.world.clients = self.world
        self.stack.settle()
        self.world.clock.sleep(10)


def _machine(examples: int, steps: int, *, is_repeatable: bool) -> Any:
    """The machine as a test case that runs so many sequences of so many steps, the same each time or others."""
    case: Any = type("Sequences", (Lifecycle.TestCase,), {})
    case.settings = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=is_repeatable,
        suppress_health_check=list(HealthCheck),
    )
    return case


TestLifecycle = _machine(100, 20, is_repeatable=True)
TestLongLifecycle = pytest.mark.exhaustive(_machine(3000, 40, is_repeatable=False))
