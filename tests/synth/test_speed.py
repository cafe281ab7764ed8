"""What a further trainer costs the synth, counted: how often CDK's process is asked, resources, characters."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jsii
import pytest
from aws_cdk import App, Stack

from benchmarks.stacks import HERE, with_trainers, without


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts the messages to CDK's process, by what they ask for."""
    asked: Counter[str] = Counter()
    process = jsii.kernel.provider._process  # type: ignore[attr-defined] # what jsii's own interface leaves out
    send = process.send

    def counting(request: Any, response: Any) -> Any:
        asked[type(request).__name__] += 1
        return send(request, response)

    with monkeypatch.context() as patched:
        patched.setattr(process, "send", counting)
        yield asked


def messages(declare: Callable[[Stack, int], None], count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    app = App()
    stack = Stack(app, "S", env=HERE)
    with counted(monkeypatch) as asked:
        declare(stack, count)
        app.synth()
    return asked.total()


def test_a_further_trainer_asks_cdk_about_as_often_as_the_same_resource_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, by_hand = (
        (messages(way, 8, monkeypatch) - messages(way, 3, monkeypatch)) / 5 for way in (with_trainers, without)
    )
    assert (ours, by_hand) == (10, 9)


def characters(declare: Callable[[Stack, int], None], count: int) -> int:
    app = App()
    declare(Stack(app, "S", env=HERE), count)
    return len(json.dumps(app.synth().get_stack_by_name("S").template, separators=(",", ":")))


def test_a_further_trainer_takes_at_most_a_fifth_more_of_the_template_than_by_hand() -> None:
    ours, by_hand = (characters(way, 2) - characters(way, 1) for way in (with_trainers, without))
    assert ours / by_hand <= 1.2
