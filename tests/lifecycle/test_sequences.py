"""Random sequences of what people and AWS do to a stack, against what the lifecycle promises."""

import logging
from typing import Any

from handler.world import STACK_ID, World
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lifecycle.stack import Deployment, Stack

from agent_rft_handler.contract import Replacement
from agent_rft_handler.facts import AGENT_RFT
from agent_rft_handler.names import dry_run_id, is_attempt_of, job_name
from agent_rft_local import store

FAULTS = st.tuples(
    st.sampled_from(["CreateJob", "DescribeJob", "ListJobs", "ListTags", "StopJob", "AddTags", "DescribeHubContent"]),
    st.sampled_from(["throttled", "error_before", "error_after", "reset", "denied"]),
)


class Lifecycle(RuleBasedStateMachine):
    """One stack with one trainer."""

    @initialize(quota=st.sampled_from([1, 2]))
    def begin(self, quota: int) -> None:
        logging.disable(logging.CRITICAL)  # a refusal's traceback, some thousand times
        self.world = World()
        self.clock, store.clock = store.clock, lambda: self.world.clock.now
        self.stack = Stack(self.world)
        self.quota = store.behaviour.running_jobs = quota
        self.deployments = 0

    def teardown(self) -> None:
        store.clock = self.clock
        logging.disable(logging.NOTSET)

    @rule(
        run_id=st.sampled_from("abc"),
        replacement=st.sampled_from(list(Replacement)),
        owner=st.sampled_from(["me", "you"]),
        dry_run=st.sampled_from([False, False, True]),
        how=st.builds(Deployment, st.booleans(), st.booleans(), st.booleans()),
        fault=st.none() | FAULTS,
    )
    def deploy(self, run_id: str, replacement: str, owner: str, dry_run: bool, how: Deployment, fault: Any) -> None:
        before, made, ran = self.stack.pid, len(self.world.effects()), self.world.running()
        self.strike(fault)
        declaration = self.world.declaration(
            run_id=run_id, replacement=replacement, tags={"Owner": owner}, dry_run=dry_run
        )
        self.deployments += 1
        done = self.stack.deploy(declaration, how)
        self.recover()
        submitted = len(self.world.effects()) - made
        assert submitted <= (0 if dry_run else 1)
        if dry_run:
            assert self.world.running() == ran
        if done and dry_run:
            assert self.stack.pid == dry_run_id(job_name(declaration, STACK_ID, "Job"))
        elif done:
            assert is_attempt_of(self.stack.pid, job_name(declaration, STACK_ID, "Job"))
            assert self.stack.pid in self.world.effects()
        if done and self.stack.pid == before:
            assert submitted == 0
        if not done and before in self.world.jobs():
            assert self.stack.pid == before

    @precondition(lambda self: self.stack.declared)
    @rule(fault=st.none() | FAULTS)
    def deploy_unchanged(self, fault: Any) -> None:
        before, made = self.stack.pid, len(self.world.effects())
        self.strike(fault)
        assert self.stack.declared
        assert self.stack.deploy(self.stack.declared)
        self.recover()
        assert (self.stack.pid, len(self.world.effects())) == (before, made)

    @rule(fault=st.none() | FAULTS)
    def destroy(self, fault: Any) -> None:
        self.strike(fault)
        self.stack.destroy()
        self.recover()
        self.world.clock.sleep(10)
        assert self.world.running() == []

    @rule()
    def time_passes(self) -> None:
        self.world.finish_jobs()

    @precondition(lambda self: self.stack.pid in self.world.running())
    @rule()
    def someone_stops_the_job(self) -> None:
        self.world.sagemaker.stop_job(JobName=self.stack.pid, JobCategory=AGENT_RFT.name)
        self.world.clock.sleep(10)

    @precondition(lambda self: self.world.jobs() and not self.world.running())
    @rule(data=st.data())
    def someone_deletes_a_record(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.world.jobs())))
        self.world.sagemaker.delete_job(JobName=name, JobCategory=AGENT_RFT.name)

    @invariant()
    def what_runs_is_known_and_the_stack_is_healthy(self) -> None:
        self.world.clock.sleep(10)
        assert set(self.world.running()) <= {self.stack.pid}
        assert self.stack.healthy
        assert len(self.world.effects()) <= self.deployments

    def strike(self, fault: Any) -> None:
        if fault:
            self.world.fail(*fault)

    def recover(self) -> None:
        """AWS is well again, and the operator has what failed sent again."""
        store.behaviour.faults.clear()
        self.stack.settle()
        self.world.clock.sleep(10)


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(
    max_examples=60, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
