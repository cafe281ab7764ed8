"""What a further trainer costs, counted and not timed: questions to CDK's process, and the template's growth."""

import json
from collections.abc import Callable

from aws_cdk import App, Stack

from benchmarks.questions import questions
from benchmarks.stacks import HERE, with_trainers, without


def test_a_further_trainer_asks_cdk_about_as_often_as_the_same_resource_by_hand() -> None:
    ours, by_hand = ((questions(way, 8) - questions(way, 3)) / 5 for way in (with_trainers, without))
    assert (ours, by_hand) == (10, 9)


def characters(declare: Callable[[Stack, int], None], count: int) -> int:
    app = App()
    declare(Stack(app, "S", env=HERE), count)
    return len(json.dumps(app.synth().get_stack_by_name("S").template, separators=(",", ":")))


def test_a_further_trainer_takes_at_most_a_fifth_more_of_the_template_than_by_hand() -> None:
    ours, by_hand = (characters(way, 2) - characters(way, 1) for way in (with_trainers, without))
    assert ours / by_hand <= 1.2
