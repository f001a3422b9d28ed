"""Figures of a town are called as whoever logs a training looks for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet.config import TownletConfig
from astrarium.worlds.townlet.entry import ENTRY


def test_a_log_finds_the_figures_of_a_town() -> None:
    """By another name they would be left out of every log, and no anneal would be held by them."""
    stats = worlds.make_vec("townlet-v1", 1).layout.stats
    assert set(fields.RIVALRY) <= set(stats)
    assert set(fields.SCENARIO) <= set(stats)


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


def test_a_ratio_is_what_its_counts_say() -> None:
    """Rollouts are told by the counts; an episode as a whole must come to the same."""
    world = worlds.make_vec("townlet-v1", 4, seed=2)
    follow = ENTRY.oracles["citizens"](world)
    for _ in range(1200):
        # Some stay away from work, so that not all are in time.
        orders = follow(world.obs, world.mask)
        orders[:, :3] = 0
        world.step(orders)
    figures = dict(zip(world.layout.stats, world.stats.T.astype(np.float64), strict=True))
    assert set(ENTRY.ratios) <= set(figures)
    for name, (part, whole) in ENTRY.ratios.items():
        assert {part, whole} <= set(ENTRY.counts)
        some = figures[whole] > 0
        assert figures[part][some].any(), name
        of_it = figures[part][some] / figures[whole][some]
        np.testing.assert_allclose(figures[name][some], of_it, rtol=1e-5)
    assert (figures["on_time_share"] < 1.0).any()


TOLD_AS = {
    "shared_meal_events": "shared_meal",
    "shift_takeover_events": "employment_took_my_shift",
    "late_help_events": "employment_helped_when_late",
    "chat_success_events": "chat_success",
    "chat_failure_events": "chat_failure",
    "queue_conflict_events": "queue_conflict",
    "shower_complete_events": "shower_complete",
    "sleep_complete_events": "sleep_complete",
}


def test_figures_are_the_counts_of_what_is_told() -> None:
    """Two days with outages, in which one citizen sleeps through every shift."""
    config = TownletConfig.model_validate(
        {"jobs": {"grocer": _grocer()}, "env": {"max_ticks": 9000}}
    )
    world = NativeVectorWorld.make("townlet-v1", config, autoreset="disabled")
    world.reset_with_seeds([8])
    world.watch(0)
    follow = ENTRY.oracles["citizens"](world)
    happened: list[dict[str, Any]] = []
    for tick in range(2000):
        if tick % 40 == 0:
            world.command(0, "perturbation_trigger", **OUTAGE)
        orders = follow(world.obs, world.mask)
        orders[0, 3] = 0
        world.step(orders)
        happened += world.happenings(0)
    figures = dict(zip(world.layout.stats, world.stats[0].tolist(), strict=True))
    kinds = Counter(one["event"] for one in happened)
    assert {name: figures[name] for name in TOLD_AS} == {
        name: kinds[kind] for name, kind in TOLD_AS.items()
    }
    outages = [one for one in happened if one.get("reason") == "utility_outage"]
    assert figures["utility_outage_events"] == len(outages) > 0
    assert figures["shift_takeover_events"] > 0
    assert figures["shared_meal_events"] > 0
    qualities = [one["quality"] for one in happened if one["event"] == "chat_success"]
    assert figures["chat_quality_sum"] == pytest.approx(sum(qualities), rel=1e-5)
    assert figures["chat_quality_mean"] == pytest.approx(np.mean(qualities), abs=1e-6)


OUTAGE = {"spec": "outage", "starts_in": 0, "duration": 5, "target": None, "magnitude": None}


def _grocer() -> dict[str, Any]:
    """One job for all, so that somebody is there to take a shift over."""
    grocer = TownletConfig().jobs["grocer"].model_dump(mode="json")
    return {**grocer, "capacity": 8}
