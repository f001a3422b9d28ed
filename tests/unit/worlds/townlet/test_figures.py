"""Figures of a town are called as whoever logs a training looks for them."""

import numpy as np

from astrarium import worlds
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.worlds.townlet.entry import ENTRY

UNCOUNTED = {
    "shared_meal_events",
    "shift_takeover_events",
    "chat_quality_mean",
    "utility_outage_events",
}
"""Fields that a log may have, and of which a town keeps no count."""


def test_a_log_finds_the_figures_of_a_town() -> None:
    """By another name they would be left out of every log, and no anneal would be held by them."""
    stats = worlds.make_vec("townlet-v1", 1).layout.stats
    assert set(fields.RIVALRY) <= set(stats)
    assert set(fields.SCENARIO) - set(stats) == UNCOUNTED


def test_the_figures_count_what_happens() -> None:
    world = worlds.make_vec("townlet-v1", 4, seed=2)
    follow = ENTRY.oracles["citizens"](world)
    for _ in range(900):
        world.step(follow(world.obs, world.mask))
    figures = dict(zip(world.layout.stats, world.stats.T, strict=True))
    for name in ("shower_complete_events", "sleep_complete_events", "chat_success_events"):
        assert (figures[name] > 0).all(), name
    conflicts, intensity = figures["queue_conflict_events"], figures["queue_conflict_intensity_sum"]
    assert ((conflicts > 0) == (intensity > 0)).all()
    assert conflicts.any()


def test_what_adds_up_is_said_to_be_a_count() -> None:
    """Taken for a level, a count in a log would say how late it is."""
    optional = {
        "weather": {"enabled": True, "warmth": True},
        "spoilage": {"enabled": True},
        "drama": {"enabled": True},
    }
    world = worlds.make_vec("townlet-v1", 2, seed=2, config={"features": optional})
    stats = world.layout.stats
    assert set(ENTRY.counts) <= set(stats)
    adding = {name for name in fields.SCENARIO if name.endswith(("_events", "_sum"))}
    assert adding & set(stats) <= set(ENTRY.counts)
    columns = [stats.index(name) for name in ENTRY.counts]
    follow = ENTRY.oracles["citizens"](world)
    before = np.zeros((2, len(columns)), np.float32)
    for _ in range(600):
        world.step(follow(world.obs, world.mask))
        assert (world.stats[:, columns] >= before).all()
        before = world.stats[:, columns].copy()
