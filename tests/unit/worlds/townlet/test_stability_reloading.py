"""A watched town takes over another `stability` while it runs, and forgets nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from astrarium import ConfigError
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import LoadedTown, TownletConfig, load, reload_class
from astrarium.worlds.townlet.config.watching import Stability
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.reloading import CLASSES_BESIDE
from astrarium.worlds.townlet.stability import (
    Citizen,
    Happening,
    Moment,
    Monitor,
    Reading,
    Rules,
    look,
)

DAY = 100


def rules(**stability: Any) -> Rules:
    return Rules(thresholds=Stability.model_validate(stability), ticks_per_day=DAY)


def starving(ticks: range) -> list[Moment]:
    return [Moment(tick, (Citizen("alice", hunger=0.0),)) for tick in ticks]


def fed(ticks: range) -> list[Moment]:
    return [Moment(tick, (Citizen("alice"),)) for tick in ticks]


def observed(monitor: Monitor, moments: list[Moment]) -> list[Reading]:
    return [monitor.observe(moment) for moment in moments]


def incidents(reading: Reading) -> float:
    return next(one.value for one in reading.levels if one.alert == "starvation_spike")


def written(folder: Path, text: str) -> LoadedTown:
    path = folder / "town.yaml"
    path.write_text(f"label: town\n{text}", "utf-8")
    return load(path)


def test_every_setting_of_stability_is_hot() -> None:
    for name in Stability.model_fields:
        assert reload_class(f"stability.{name}") == "hot"
    assert reload_class("stability.starvation.window_ticks") == "hot"
    assert not set(CLASSES_BESIDE) & set(TownletConfig.model_fields)


def test_loaded_towns_tell_what_differs_beside_the_rules_too(tmp_path: Path) -> None:
    old = written(tmp_path, "seed: 5\n")
    text = "seed: 5\neconomy: {meal_cost: 0.41}\nstability: {starvation: {window_ticks: 500}}\n"
    new = written(tmp_path, text)
    found = [(one.key, one.reload, one.old, one.new) for one in old.changes(new)]
    assert found == [
        ("economy.meal_cost", "hot", 0.4, 0.41),
        ("stability.starvation.window_ticks", "hot", 1000, 500),
    ]
    assert new.config_id == old.config_id
    assert old.changes(old) == ()


def test_a_seed_and_a_label_are_those_of_another_town(tmp_path: Path) -> None:
    old, new = written(tmp_path, "seed: 5\n"), written(tmp_path, "seed: 6\n")
    found = old.changes(replace(new, label="city"))
    assert [(one.key, one.reload) for one in found] == [("label", "restart"), ("seed", "restart")]
    assert new.config_id != old.config_id


def test_windows_are_kept_when_their_width_changes() -> None:
    """An incident seen before the reload counts for as long as the window in force says."""
    monitor = Monitor(rules(starvation={"duration_ticks": 5, "window_ticks": 1000}))
    observed(monitor, starving(range(10)))
    before = monitor.snapshot()
    shorter = rules(starvation={"duration_ticks": 5, "window_ticks": 20})
    monitor.reload(shorter)
    assert monitor.rules == shorter
    assert monitor.snapshot() == before
    read = observed(monitor, fed(range(10, 40)))
    # Counted in tick 4, so it is among the last twenty up to tick 23.
    assert [incidents(one) for one in read] == [1] * 14 + [0] * 16
    assert [one.alert for reading in read for one in reading.raised] == []


def test_an_incident_is_counted_once_whatever_becomes_of_its_length() -> None:
    monitor = Monitor(rules(starvation={"duration_ticks": 30}))
    assert incidents(observed(monitor, starving(range(20)))[-1]) == 0
    monitor.reload(rules(starvation={"duration_ticks": 10}))
    assert incidents(observed(monitor, starving(range(20, 21)))[-1]) == 1, "long since due"
    monitor.reload(rules(starvation={"duration_ticks": 25}))
    assert incidents(observed(monitor, starving(range(21, 50)))[-1]) == 1, "the same hunger"
    observed(monitor, fed(range(50, 51)))
    assert incidents(observed(monitor, starving(range(51, 80)))[-1]) == 2


def test_an_alert_ends_and_begins_by_the_limits_in_force() -> None:
    failing = (Happening("affordance_fail"),) * 2
    monitor = Monitor(rules(affordance_fail_threshold=1))
    alert = "affordance_failures_exceeded"
    assert monitor.observe(Moment(0, happenings=failing)).firing == (alert,)
    monitor.reload(rules())
    assert monitor.observe(Moment(1, happenings=failing)).firing == ()
    monitor.reload(rules(affordance_fail_threshold=1))
    (raised,) = monitor.observe(Moment(2, happenings=failing)).raised
    assert (raised.alert, raised.tick, raised.limit) == (alert, 2, 1)


def test_a_day_of_another_length_is_refused() -> None:
    monitor = Monitor(rules())
    with pytest.raises(ConfigError, match="ticks_per_day: 99 instead of 100 needs a new town"):
        monitor.reload(replace(rules(), ticks_per_day=DAY - 1))
    assert monitor.rules == rules()


def test_a_running_town_is_judged_by_its_new_file(tmp_path: Path) -> None:
    old = written(tmp_path, "seed: 5\n")
    world = NativeVectorWorld.make("townlet-v1", old.config, autoreset="disabled")
    world.reset_with_seeds([old.seed])
    world.watch(0)
    follow, monitor = citizens(world), Monitor(Rules.of(old.config, old.stability))

    def live(ticks: int) -> list[str]:
        raised: list[str] = []
        for _ in range(ticks):
            world.step(follow(world.obs, world.mask))
            raised += [one.alert for one in monitor.observe(look(world)).raised]
        return raised

    assert live(200) == []
    text = "seed: 5\nstability: {reward_variance: {variance_max: 0.0}}\n"
    new = written(tmp_path, text)
    assert {one.reload for one in old.changes(new)} == {"hot"}
    monitor.reload(Rules.of(new.config, new.stability))
    # The rewards of the last 200 ticks are remembered, so the first one is enough.
    assert live(1) == ["reward_variance_spike"]
