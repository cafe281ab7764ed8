import pytest
from handler.world import World

from agent_rft_local import store


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A fresh account whose time stands still."""
    world = World()
    monkeypatch.setattr(store, "clock", lambda: world.clock.now)
    return world
