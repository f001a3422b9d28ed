"""Scripted citizens meet the targets of every shipped town that goes on for long."""

from __future__ import annotations

import pytest

from astrarium.cli import main
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.loading import shipped_towns
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.stability import Kpi, Monitor, Rules, look

LONG_RUNNING = ("default", "demo_story")
DAY = 1000


def judged(name: str, seed: int, days: int) -> tuple[dict[str, Kpi], dict[str, int]]:
    """Return the figures of a town after some days, and how often it raised each alert or event."""
    town = load(name)
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([seed])
    world.watch(0)
    follow = citizens(world)
    monitor = Monitor(Rules.of(town.config, town.stability))
    counts: dict[str, int] = {}
    kpis: tuple[Kpi, ...] = ()
    for _ in range(days * DAY):
        world.step(follow(world.obs, world.mask))
        moment = look(world)
        alerts = [alert.alert for alert in monitor.observe(moment).raised]
        for kind in (*alerts, *(event.kind for event in moment.happenings)):
            counts[kind] = counts.get(kind, 0) + 1
        if (moment.tick + 1) % DAY == 0:
            kpis = monitor.kpis(moment)
    return {kpi.name: kpi for kpi in kpis}, counts


def missed(kpis: dict[str, Kpi]) -> list[Kpi]:
    """Return the figures that miss their target."""
    return [kpi for kpi in kpis.values() if kpi.colour not in (None, "green")]


def test_every_shipped_town_that_can_be_lived_in_for_long_is_judged() -> None:
    towns = {name: load(name).config for name in shipped_towns()}
    long_running = {
        name
        for name, town in towns.items()
        if town.env.max_ticks >= 10 * DAY and not town.features.allow_unlivable
    }
    assert long_running == set(LONG_RUNNING)


@pytest.mark.parametrize("name", LONG_RUNNING)
def test_a_shipped_town_meets_its_targets(name: str) -> None:
    kpis, counts = judged(name, load(name).seed, 3)
    assert missed(kpis) == []
    assert "kpi_red" not in counts
    assert counts["queue_conflict"] > 0


@pytest.mark.long
@pytest.mark.parametrize("name", LONG_RUNNING)
def test_shipped_towns_meet_their_targets_for_ten_days(name: str) -> None:
    avoided = 0
    for seed in range(1, 5):
        kpis, counts = judged(name, seed, 10)
        assert missed(kpis) == [], f"seed {seed}"
        assert "kpi_red" not in counts, f"seed {seed}"
        avoided += counts.get("rivalry_avoidance", 0)
    assert avoided > 0, "grudges change what people do"


def test_a_red_figure_is_named_and_fails_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="1"):
        main(["townlet", "stability", "harsh", "--ticks", "1100"])
    printed = capsys.readouterr().out
    assert "kpi_red at tick" in printed
    assert "self_sufficient is red: 0, target ≥ 70 %" in printed
