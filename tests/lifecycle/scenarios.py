"""What happens to a stack: the columns of the fault matrix.

Each scenario calls ``strike`` where the fault is to hit, and says whether the stack's job runs in the end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from handler.world import World
from lifecycle.stack import MADE_UP, Deployment, Stack

from agent_rft_handler.facts import AGENT_RFT, OWN_TAGS
from agent_rft_local import store

Strike = Callable[[], None]


@dataclass(frozen=True)
class Scenario:
    """A column.

    Args:
        heading: What it is called.
        run: What happens.
        runs: Whether the stack's job runs in the end; None where it depends on the fault.
        submitted: How many jobs may have been submitted when no deployment but the last had to be repeated.
        quota: How many jobs may run at a time.
        is_older: Whether the trainer joins a stack that stands.
        retains: Whether what is replaced is retained.
    """

    heading: str
    run: Callable[[World, Stack, Strike], None]
    runs: bool | None
    submitted: frozenset[int]
    quota: int = 1
    is_older: bool = False
    retains: bool = False


def create(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    _until_done(stack, world, run_id="a")


def create_with(how: Deployment, world: World, stack: Stack, strike: Strike) -> None:
    strike()
    stack.deploy(world.declaration(run_id="a"), how)


def created_twice(world: World, stack: Stack, strike: Strike) -> None:
    strike()
    if not stack.deploy(world.declaration(run_id="a"), Deployment(delivered_twice=True)):
        _until_done(stack, world, run_id="a")


def create_fails_and_again(world: World, stack: Stack, strike: Strike) -> None:
    """``--no-rollback``: nothing is undone, and the next deployment starts from there."""
    strike()
    stack.deploy(world.declaration(run_id="a"), Deployment(answer_lost=True, no_rollback=True))
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


def update_with(how: Deployment, world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a", replacement="submit_first")
    strike()
    stack.deploy(world.declaration(run_id="b", replacement="submit_first"), how)


def update_lost_then_another(how: Deployment, world: World, stack: Stack, strike: Strike) -> None:
    """B's answer is lost, nothing is undone, then C is deployed: B must not run on."""
    _until_done(stack, world, run_id="a", replacement="submit_first")
    strike()
    stack.deploy(world.declaration(run_id="b", replacement="submit_first"), how)
    world.clock.now += 300  # someone reads what went wrong
    _until_done(stack, world, run_id="c", replacement="submit_first")


def update_lost_then_destroyed(world: World, stack: Stack, strike: Strike) -> None:
    how = Deployment(answer_lost=True, no_rollback=True)
    _until_done(stack, world, run_id="a", replacement="submit_first")
    strike()
    stack.deploy(world.declaration(run_id="b", replacement="submit_first"), how)
    stack.destroy()


def stop_first(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    _until_done(stack, world, run_id="b", replacement="stop_first")


def refuse(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    assert not stack.deploy(world.declaration(run_id="b"))
    assert stack.declared == world.declaration(run_id="a")


def tags_only(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    strike()
    _until_done(stack, world, run_id="a", tags={"Owner": "me"})


def deleted_before_created(world: World, stack: Stack, strike: Strike) -> None:
    """The cancelled create's Delete overtakes it."""
    declaration = world.declaration(run_id="a")
    strike()
    stack._must("ROLLBACK_IN_PROGRESS", "Delete", declaration, pid=MADE_UP)
    stack._answered("ROLLBACK_IN_PROGRESS", "Create", declaration)


def foreign_namesake(world: World, stack: Stack, strike: Strike) -> None:
    """Someone else's job has our name: ours is taken, and its tags are changed to theirs."""
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
    _until_done(stack, world, run_id="c")


def there_and_back_while_running(world: World, stack: Stack, strike: Strike) -> None:
    for run_id in ("a", "b", "a"):
        strike()
        _until_done(stack, world, run_id=run_id, replacement="submit_first")


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


def everything_late(world: World, stack: Stack, strike: Strike) -> None:
    """Events arrive once more long after: what they were about is over."""
    _until_done(stack, world, run_id="a", replacement="submit_first")
    _until_done(stack, world, run_id="b", replacement="submit_first")
    _until_done(stack, world, run_id="b", replacement="submit_first", tags={"Owner": "me"})
    strike()
    stack.deliver_late()


def _until_done(stack: Stack, world: World, **changed: object) -> None:
    """Deploys, and deploys again as an operator would; five times must do."""
    declaration = world.declaration(**changed)
    for _ in range(5):
        if stack.deploy(declaration):
            return
        world.clock.now += 60
    raise AssertionError("five deployments failed")


LOST, LATER = Deployment(answer_lost=True), Deployment(later_fails=True)
LOST_NOT_ROLLED_BACK = Deployment(answer_lost=True, no_rollback=True)
LOST_SKIPPED, LATER_SKIPPED = (
    Deployment(answer_lost=True, skips_rollback=True),
    Deployment(later_fails=True, skips_rollback=True),
)

SCENARIOS = {
    each.heading: each
    for each in (
        Scenario("create", create, True, frozenset({1})),
        Scenario("create delivered twice", created_twice, True, frozenset({1, 2})),
        Scenario("create rolls back", partial(create_with, LATER), False, frozenset({0, 1})),
        Scenario(
            "create in an older stack rolls back", partial(create_with, LATER), False, frozenset({0, 1}), is_older=True
        ),
        Scenario("create's answer lost", partial(create_with, LOST), False, frozenset({0, 1})),
        Scenario(
            "create's answer lost, older stack", partial(create_with, LOST), False, frozenset({0, 1}), is_older=True
        ),
        Scenario("create's answer lost, no rollback, again", create_fails_and_again, True, frozenset({1, 2}), 2),
        Scenario("Delete overtakes Create", deleted_before_created, False, frozenset({0})),
        Scenario("update", update, True, frozenset({2})),
        Scenario("update delivered twice", updated_twice, True, frozenset({2, 3})),
        Scenario("update rolls back", partial(update_with, LATER), True, frozenset({1, 2}), 2),
        Scenario("update's answer lost", partial(update_with, LOST), True, frozenset({1, 2}), 2),
        Scenario(
            "update's answer lost, no rollback, another",
            partial(update_lost_then_another, LOST_NOT_ROLLED_BACK),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario(
            "update's answer lost, rollback skipped, another",
            partial(update_lost_then_another, LOST_SKIPPED),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario(
            "update rolls back, skipped, another",
            partial(update_lost_then_another, LATER_SKIPPED),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario("update's answer lost, destroyed", update_lost_then_destroyed, False, frozenset({1, 2}), 2),
        Scenario("replaced but retained", partial(update_with, Deployment()), None, frozenset({1, 2}), 2, retains=True),
        Scenario("stop first", stop_first, True, frozenset({2})),
        Scenario("refuse", refuse, True, frozenset({1})),
        Scenario("tags only", tags_only, True, frozenset({1})),
        Scenario("foreign namesake", foreign_namesake, True, frozenset({2}), 2),
        Scenario("stopped by hand", stopped_by_hand, False, frozenset({1})),
        Scenario("deleted by hand", deleted_by_hand, False, frozenset({1})),
        Scenario("A, B, A", there_and_back, True, frozenset({4})),
        Scenario("A, B, A while they run", there_and_back_while_running, True, frozenset({3}), 3),
        Scenario("destroy", destroy, False, frozenset({1})),
        Scenario("removed from an older stack", destroy, False, frozenset({1}), is_older=True),
        Scenario("destroy, deploy again", destroy_and_again, True, frozenset({2})),
        Scenario("all delivered again, late", everything_late, True, frozenset({2}), 2),
    )
}
