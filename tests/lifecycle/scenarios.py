"""What happens to a stack: the columns of the fault matrix.

Each scenario calls ``strike`` where the fault is to hit, and says how many jobs may have been submitted in the end.
"""

from collections.abc import Callable
from dataclasses import dataclass

from handler.world import World
from lifecycle.stack import Deployment, Stack

from agent_rft_handler.facts import AGENT_RFT, OWN_TAGS
from agent_rft_local import store

Strike = Callable[[], None]


@dataclass(frozen=True)
class Scenario:
    """A column: its heading, what happens, and how many jobs it may submit when nothing but the fault goes wrong."""

    heading: str
    run: Callable[[World, Stack, Strike], None]
    submitted: frozenset[int]


def create(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    _until_done(stack, world, run_id="a")


def created_twice(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    if not stack.deploy(world.declaration(run_id="a"), Deployment(delivered_twice=True)):
        _until_done(stack, world, run_id="a")


def update(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.finish_jobs()
    strike()
    _until_done(stack, world, run_id="b")


def updated_twice(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.finish_jobs()
    strike()
    if not stack.deploy(world.declaration(run_id="b"), Deployment(delivered_twice=True)):
        _until_done(stack, world, run_id="b")


def stop_first(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    _until_done(stack, world, run_id="b", replacement="stop_first")


def refuse(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    assert not stack.deploy(world.declaration(run_id="b"))
    stack.settle()
    assert stack.declared == world.declaration(run_id="a")


def tags_only(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    _until_done(stack, world, run_id="a", tags={"Owner": "me"})


def create_rolls_back(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    stack.deploy(world.declaration(run_id="a"), Deployment(later_fails=True))


def update_rolls_back(world: World, stack: Stack, strike: Strike) -> None:
    store.behaviour.running_jobs = 2
    _until_done(stack, world, run_id="a", replacement="submit_first")
    strike()
    stack.deploy(world.declaration(run_id="b", replacement="submit_first"), Deployment(later_fails=True))


def create_answer_lost(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    stack.deploy(world.declaration(run_id="a"), Deployment(answer_lost=True))


def update_answer_lost(world: World, stack: Stack, strike: Strike) -> None:
    store.behaviour.running_jobs = 2
    _until_done(stack, world, run_id="a", replacement="submit_first")
    strike()
    stack.deploy(world.declaration(run_id="b", replacement="submit_first"), Deployment(answer_lost=True))


def deleted_before_created(world: World, stack: Stack, strike: Strike) -> None:
    """The cancelled create's Delete overtakes it."""
    declaration = world.declaration(run_id="a")
    strike()
    world.cloudformation.status = "ROLLBACK_IN_PROGRESS"
    for kind, more in (("Delete", {"pid": "Wordle-Job-1ABCDEF"}), ("Create", {})):
        stack._must("ROLLBACK_IN_PROGRESS", kind, declaration, **more)
    stack.owed = [row for row in stack.owed if row[0] == "Delete"]


def foreign_namesake(world: World, stack: Stack, strike: Strike) -> None:
    """Someone else's job has our name: ours is taken, and its tags are changed to theirs."""
    store.behaviour.running_jobs = 2
    _until_done(stack, world, run_id="a")
    arn = world.sagemaker.describe_job(JobName=stack.pid, JobCategory=AGENT_RFT.name)["JobArn"]
    world.sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": OWN_TAGS["stack"], "Value": "another"}])
    stack.declared, stack.pid = None, ""
    strike()
    assert not stack.deploy(world.declaration(run_id="a"))
    assert not [call for call in store.calls if call["operation"] in ("StopJob", "DeleteJob")]
    world.finish_jobs()
    _until_done(stack, world, run_id="b")


def stopped_by_hand(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.sagemaker.stop_job(JobName=stack.pid, JobCategory=AGENT_RFT.name)
    world.clock.sleep(10)
    strike()
    _until_done(stack, world, run_id="a", tags={"Owner": "me"})


def deleted_by_hand(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.finish_jobs()
    world.sagemaker.delete_job(JobName=stack.pid, JobCategory=AGENT_RFT.name)
    strike()
    stack.destroy()


def there_and_back(world: World, stack: Stack, strike: Strike) -> None:
    for run_id in ("a", "b", "a"):
        strike()
        _until_done(stack, world, run_id=run_id)
        world.finish_jobs()


def destroy(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    stack.destroy()


def destroy_and_again(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    stack.destroy()
    while not stack.healthy:
        stack.settle()
    world.clock.sleep(10)
    _until_done(stack, world, run_id="a")


def _until_done(stack: Stack, world: World, **changed: object) -> None:
    """Deploys, and deploys again as an operator would; five times must do."""
    declaration = world.declaration(**changed)
    assert any(stack.deploy(declaration) for _ in range(5)), "five deployments failed"


SCENARIOS = {
    each.heading: each
    for each in (
        Scenario("create", create, frozenset({1})),
        Scenario("create delivered twice", created_twice, frozenset({1})),
        Scenario("update", update, frozenset({2})),
        Scenario("update delivered twice", updated_twice, frozenset({2})),
        Scenario("stop_first", stop_first, frozenset({2})),
        Scenario("refuse", refuse, frozenset({1})),
        Scenario("tags only", tags_only, frozenset({1})),
        Scenario("create rolls back", create_rolls_back, frozenset({0, 1})),
        Scenario("update rolls back", update_rolls_back, frozenset({1, 2})),
        Scenario("create's answer lost", create_answer_lost, frozenset({0, 1})),
        Scenario("update's answer lost", update_answer_lost, frozenset({1, 2})),
        Scenario("Delete overtakes Create", deleted_before_created, frozenset({0})),
        Scenario("foreign namesake", foreign_namesake, frozenset({2})),
        Scenario("stopped by hand", stopped_by_hand, frozenset({1})),
        Scenario("deleted by hand", deleted_by_hand, frozenset({1})),
        Scenario("A, B, A", there_and_back, frozenset({3})),
        Scenario("destroy", destroy, frozenset({1})),
        Scenario("destroy, deploy again", destroy_and_again, frozenset({2})),
    )
}
