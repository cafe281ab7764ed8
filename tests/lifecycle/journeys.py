"""What people and CloudFormation do with a stack; each calls ``strike`` where a fault is to hit."""

from collections.abc import Callable

from handler.world import World
from lifecycle.stack import MADE_UP, Deployment, Stack

from agent_rft_handler.facts import OWN_TAGS
from agent_rft_local import store

Strike = Callable[[], None]


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
    arn = world.sagemaker.describe_job(JobName=stack.pid, JobCategory=world.category.name)["JobArn"]
    world.sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": OWN_TAGS["stack"], "Value": "another"}])
    stack.declared, stack.pid = None, ""
    strike()
    assert not stack.deploy(world.declaration(run_id="a"))
    assert not [call for call in store.calls if call["operation"] in ("StopJob", "DeleteJob")]
    world.finish_jobs()
    _until_done(stack, world, run_id="b")


def stopped_by_hand(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.sagemaker.stop_job(JobName=stack.pid, JobCategory=world.category.name)
    world.clock.sleep(10)
    strike()
    _until_done(stack, world, run_id="a", tags={"Owner": "me"})


def deleted_by_hand(world: World, stack: Stack, strike: Strike) -> None:
    _until_done(stack, world, run_id="a")
    world.finish_jobs()
    world.sagemaker.delete_job(JobName=stack.pid, JobCategory=world.category.name)
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
