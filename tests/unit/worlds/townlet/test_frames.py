"""Frames of a town: drawn from the inside, with everything that happened, also after a way back."""

from __future__ import annotations

import numpy as np

from astrarium import worlds
from astrarium.worlds.frames import Camera
from astrarium.worlds.townlet.entry import ENTRY


def test_a_frame_shows_the_town_and_what_happened() -> None:
    world = worlds.make_vec("townlet-v1", 1, seed=3, autoreset="disabled")
    camera = Camera(ENTRY, world)
    citizens = ENTRY.oracles["citizens"](world)
    frames = []
    for step in range(60):
        if step == 30:
            kept = world.snapshot()
            world.restore(kept)
        world.step(citizens(world.obs, world.mask))
        frames.append(camera.frame())
    states = [frame["render_state"] for frame in frames]
    assert [state["tick"] for state in states] == list(range(1, 61))
    assert len(states[0]["agents"]) == int(np.count_nonzero(world.alive))
    kinds = {event["event"] for state in states for event in state["events"]}
    assert "affordance_start" in kinds
    assert any(state["events"] for state in states[31:])
    world.close()
