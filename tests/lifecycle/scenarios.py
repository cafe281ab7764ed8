"""What happens to a stack: the columns of the fault matrix.

Each is a journey, and says whether the stack's job runs in the end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from handler.world import World
from lifecycle import journeys
from lifecycle.journeys import Strike
from lifecycle.stack import Deployment, Stack


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


LOST, LATER = Deployment(answer_lost=True), Deployment(later_fails=True)
LOST_NOT_ROLLED_BACK = Deployment(answer_lost=True, no_rollback=True)
LOST_SKIPPED, LATER_SKIPPED = (
    Deployment(answer_lost=True, skips_rollback=True),
    Deployment(later_fails=True, skips_rollback=True),
)

SCENARIOS = {
    each.heading: each
    for each in (
        Scenario("create", journeys.create, True, frozenset({1})),
        Scenario("create delivered twice", journeys.created_twice, True, frozenset({1, 2})),
        Scenario("create rolls back", partial(journeys.create_with, LATER), False, frozenset({0, 1})),
        Scenario(
            "create in an older stack rolls back",
            partial(journeys.create_with, LATER),
            False,
            frozenset({0, 1}),
            is_older=True,
        ),
        Scenario("create's answer lost", partial(journeys.create_with, LOST), False, frozenset({0, 1})),
        Scenario(
            "create's answer lost, older stack",
            partial(journeys.create_with, LOST),
            False,
            frozenset({0, 1}),
            is_older=True,
        ),
        Scenario(
            "create's answer lost, no rollback, again", journeys.create_fails_and_again, True, frozenset({1, 2}), 2
        ),
        Scenario("Delete overtakes Create", journeys.deleted_before_created, False, frozenset({0})),
        Scenario("update", journeys.update, True, frozenset({2})),
        Scenario("update delivered twice", journeys.updated_twice, True, frozenset({2, 3})),
        Scenario("update rolls back", partial(journeys.update_with, LATER), True, frozenset({1, 2}), 2),
        Scenario("update's answer lost", partial(journeys.update_with, LOST), True, frozenset({1, 2}), 2),
        Scenario(
            "update's answer lost, no rollback, another",
            partial(journeys.update_lost_then_another, LOST_NOT_ROLLED_BACK),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario(
            "update's answer lost, rollback skipped, another",
            partial(journeys.update_lost_then_another, LOST_SKIPPED),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario(
            "update rolls back, skipped, another",
            partial(journeys.update_lost_then_another, LATER_SKIPPED),
            True,
            frozenset({2, 3}),
            3,
        ),
        Scenario("update's answer lost, destroyed", journeys.update_lost_then_destroyed, False, frozenset({1, 2}), 2),
        Scenario(
            "replaced but retained",
            partial(journeys.update_with, Deployment()),
            None,
            frozenset({1, 2}),
            2,
            retains=True,
        ),
        Scenario("stop first", journeys.stop_first, True, frozenset({2})),
        Scenario("refuse", journeys.refuse, True, frozenset({1})),
        Scenario("tags only", journeys.tags_only, True, frozenset({1})),
        Scenario("foreign namesake", journeys.foreign_namesake, True, frozenset({2}), 2),
        Scenario("stopped by hand", journeys.stopped_by_hand, False, frozenset({1})),
        Scenario("deleted by hand", journeys.deleted_by_hand, False, frozenset({1})),
        Scenario("A, B, A", journeys.there_and_back, True, frozenset({4})),
        Scenario("A, B, A while they run", journeys.there_and_back_while_running, True, frozenset({3}), 3),
        Scenario("destroy", journeys.destroy, False, frozenset({1})),
        Scenario("removed from an older stack", journeys.destroy, False, frozenset({1}), is_older=True),
        Scenario("destroy, deploy again", journeys.destroy_and_again, True, frozenset({2})),
        Scenario("all delivered again, late", journeys.everything_late, True, frozenset({2}), 2),
    )
}
