"""The AFI: how well each citizen lives, told by the monitor."""

from __future__ import annotations

import pytest

from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.stability import (
    Citizen,
    Happening,
    Moment,
    Monitor,
    Pay,
    Rules,
    look,
)

DAY = 40
RULES = Rules(ticks_per_day=DAY, good_day=4.0, bad_day=-4.0)


def alice(*, need: float = 1.0, attendance: float = 1.0) -> Citizen:
    return Citizen("alice", 0, need, need, need, "clerk", attendance)


def lived(ticks: range, one: Citizen, reward: float, *kinds: str) -> list[Moment]:
    told = tuple(Happening(kind, "alice") for kind in kinds)
    return [
        Moment(tick, (one,), told if tick == ticks[0] else (), (Pay(0, reward),)) for tick in ticks
    ]


def afi(moments: list[Moment]) -> dict[str, float]:
    monitor = Monitor(RULES)
    for moment in moments:
        monitor.observe(moment)
    return monitor.afi()


def test_the_best_day_there_is_comes_to_nine_tenths() -> None:
    assert afi(lived(range(DAY), alice(), 0.1)) == {"alice": pytest.approx(0.9)}


def test_each_part_has_its_weight() -> None:
    whole = range(DAY)
    assert afi(lived(whole, alice(), 0.0))["alice"] == pytest.approx(0.7)
    assert afi(lived(whole, alice(need=0.5), 0.1))["alice"] == pytest.approx(0.75)
    assert afi(lived(whole, alice(attendance=0.5), 0.1))["alice"] == pytest.approx(0.8)
    broken = lived(whole, alice(), 0.1, "job_late", "rent_missed", "chat_failure")
    assert afi(broken)["alice"] == pytest.approx(0.7)


def test_a_loss_is_no_worse_than_nothing_and_company_no_better_than_a_good_day() -> None:
    whole = range(DAY)
    assert afi(lived(whole, alice(), -1.0))["alice"] == pytest.approx(0.5)
    assert afi(lived(whole, alice(), 9.0))["alice"] == pytest.approx(0.9)


def test_only_the_last_day_counts() -> None:
    bad = lived(range(DAY), alice(need=0.0), 0.0, "job_late")
    good = lived(range(DAY, 2 * DAY), alice(), 0.1)
    assert afi(bad + good[:-1])["alice"] < 0.9
    assert afi(bad + good)["alice"] == pytest.approx(0.9)


def test_those_who_have_left_are_told_no_longer_and_a_newcomer_begins_anew() -> None:
    before = lived(range(DAY), alice(), 0.1)
    bob = Citizen("bob", 0, 0.5, 0.5, 0.5)
    gone = Moment(DAY, (), (), (Pay(0, -2.0, ended=True),))
    arrived = Moment(DAY + 1, (bob,))
    assert afi([*before, gone]) == {}
    assert afi([*before, gone, arrived]) == {}
    stays = Moment(DAY + 2, (bob,), (), (Pay(0, 0.1),))
    assert afi([*before, gone, arrived, stays]) == {"bob": pytest.approx(0.4 + 0.15 + 0.2)}


def test_a_monitor_read_back_goes_on_with_it() -> None:
    moments = lived(range(DAY), alice(need=0.7), 0.05, "shift_absent")
    first, other = Monitor(RULES), Monitor(RULES)
    for moment in moments[:17]:
        first.observe(moment)
    other.restore(first.snapshot())
    for moment in moments[17:]:
        other.observe(moment)
    assert other.afi() == afi(moments)


def test_careful_citizens_live_better_than_idle_ones() -> None:
    def after_a_day(idle: bool) -> list[float]:
        town = load("default")
        world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
        world.reset_with_seeds([town.seed])
        world.watch(0)
        follow, monitor = citizens(world), Monitor(Rules.of(town.config))
        for _ in range(1000):
            orders = follow(world.obs, world.mask)
            world.step(orders * 0 if idle else orders)
            monitor.observe(look(world))
        # Whoever has only just come has had no time to do badly.
        return [value for name, value in monitor.afi().items() if "#" not in name]

    careful, idle = after_a_day(idle=False), after_a_day(idle=True)
    assert min(careful) > max(idle)
    assert 0.7 < min(careful) <= max(careful) <= 0.9
