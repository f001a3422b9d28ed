"""Tidebreak's place in the registry."""

from __future__ import annotations

import json
from functools import partial
from typing import Final

from astrarium import _native
from astrarium.worlds.native import NativeVectorWorld
from astrarium.worlds.registry import Names, Schooling, WorldEntry, Yardstick
from astrarium.worlds.tidebreak.config import TidebreakConfig
from astrarium.worlds.tidebreak.names import HELM_HEADS, OBS_NAMES, ORDER_HEADS
from astrarium.worlds.tidebreak.player_view import player_view
from astrarium.worlds.tidebreak.players import CAPTAINS
from astrarium.worlds.tidebreak.presentation import PRESENTATION

SIDES: Final = ("blue", "red")


def names_under(config: TidebreakConfig) -> Names:
    """What agents choose from, see and are called under these settings."""
    discrete = config.helm == "discrete"
    return Names(
        action_names=(*HELM_HEADS, *ORDER_HEADS) if discrete else ORDER_HEADS,
        obs_names=OBS_NAMES,
        agent_names=_ships(config),
        control_names=() if discrete else ("throttle", "rudder"),
    )


def _ships(config: TidebreakConfig) -> tuple[str, ...]:
    """The agents: `blue_0` is the first ship of the first team."""
    counts = _fleet_sizes(config)
    sides = SIDES if config.side == "both" else (config.side,)
    names = [f"{side}_{ship}" for side in sides for ship in range(counts[SIDES.index(side)])]
    return tuple(names) if config.ship is None else (names[config.ship],)


def _fleet_sizes(config: TidebreakConfig) -> tuple[int, int]:
    if config.package is None:
        return _native.tidebreak_fleets(config.scenario, config.scenario_text, config.tables)
    teams = sorted(team["team_id"] for team in json.loads(config.package)["teams"])
    ships = [ship["team_id"] for ship in json.loads(config.package)["ships"]]
    return ships.count(teams[0]), ships.count(teams[1])


ENTRY: Final = WorldEntry(
    id="tidebreak-v1",
    title="Tidebreak",
    summary="Naval battles over three depth layers, under fog, against scripted doctrines.",
    config=TidebreakConfig,
    make=partial(NativeVectorWorld.make, "tidebreak-v1"),
    action_names=(*HELM_HEADS, *ORDER_HEADS),
    obs_names=OBS_NAMES,
    agent_names=("blue_0",),
    oracles=CAPTAINS,
    outcomes={
        "won": "won",
        "lost": "lost",
        "drawn": "draw",
        "value_left": "value_left_own",
        "enemy_value_left": "value_left_enemy",
    },
    yardsticks=(
        Yardstick("won", is_share=True),
        Yardstick("lost", higher_is_better=False, is_share=True),
        Yardstick("value_left_own"),
        Yardstick("value_left_enemy", higher_is_better=False),
        Yardstick("shots", higher_is_better=False),
    ),
    schooling=Schooling(
        teacher="line",
        captured=300,
        captured_steps=2_000,
        # Both captains teach.
        lesson={"side": "both"},
        stage_settings=("scenario", "opponent", "side", "weights"),
        # Guns that hit a few times in a hundred leave much of a return to chance, and of two like
        # orders the teacher's is one.
        accuracy_min=0.4,
        value_miss_max=0.2,
        value_explained_min=0.0,
    ),
    duels={"pursuer": 0.80, "line": 0.55},
    peaceful_endings=("exited", "battle_won"),
    player_view=player_view,
    presentation=PRESENTATION,
    names_under=names_under,
)
