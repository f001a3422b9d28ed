"""What a batch of towns is judged by, against the watch over a single one."""

import numpy as np
import pytest

from astrarium import worlds
from astrarium.worlds import ladder
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.townlet import load
from astrarium.worlds.townlet.living import FIGURES, Living
from astrarium.worlds.townlet.players import citizens
from astrarium.worlds.townlet.stability import Monitor, Rules, look

ENTRY = worlds.get("townlet-v1")


def test_a_day_is_judged_as_the_monitor_judges_it() -> None:
    town = load("default")
    day = town.config.time.ticks_per_day
    world = NativeVectorWorld.make("townlet-v1", town.config, autoreset="disabled")
    world.reset_with_seeds([town.seed])
    world.watch(0)
    monitor = Monitor(Rules.of(town.config, town.stability))
    living = Living(town.config, world.layout, 1)
    only, follow = np.zeros(1, np.intp), citizens(world)
    moment, tied = look(world), []
    for tick in range(1, 2 * day):
        world.step(follow(world.obs, world.mask))
        living(world, only, only)
        moment = look(world)
        monitor.observe(moment)
        if tick % day == day - 1:
            tied += [kpi.value for kpi in monitor.kpis(moment) if kpi.name == "tied"]
    told = {kpi.name: kpi.value for kpi in monitor.kpis(moment)}
    found = {name: float(values[0]) for name, values in living.columns().items()}
    assert found["self_sufficient"] == pytest.approx(told["self_sufficient"])
    assert found["tied"] == pytest.approx(np.mean(tied))
    # The monitor counts every shift alike, whatever its length; some are a tenth shorter.
    assert found["attendance"] == pytest.approx(told["attendance"], abs=0.01)
    assert found["attendance"] > 0.9


def test_a_good_life_is_told_from_a_bad_one() -> None:
    def lived(name: str) -> dict[str, float]:
        config = ENTRY.config.model_validate({"env": {"max_ticks": 2000}})
        layout = ENTRY.make(config, 1, 1, "same_step").layout
        living = Living(config, layout, 2)  # pyright: ignore[reportArgumentType]
        policy = ladder.policies(ENTRY, [name])[name]
        ladder.play(ENTRY, name, policy, ladder.Rules(episodes=2), config, watch=living)
        return {key: float(values.mean()) for key, values in living.columns().items()}

    careful, idle, suicidal = (lived(name) for name in ("citizens", "idle", "suicidal"))
    for figure in FIGURES:
        assert careful[figure] > idle[figure]
    assert idle["attendance"] == 0.0
    assert careful["self_sufficient"] > suicidal["self_sufficient"] == 0.0
