"""The numbered events of tests/events, each from three worlds, and what it must do there."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from handler.world import World

from agent_rft_handler.errors import Refused
from agent_rft_local import store

EVENTS = Path(__file__).parents[1] / "events"
FIRST = "huggingface-reasoning-qwen3-32b-mtrl-7ff65278a3-505b2333bbe5"
SECOND = "huggingface-reasoning-qwen3-32b-mtrl-7ff65278a3-83df42542edd"

AGAIN = f"{FIRST}-2"


@dataclass(frozen=True)
class Does:
    """What an event must do: jobs made and stopped, the id it answers with, or the words it refuses with."""

    creates: int = 0
    stops: int = 0
    answers: str = ""
    refuses: str = ""


# event: what it does with no job there, with its stack's first job running, and with that job finished
TABLE: dict[str, tuple[Does, Does, Does]] = {
    "01-create": (Does(1, answers=FIRST), Does(answers=FIRST), Does(answers=FIRST)),
    "02-create-unknown-model": (
        Does(refuses="has no model"),
        Does(stops=1, refuses="has no model"),
        Does(refuses="has no model"),
    ),
    # a job that another request submitted, and that the stack does not know, is not this one's
    "03-create-with-unknown-keys": (Does(1, answers=FIRST), Does(1, 1, answers=AGAIN), Does(1, answers=AGAIN)),
    "04-update-nothing": (Does(answers=FIRST),) * 3,
    "05-update-tags": (Does(answers=FIRST),) * 3,
    "06-update-hyperparameters": (Does(1, answers=SECOND), Does(refuses="is InProgress"), Does(1, answers=SECOND)),
    "07-update-stop-first": (Does(1, answers=SECOND), Does(1, 1, answers=SECOND), Does(1, answers=SECOND)),
    "08-update-back-after-failure": (Does(answers=FIRST),) * 3,
    "09-update-back-after-later-failure": (Does(answers=FIRST),) * 3,
    # a job that is not shown, or not yet, is asked to stop by its name
    "10-delete": (Does(stops=1, answers=FIRST), Does(stops=1, answers=FIRST), Does(answers=FIRST)),
    "11-delete-cancelled-create": (Does(), Does(stops=1), Does()),
    "12-delete-log-stream-id": (Does(), Does(stops=1), Does()),
    "13-delete-unknown-job": (Does(), Does(stops=1), Does()),
    "14-delete-malformed": (Does(stops=1, answers=FIRST), Does(stops=1, answers=FIRST), Does(answers=FIRST)),
    "15-delete-without-properties": (Does(stops=1, answers=FIRST), Does(stops=1, answers=FIRST), Does(answers=FIRST)),
}
ROLLING_BACK = ("08", "09")
WORLDS = ("no job", "first running", "first finished")


def event_of(name: str) -> dict[str, Any]:
    return dict(json.loads((EVENTS / f"{name}.json").read_text()))


@pytest.mark.parametrize("situation", WORLDS)
@pytest.mark.parametrize("name", TABLE)
def test_an_event_does_what_the_table_says(world: World, name: str, situation: str) -> None:
    expected = TABLE[name][WORLDS.index(situation)]
    if situation != "no job":
        world.send(event_of("01-create"))
    if situation == "first finished":
        world.finish_jobs()
    store.calls.clear()
    rolling_back = name.startswith(ROLLING_BACK)
    world.cloudformation.status = "UPDATE_ROLLBACK_IN_PROGRESS" if rolling_back else "UPDATE_IN_PROGRESS"
    if expected.refuses:
        with pytest.raises(Refused, match=expected.refuses):
            world.send(event_of(name))
    else:
        answer = world.send(event_of(name))
        assert answer["PhysicalResourceId"] == (expected.answers or event_of(name)["PhysicalResourceId"])
        assert len(json.dumps(answer).encode()) < 1024
    assert (len(world.effects()), operations("StopJob")) == (expected.creates, expected.stops)
    assert operations("DeleteJob") == 0


def test_every_event_is_in_the_table() -> None:
    assert sorted(path.stem for path in EVENTS.glob("*.json")) == sorted(TABLE)


def operations(name: str) -> int:
    return sum(call["operation"] == name for call in store.calls)
